"""``difflib`` in a cell: how texts and sequences differ, of those that take no longer than a moment."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class

MAX_COMPARED = 4_000_000
MAX_LINES = 300
"""Of each text whose lines are compared character by character, each with each and that again in what is between."""


def _comparing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of difflib, for texts that take no longer than a moment."""

    def compare(one: Any, other: Any, *args: Any, **options: Any) -> Any:
        check_compared(one, other)
        lines = function(one, other, *args, **options)
        return lines if isinstance(lines, list) else list(lines)

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
        self.a: Any = a
        self.b: Any = b
        self.autojunk: bool = autojunk

    def _matcher(self) -> difflib.SequenceMatcher[Any]:
        check_compared(self.a, self.b)
        return difflib.SequenceMatcher(None, self.a, self.b, self.autojunk)

    def ratio(self) -> float:
        """Return how alike they are, from 0 to 1."""
        return self._matcher().ratio()

    def quick_ratio(self) -> float:
        """Return an upper bound of the ratio."""
        return self._matcher().quick_ratio()

    def find_longest_match(self) -> Any:
        """Return where the longest part is that both have."""
        return self._matcher().find_longest_match()

    def get_matching_blocks(self) -> list[Any]:
        """Return which parts both have."""
        return self._matcher().get_matching_blocks()

    def get_opcodes(self) -> list[Any]:
        """Return how to make the one of the other."""
        return self._matcher().get_opcodes()


@kept_class()
class Differ:
    """``difflib.Differ``: the lines of two texts, with marks of which has them."""

    __slots__ = ()

    def compare(self, a: Any, b: Any) -> Iterator[str]:
        """Return the lines of both."""
        return _line_by_line(a, b)


def _line_by_line(a: Any, b: Any) -> Iterator[str]:
    one, other = list(a), list(b)
    for lines in (one, other):
        if not all(isinstance(line, str) for line in lines):
            raise TypeError("difflib compares texts line by line")
        if len(lines) > MAX_LINES:
            raise Blocked(f"ndiff compares at most {MAX_LINES} lines; use unified_diff")
    if sum(map(len, one)) * sum(map(len, other)) > MAX_COMPARED:
        raise Blocked(f"ndiff compares at most {MAX_COMPARED:,} pairs of characters; use unified_diff")
    return iter(list(difflib.ndiff(one, other)))


def _restore(delta: Any, which: int) -> Iterator[str]:
    return iter(list(difflib.restore(list(delta), which)))


DIFFLIB: dict[str, Any] = {
    "ndiff": _line_by_line,
    "restore": _restore,
    "Differ": Differ,
    **{name: _comparing(getattr(difflib, name)) for name in ("unified_diff", "context_diff")},
    "get_close_matches": _close_matches,
    "SequenceMatcher": SequenceMatcher,
}
"""What ``difflib`` offers."""
