"""Exit codes that say more than that something failed."""

INTERRUPTED = 130
"""Ctrl-C, as shells have it; what was found until then is kept."""
OUTAGE = 75
"""An outage has stopped a run: try again later."""
