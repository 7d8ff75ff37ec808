"""Numbers on the command lines of the handset's measurements."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_from(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not less than another; it raises ArgumentTypeError."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read
