"""Numbers and findings in words."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context

DIGITS = 4


def number(value: float) -> str:
    """Return a number as Python and people read it: a whole one without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def rounded(value: float, *, up: bool) -> float:
    """Return a number of few digits that is not below, or not above, another one."""
    return float(Context(prec=DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR).create_decimal(repr(float(value))))
