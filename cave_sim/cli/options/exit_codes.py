"""Exit codes that say more than that something failed."""

INTERRUPTED = 130
"""Ctrl-C, as shells have it; what was found until then is kept."""
TERMINATED = 143
"""SIGTERM, as of `kill` or of a batch queue; else as Ctrl-C."""
OUTAGE = 75
"""An outage has stopped a run: try again later."""
