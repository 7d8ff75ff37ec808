"""Ticks: what the code of a turn may do before it is stopped, and how deep its calls may go; the same on every machine.

Each step of a loop and each call of a cell's function takes one. How deep calls are is looked at when one function of
many begins, and at each where the end is near. What Python itself counts is no measure: calls of C are in it or not, by
how often their line ran in this process, so that one cell would end here and land there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from types import FrameType
from typing import Any

from cave_sim.runtime.depth import MAX_CALLS_DEEP, TOO_DEEP

_AT_ONCE = ((MAX_CALLS_DEEP // 4, 256), (MAX_CALLS_DEEP * 3 // 4, 64), (MAX_CALLS_DEEP, 1))
"""How many functions may begin unasked where calls are no deeper than so many frames."""
_OF_OURS = 3  # frames of the functions below that look

TICK_GUARDS = ("_tick_", "_enter_")
"""What the gate puts into code: the first where it repeats or goes on, the second where a function begins."""
TickGuards = dict[str, Callable[[], Any]]
"""What is called by these names."""


class Ticks:
    """Those of one turn, and of the turns inside it.

    Args:
        count: how many there are.
        bases: the frames from which cells are run, the innermost one last.
        before: of a turn that is over; what no function of it asked is taken over, which saves the most of the cost.

    Attributes:
        guards: what takes one.
        unasked: the ticks, as long as no function has begun; empty from then on.
    """

    __slots__ = ("_left", "guards", "unasked")

    def __init__(self, count: int, bases: list[FrameType], before: Ticks | None = None) -> None:
        self._left = repeat(None, count)
        if before is not None and before.unasked:
            unasked, enter = before.unasked, before.guards["_enter_"]
            unasked[0] = self._left
        else:
            unasked = [self._left]
            enter = chain.from_iterable(_entries(unasked, bases)).__next__
        self.unasked: list[repeat[None]] = unasked
        self.guards: TickGuards = {"_tick_": self._left.__next__, "_enter_": enter}

    @property
    def are_spent(self) -> bool:
        """Whether none is left."""
        return not self._left.__length_hint__()


def _entries(unasked: list[repeat[None]], bases: list[FrameType]) -> Iterator[Iterator[None]]:
    """Yield ticks for the next functions that begin, and what refuses one where calls are too deep for it."""
    left = unasked.pop()
    yield islice(left, _AT_ONCE[0][1])
    while left.__length_hint__():
        shallow = (count for depth, count in _AT_ONCE if not bases or not _is_deep(bases[-1], depth))
        count = next(shallow, 0)
        yield islice(left, count) if count else map(_refuse, (None,))


def _is_deep(base: FrameType, depth: int) -> bool:
    """Say whether there are more frames than so many above one. Where the whole stack has fewer, C finds that out."""
    try:
        frame: FrameType | None = sys._getframe(depth + _OF_OURS)
    except ValueError:
        return False
    while frame is not None and frame is not base:
        frame = frame.f_back
    return frame is base


def _refuse(_: None) -> None:
    raise RecursionError(TOO_DEEP)
