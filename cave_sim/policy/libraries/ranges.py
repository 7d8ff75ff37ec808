"""``range`` in a cell: a class to ask for, of which no object is longer than any loop."""

from __future__ import annotations

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.stand_ins import StandIn

MAX_RANGE = 10_000_000


class _BoundedRangeClass(StandIn):
    stands_for = range

    def __call__(self, *bounds: int) -> range:
        """``range``, refused where a loop over it could not end within any deadline."""
        numbers = range(*bounds)
        if len(numbers) > MAX_RANGE:
            raise Blocked(f"a range of {len(numbers):,} numbers; at most {MAX_RANGE:,} are counted")
        return numbers


class BoundedRange(metaclass=_BoundedRangeClass):
    """``range`` in a cell."""


BoundedRange.__name__ = "range"
