"""The operators that could explode, as a cell's rewritten code calls them: each asks how large the result will be."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import fractions
import re
import uuid
import zoneinfo
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.formats import checked_width
from cave_sim.policy.libraries.numpy_bounds import check_matmul
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.text_cleaning import without_addresses

MAX_SEQUENCE = 5_000_000
MAX_BITS = 20_000


def times(left: Any, right: Any) -> Any:
    """``left * right``, refused where it would repeat a sequence into millions."""
    if type(left) is not float and type(right) is not float:
        check_product(left, right)
    return left * right


def check_product(left: Any, right: Any) -> None:
    """Return if two things may be multiplied; raises Blocked."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, _WHOLE) and isinstance(other, _SEQUENCES) and int(one) * len(other) > MAX_SEQUENCE:
            raise Blocked(f"a sequence of {int(one) * len(other):,} items; at most {MAX_SEQUENCE:,} can be made")
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > MAX_BITS:
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")


def same(one: Any, other: Any) -> bool:
    """``one is other``; of numbers, texts and dates, which have no identity once they were kept, whether they agree."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _EQUAL_IS_SAME:
        return bool(one == other)
    if kind is re.Pattern:
        return bool(one.pattern == other.pattern and one.flags == other.flags)
    return isinstance(one, _SHOWN_IS_SAME) and repr(one) == repr(other)


_EQUAL_IS_SAME = frozenset({str, int, bytes})
_SHOWN_IS_SAME = (
    *(float, complex, range, decimal.Decimal, fractions.Fraction, uuid.UUID, np.generic, pd.Period, pd.Interval),
    *(dt.date, dt.time, dt.timedelta, dt.timezone, zoneinfo.ZoneInfo),
)
_WHOLE = (int, np.integer)
_SEQUENCES = (str, bytes, list, tuple, collections.deque)


def power(base: Any, exponent: Any, modulus: int | None = None) -> Any:
    """``base ** exponent``, refused where the result would have too many digits."""
    whole = isinstance(base, int) and isinstance(exponent, int) and exponent > 1
    if whole and base.bit_length() * exponent > MAX_BITS and (modulus is None or exponent.bit_length() > MAX_BITS):
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")
    return base**exponent if modulus is None else pow(base, exponent, modulus)


def shift(left: Any, right: Any) -> Any:
    """``left << right``, refused where the result would have too many digits."""
    if isinstance(right, int) and right > MAX_BITS:
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")
    return left << right


def matmul(left: Any, right: Any) -> Any:
    """``left @ right``, refused where it would make a giant of two arrays."""
    check_matmul(left, right)
    with one_thread(left, right):
        return left @ right


def check_directives(left: Any) -> None:
    """Return if what stands left of a ``%`` makes no text wider than anyone reads; raises Blocked."""
    if isinstance(left, (str, bytes)):
        for directive in _DIRECTIVE.findall(left if isinstance(left, str) else left.decode("latin-1")):
            if "*" in checked_width(directive):
                raise Blocked("a width taken from the values of a % format; use an f-string")


def modulo(left: Any, right: Any) -> Any:
    """``left % right``, refused where it would format a text wider than anyone reads."""
    check_directives(left)
    made = left % right
    return without_addresses(made) if type(made) is str else made


_DIRECTIVE = re.compile(r"%(?:\([^)]*\))?([-+ #0-9.*]*)")


def exponent(left: Any, value: Any) -> Any:
    """The right side of ``left **= value`` and ``left <<= value``."""
    if isinstance(value, int) and value > 1 and (left.bit_length() if isinstance(left, int) else 1) * value > MAX_BITS:
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")
    return value


def factor(left: Any, value: Any) -> Any:
    """The right side of ``left *= value``."""
    check_product(left, value)
    return value


def divisor(left: Any, value: Any) -> Any:
    """The right side of ``left %= value``."""
    check_directives(left)
    return value
