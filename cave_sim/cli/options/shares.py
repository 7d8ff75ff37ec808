"""Shares on the command line: ``multi=40,cloud=60``, a percentage, and a range such as ``10-14``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection

ROUNDING = 0.01
"""How much shares may lack, or have too much, as 33.33 three times has."""
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})")


def shares(most: float, *, all_of_it: bool = False, names: Collection[str] = ()) -> Callable[[str], dict[str, float]]:
    """Return a reader of named percentages, each over 0.

    Args:
        most: what they add up to at most.
        all_of_it: whether they must add up to that.
        names: those that there are; any if empty.
    """

    def read(text: str) -> dict[str, float]:
        pairs = [each.partition("=") for each in text.split(",")]
        percents = {name.strip(): _number(number) for name, _, number in pairs}
        if "" in percents or len(percents) < len(pairs) or not all(0 < each <= 100 for each in percents.values()):
            raise argparse.ArgumentTypeError(f"{text!r} is no list such as multi=40,cloud=60, in percent")
        if unknown := [name for name in percents if names and name not in names]:
            raise argparse.ArgumentTypeError(f"there is no {unknown[0]!r}; there are {', '.join(names)}")
        total = sum(percents.values())
        if total > most + ROUNDING or (all_of_it and total < most - ROUNDING):
            rule = f"it must come to {most:g} %" if all_of_it else f"at most {most:g} % fit"
            raise argparse.ArgumentTypeError(f"{text!r} comes to {total:g} %; {rule}")
        return percents

    return read


def percent(text: str) -> float:
    """Read a percentage from 0 to 50 as a share."""
    number = _number(text)
    if not 0 <= number <= 50:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage from 0 to 50")
    return number / 100


def between(text: str) -> tuple[int, int]:
    """Read a range of whole numbers, such as 10-14, from 1 on."""
    match = _RANGE.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no range such as 10-14")
    return int(match[1]), int(match[2])


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return -1.0
    return number if number == number else -1.0
