"""Exit codes that say more than that something failed."""

INTERRUPTED = 130
"""Ctrl-C, as shells have it; what was found until then is kept."""
SIGNALLED = 128
"""To be added to the number of the signal that ended it as Ctrl-C does: 143 for SIGTERM, 129 for a closed terminal."""
OUTAGE = 75
"""An outage has stopped a run: try again later."""
