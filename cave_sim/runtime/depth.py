"""How deep the calls of a cell may go: as deep wherever it runs, however deep whoever called the world was."""

from __future__ import annotations

import sys
from types import TracebackType

MAX_CALLS_DEEP = 900
"""As deep as plain Python lets calls go, give or take the frames of who runs it."""

_known = [0]
"""How deep it was last time; threads may overwrite each other's, which costs them a search."""


class DepthLimit:
    """A context in which calls go no deeper than a cell's may; used once."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(_depth() + MAX_CALLS_DEEP)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        sys.setrecursionlimit(self._before)


def _depth() -> int:
    """Return how many frames there are: mostly as many as last time; else found by halving, by calls into C."""
    known = _known[0]
    if _reaches(known) and not _reaches(known + 1):
        return known
    low, high = 0, 64
    while _reaches(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _reaches(middle) else (low, middle)
    _known[0] = low
    return low


def _reaches(frames: int) -> bool:
    try:
        sys._getframe(frames)
    except ValueError:
        return False
    return True
