"""How deep the calls of a cell may go: as deep wherever it runs, however deep whoever called the world was."""

from __future__ import annotations

import re
import sys
from types import TracebackType

MAX_CALLS_DEEP = 900
"""As deep as plain Python lets calls go, give or take the frames of who runs it."""

_CONTEXT = vars(BaseException)["__context__"]  # as Python keeps it, whatever the class of a cell's error says
_DEPTH = re.compile(r"recursion depth (\d+)")


class DepthLimit:
    """A context in which calls go no deeper than a cell's may; used once."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(_depth() + MAX_CALLS_DEEP)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        sys.setrecursionlimit(self._before)


def was_too_deep(error: BaseException) -> bool:
    """Say whether calls that went too deep led to an error.

    Python counts a call of C as one more or not, by how often its line ran in this process. So the last levels that
    such a turn reached differ between hosts and runs of one cell, and what it did there is nothing to keep.
    """
    behind: BaseException | None = error
    for _ in range(MAX_CALLS_DEEP):
        if behind is None or issubclass(type(behind), RecursionError):
            return behind is not None
        behind = _CONTEXT.__get__(behind)
    return False


def _depth() -> int:
    """Return how deep Python counts itself: frames, and calls of C into Python where those count, too.

    It tells when it is asked for a limit that is too low. Frames alone would not do: hosts differ in calls of C.
    """
    try:
        sys.setrecursionlimit(1)
    except RecursionError as error:
        if found := _DEPTH.search(str(error)):
            return int(found[1])
    raise RuntimeError("this Python does not tell how deep it is")
