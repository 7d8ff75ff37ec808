"""The operators that could explode, as a cell's rewritten code calls them: each asks how large the result will be."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import fractions
import math
import operator
import re
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.formats import checked_width
from cave_sim.policy.libraries.numpy_arguments import settled
from cave_sim.policy.libraries.numpy_bounds import check_matmul
from cave_sim.policy.libraries.object_bounds import (
    check_formatted,
    check_multiplied,
    check_raised,
    check_shifted,
)
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.text_cleaning import without_addresses

MAX_SEQUENCE = 5_000_000
MAX_BITS = 20_000
MAX_DEGREE = 64
_ARRAYS = (np.ndarray, pd.DataFrame, pd.Series)
_POLYNOMIALS = (np.poly1d, np.polynomial.Polynomial)


def times(left: Any, right: Any) -> Any:
    """``left * right``, refused where it would repeat a sequence into millions."""
    if type(left) is not float and type(right) is not float:
        check_product(left, right)
    return left * right


def check_product(left: Any, right: Any) -> None:
    """Return if two things may be multiplied; raises Blocked."""
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > MAX_BITS:
            raise Blocked(f"an integer of more than {MAX_BITS:,} bits")
        return
    for one, other in ((left, right), (right, left)):
        if isinstance(one, _WHOLE) and isinstance(other, _SEQUENCES) and int(one) * len(other) > MAX_SEQUENCE:
            raise Blocked(f"a sequence of {int(one) * len(other):,} items; at most {MAX_SEQUENCE:,} can be made")
    check_multiplied("*", left, right)


def multiplied(numbers: Any, /, *, start: Any = 1) -> Any:
    """``math.prod``, refused where the result would have too many digits."""
    for number in numbers:
        start = times(start, number)
    return start


def lcm(*numbers: int) -> int:
    """``math.lcm``, refused where the result would have too many digits."""
    multiple = 1
    for number in numbers:
        check_product(multiple, number)
        multiple = math.lcm(multiple, number)
    return multiple


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


def other(one: Any, another: Any) -> bool:
    """``one is not other``, as :func:`same` has it."""
    return not same(one, another)


_EQUAL_IS_SAME = frozenset({str, int, bytes})
_SHOWN_IS_SAME = (
    *(float, complex, range, decimal.Decimal, fractions.Fraction, uuid.UUID, np.generic, pd.Period, pd.Interval),
    *(dt.date, dt.time, dt.timedelta, dt.timezone, zoneinfo.ZoneInfo),
)
_WHOLE = (int, np.integer)
_SEQUENCES = (str, bytes, bytearray, list, tuple, collections.deque)


def power(base: Any, exp: Any, mod: int | None = None) -> Any:
    """``base ** exp``, refused where the result would have too many digits."""
    if mod is not None and isinstance(exp, int) and exp.bit_length() <= MAX_BITS:
        return pow(base, exp, mod)
    check_power(base, exp)
    return base**exp if mod is None else pow(base, exp, mod)


def check_power(base: Any, exponent: Any) -> None:
    """Return if one thing may be raised to the power of another; raises Blocked."""
    check_raised("**", base, exponent)
    if isinstance(base, _POLYNOMIALS) and exponent > MAX_DEGREE:
        raise Blocked(f"a polynomial to the power of more than {MAX_DEGREE}")
    whole = isinstance(base, int) and isinstance(exponent, int) and exponent > 1
    if whole and base.bit_length() * exponent > MAX_BITS:
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")


def shift(left: Any, right: Any) -> Any:
    """``left << right``, refused where the result would have too many digits."""
    check_shift(left, right)
    return left << right


def check_shift(left: Any, right: Any) -> None:
    """Return if one thing may be shifted by another; raises Blocked."""
    check_shifted("<<", left, right)
    if isinstance(right, int) and right > MAX_BITS:
        raise Blocked(f"an integer of more than {MAX_BITS:,} bits")


def matmul(left: Any, right: Any) -> Any:
    """``left @ right``, refused where it would make a giant of two arrays."""
    if type(left) in OWN_CLASSES and hasattr(type(left), "__matmul__"):
        product = type(left).__matmul__(left, right)
        if product is not NotImplemented:
            return product
    if not isinstance(left, _ARRAYS) and not isinstance(right, _ARRAYS):
        return left @ right
    left, right = settled(left), settled(right)
    check_matmul(left, right)
    with one_thread(left, right):
        return left @ right


def matmul_in_place(left: Any, right: Any) -> Any:
    """``left @= right``, refused where it would make a giant of two arrays."""
    if type(left) in OWN_CLASSES and hasattr(type(left), "__imatmul__"):
        product = type(left).__imatmul__(left, right)
        if product is not NotImplemented:
            return product
    if type(left) is not np.ndarray:
        return matmul(left, right)
    right = settled(right)
    check_matmul(left, right)
    with one_thread(left, right):
        left @= right
    return left


def check_directives(left: Any) -> None:
    """Return if what stands left of a ``%`` makes no text wider than anyone reads; raises Blocked."""
    if isinstance(left, (str, bytes, bytearray)):
        for directive in _DIRECTIVE.findall(left if isinstance(left, str) else left.decode("latin-1")):
            if "*" in checked_width(directive):
                raise Blocked("a width taken from the values of a % format; use an f-string")
    else:
        check_formatted(left)


def modulo(left: Any, right: Any) -> Any:
    """``left % right``, refused where it would format a text wider than anyone reads."""
    check_directives(left)
    result = left % right
    return without_addresses(result) if type(result) is str else result


_DIRECTIVE = re.compile(r"%(?:\([^)]*\))?([-+ #0-9.*]*)")


def augment(operator_name: str, left: Any, right: Any) -> Any:
    """``left op= right``: what the target is bound to, by the name of the operator in a syntax tree."""
    plain = _CHECKED.get(operator_name)
    if plain is not None:
        plain(left, right)
    result = _IN_PLACE[operator_name](left, right)
    return without_addresses(result) if type(result) is str else result


_CHECKED: dict[str, Callable[[Any, Any], None]] = {
    "Mult": check_product,
    "Pow": check_power,
    "LShift": check_shift,
    "Mod": lambda left, _: check_directives(left),
}
_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "MatMult": matmul_in_place,
    "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod,
    "Pow": operator.ipow,
    "LShift": operator.ilshift,
    "RShift": operator.irshift,
    "BitAnd": operator.iand,
    "BitOr": operator.ior,
    "BitXor": operator.ixor,
}

IN_PLACE = {
    "iadd": "Add",
    "isub": "Sub",
    "imul": "Mult",
    "imatmul": "MatMult",
    "itruediv": "Div",
    "ifloordiv": "FloorDiv",
    "imod": "Mod",
    "ipow": "Pow",
    "ilshift": "LShift",
    "irshift": "RShift",
    "iand": "BitAnd",
    "ior": "BitOr",
    "ixor": "BitXor",
}
"""What the module ``operator`` calls an operation in place -> its name in a syntax tree."""
