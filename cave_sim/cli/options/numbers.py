"""Numbers on the command line: read with their bounds, so that a wrong one is refused in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable

MOST = 2**63 - 1
"""The most that journals and SQLite count to; a seed may be as large."""


def at_least(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``least`` on, for an option."""

    def integer(text: str) -> int:
        number = _whole(text)
        if number is None or number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        if number > MOST:
            raise argparse.ArgumentTypeError(f"{text!r} is more than {MOST:,}, the most that there can be")
        return number

    return integer


def amount(kind: Callable[[str], float]) -> Callable[[str], float]:
    """Return a reader of numbers of 0 or more, for an option: whole ones for ``int``."""

    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = -1
        if not 0 <= number < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
        return number

    return read


def port(text: str) -> int:
    """Read a port of this machine, or 0 for any that is free."""
    number = _whole(text)
    if number is None or not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: those are whole numbers from 0 to 65535")
    return number


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
