"""``calendar``, ``difflib``, ``pprint``, ``sys`` and ``unicodedata`` in a cell: what of them computes."""

from __future__ import annotations

import calendar
import difflib
import pprint
import sys
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from cave_sim.entity.values import plain_copy
from cave_sim.errors import Blocked, SchemaError

MAX_COMPARED = 4_000_000
MAX_DEPTH = 1_000
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)

CALENDAR: dict[str, Any] = {
    **{name: getattr(calendar, name) for name in "isleap leapdays timegm".split()},
    "weekday": lambda year, month, day: int(calendar.weekday(year, month, day)),
    "monthrange": lambda year, month: tuple(map(int, calendar.monthrange(year, month))),
    **{name.upper(): number for number, name in enumerate(_DAYS)},
    "day_name": _DAYS,  # Python's own follow the language of the machine
    "day_abbr": tuple(name[:3] for name in _DAYS),
    "month_name": _MONTHS,
    "month_abbr": tuple(name[:3] for name in _MONTHS),
    "monthcalendar": lambda year, month: calendar.Calendar().monthdayscalendar(year, month),
}
UNICODEDATA = {
    name: getattr(unicodedata, name)
    for name in "name lookup category normalize numeric decimal digit combining bidirectional east_asian_width".split()
}


def _comparing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of difflib, for texts that take no longer than a moment."""

    def compare(one: Any, other: Any, *args: Any, **options: Any) -> Any:
        check_compared(one, other)
        found = function(one, other, *args, **options)
        return found if isinstance(found, list) else list(found)

    compare.__name__ = function.__name__
    return compare


def check_compared(one: Any, other: Any) -> None:
    """Return if two sequences are short enough to be compared item by item; raises Blocked."""
    if len(one) * len(other) > MAX_COMPARED:
        raise Blocked(f"difflib compares at most {MAX_COMPARED:,} pairs of items; these are {len(one) * len(other):,}")


def _close_matches(word: str, possibilities: Sequence[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    words = [str(each) for each in possibilities]
    if len(word) * sum(map(len, words)) > MAX_COMPARED:
        raise Blocked(f"get_close_matches() compares at most {MAX_COMPARED:,} pairs of characters")
    return difflib.get_close_matches(word, words, n, cutoff)


class SequenceMatcher:
    """``difflib.SequenceMatcher``: how alike two sequences are."""

    __slots__ = ("a", "autojunk", "b")

    def __init__(self, isjunk: None = None, a: Any = "", b: Any = "", autojunk: bool = True) -> None:
        if isjunk is not None:
            raise Blocked("SequenceMatcher takes None as isjunk")
        self.a, self.b, self.autojunk = a, b, autojunk

    def _made(self) -> difflib.SequenceMatcher[Any]:
        check_compared(self.a, self.b)
        return difflib.SequenceMatcher(None, self.a, self.b, self.autojunk)

    def ratio(self) -> float:
        """Return how alike they are, from 0 to 1."""
        return self._made().ratio()

    def quick_ratio(self) -> float:
        """Return an upper bound of the ratio."""
        return self._made().quick_ratio()

    def find_longest_match(self) -> Any:
        """Return where the longest part is that both have."""
        return self._made().find_longest_match()

    def get_matching_blocks(self) -> list[Any]:
        """Return which parts both have."""
        return self._made().get_matching_blocks()

    def get_opcodes(self) -> list[Any]:
        """Return how to make the one of the other."""
        return self._made().get_opcodes()


DIFFLIB = {
    **{name: _comparing(getattr(difflib, name)) for name in ("unified_diff", "context_diff")},
    "get_close_matches": _close_matches,
    "SequenceMatcher": SequenceMatcher,
}


def pformat(value: Any, indent: int = 1, width: int = 80, depth: int | None = None, **options: Any) -> str:
    """``pprint.pformat``, of plain data; anything else is written in one line."""
    if indent > 16 or width > 1_000:
        raise Blocked("pformat: at most 16 characters of indent, and 1,000 of width")
    try:
        data = plain_copy(value)
    except SchemaError:
        return repr(value)
    ordered = {name: bool(options[name]) for name in ("compact", "sort_dicts", "underscore_numbers") if name in options}
    return pprint.pformat(data, indent, width, depth, **ordered)


def make_pprint(print_: Callable[..., None]) -> dict[str, Any]:
    """Return what ``pprint`` offers."""

    def pretty(value: Any, stream: None = None, *args: Any, **options: Any) -> None:  # noqa: ARG001
        print_(pformat(value, *args, **options))

    return {"pprint": pretty, "pp": pretty, "pformat": pformat}


def _leave(*_: Any) -> NoReturn:
    raise RuntimeError("sys.exit(): a turn ends with its cell's last line; put the rest under an `if`, or `raise`")


def _set_depth(_depth: int) -> None:
    """Do nothing: how deep a cell may go is the same for all."""


SYS = {
    "maxsize": sys.maxsize,
    "float_info": sys.float_info,
    "stdout": None,
    "stderr": None,
    "setrecursionlimit": _set_depth,
    "getrecursionlimit": lambda: MAX_DEPTH,
    "exit": _leave,
}
"""What ``sys`` offers: sizes, and what prints take; nothing of the process."""
