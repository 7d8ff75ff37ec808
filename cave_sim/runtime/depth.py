"""How deep the calls of a cell may go: as deep wherever it runs, however deep whoever called the world was."""

from __future__ import annotations

import re
import sys
from types import FrameType, TracebackType

MAX_CALLS_DEEP = 900
"""As deep as plain Python lets calls go, give or take the frames of who runs it."""
TOO_DEEP = f"maximum recursion depth exceeded; calls go {MAX_CALLS_DEEP} deep at most: use a loop"
"""What a cell is told whose calls went deeper."""

_COUNTED = 3 * MAX_CALLS_DEEP
"""Where Python's own count ends them: a call by way of C counts as up to three, and sorts in sorts fit the stack."""

_CONTEXT = vars(BaseException)["__context__"]  # as Python keeps it, whatever the class of a cell's error says
_ARGS = vars(BaseException)["args"]
_DEPTH = re.compile(r"recursion depth (\d+)")


class DepthLimit:
    """A context in which calls go no deeper than a cell's may; used once.

    The functions of cells ask for themselves (:mod:`cave_sim.runtime.ticks`); Python's count, which is not the same in
    every process, ends what calls itself in C alone.

    Args:
        bases: where the frame that runs the cell is put meanwhile.
    """

    __slots__ = ("_bases", "_before")

    def __init__(self, bases: list[FrameType]) -> None:
        self._bases = bases

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        self._bases.append(sys._getframe(1))
        sys.setrecursionlimit(_depth() + _COUNTED)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        sys.setrecursionlimit(self._before)
        self._bases.pop()


def was_too_deep(error: BaseException) -> bool:
    """Say whether it was by Python's own count that calls which led to an error went too deep.

    Python counts a call of C as one more or not, by how often its line ran in this process. So the last levels that
    such a turn reached differ between hosts and runs of one cell, and what it did there is nothing to keep.
    """
    behind: BaseException | None = error
    for _ in range(_COUNTED):
        if behind is None:
            return False
        if issubclass(type(behind), RecursionError) and _ARGS.__get__(behind) != (TOO_DEEP,):
            return True
        behind = _CONTEXT.__get__(behind)
    return False


def _depth() -> int:
    """Return how deep Python counts itself: frames, and calls of C into Python where those count, too.

    It tells when it is asked for a limit that is too low. Frames alone would not do: hosts differ in calls of C.
    """
    try:
        sys.setrecursionlimit(1)
    except RecursionError as error:
        if match := _DEPTH.search(str(error)):
            return int(match[1])
    raise RuntimeError("this Python does not tell how deep it is")
