"""``range`` in a cell: a class to ask for, of which no object is longer than any loop."""

from __future__ import annotations

from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.stand_ins import StandIn

MAX_RANGE = 10_000_000


class _BoundedRangeClass(StandIn):
    stands_for = range

    def __call__(self, *bounds: int) -> range:
        """``range``, refused where a call into C that goes through it could not end within any deadline."""
        numbers = range(*bounds)
        if numbers[MAX_RANGE:]:
            first, step = numbers.start, numbers.step
            count = (numbers[-1] - first) // step + 1  # len() knows none that large
            raise Blocked(
                f"a range of {count:,} numbers; at most {MAX_RANGE:,} are counted, or go through it in a for loop"
            )
        return numbers


class BoundedRange(metaclass=_BoundedRangeClass):
    """``range`` in a cell."""


BoundedRange.__name__ = "range"


def looped(function: Any, *bounds: Any) -> Any:
    """What a loop of a cell goes through that is written over a ``range``: its ticks end it, however long it is."""
    return range(*bounds) if function is BoundedRange else function(*bounds)
