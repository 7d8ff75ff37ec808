"""Pieces of work for tasks."""

import os
import signal
from pathlib import Path


def double(number):
    """Return twice a number."""
    return 2 * number


def die_until(marker, times):
    """End this process as a machine that fails would, so many times; then say how often it was tried."""
    tries = Path(marker)
    with tries.open("a") as file:
        file.write(".")
    if len(tries.read_text()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return len(tries.read_text())


def refuse():
    """Raise."""
    raise LookupError("there is no such street")
