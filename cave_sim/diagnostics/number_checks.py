"""Which numbers an argument may be: NaN passes every comparison with a bound, and a truth value is an int to Python."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any


def is_number(value: Any) -> bool:
    """Say whether it is a number that a float can be, numpy's included, and no truth value."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_count(value: Any) -> bool:
    """Say whether it is a whole number of at least 0, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
