"""``range`` in a cell: a class to ask for, of which no object is longer than any loop."""

from __future__ import annotations

from typing import Any

from cave_sim.errors import Blocked

MAX_RANGE = 10_000_000


class _BoundedRangeClass(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return type(value) is range

    def __call__(cls, *bounds: int) -> range:
        """``range``, refused where a loop over it could not end within any deadline."""
        found = range(*bounds)
        if len(found) > MAX_RANGE:
            raise Blocked(f"a range of {len(found):,} numbers; at most {MAX_RANGE:,} are counted")
        return found

    def __repr__(cls) -> str:
        return "<class 'range'>"


class BoundedRange(metaclass=_BoundedRangeClass):
    """``range`` in a cell."""


BoundedRange.__name__ = "range"
