"""``fractions`` in a cell: exact numbers, whose numerators and denominators are bounded as every int is."""

from __future__ import annotations

import fractions
import re
from collections.abc import Callable
from numbers import Rational
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.decimals import MAX_BITS, MAX_EXPONENT, own_decimal

MAX_WRITTEN_CHARS = 6_100
_EXPONENT = re.compile(r"[eE]([-+]?\d+(?:_\d+)*)")


class Fraction(fractions.Fraction):
    """``fractions.Fraction`` in a cell: whatever is computed of it is one again, and bounded."""

    __slots__ = ()

    def __new__(cls, numerator: Any = 0, denominator: Any = None) -> Fraction:
        """Return the number that two whole numbers, a text, a float or a Decimal mean."""
        if isinstance(numerator, str):
            exponent = _EXPONENT.search(numerator)
            if len(numerator) > MAX_WRITTEN_CHARS or (exponent and abs(int(exponent[1])) > MAX_EXPONENT):
                raise Blocked(f"Fraction({numerator!r:.60}): more than {MAX_BITS:,} bits")
        numerator = own_decimal(numerator)
        for part in (numerator, denominator):
            if isinstance(part, Rational):
                _check_bits(part)
        number = super().__new__(cls, numerator, denominator)
        _check_bits(number)
        return number


def _bits(number: Rational) -> int:
    return max(int(number.numerator).bit_length(), int(number.denominator).bit_length())


def _check_bits(number: Rational) -> None:
    if _bits(number) > MAX_BITS:
        raise Blocked(f"a Fraction of more than {MAX_BITS:,} bits")


def own_number(value: Any) -> Any:
    """Return an exact number as cells have it, and anything else as it is."""
    return Fraction(value) if type(value) is fractions.Fraction else own_decimal(value)


def _computed(name: str) -> Callable[..., Any]:
    operation = getattr(fractions.Fraction, name)

    def compute(self: Any, *others: Any) -> Any:
        result = operation(self, *others)
        if type(result) is tuple:
            return tuple(map(own_number, result))
        return own_number(result)

    compute.__name__ = name
    return compute


def _power(self: Fraction, exponent: Any) -> Any:
    check_power(self, exponent)
    return own_number(fractions.Fraction.__pow__(self, exponent))


def _reflected_power(self: Fraction, base: Any) -> Any:
    check_power(base, self)
    if isinstance(base, Rational) and self.denominator == 1 and self.numerator >= 0:
        return base**self.numerator
    if isinstance(base, Rational):  # Python would ask this method again, for the left one is of the wider class
        return _power(Fraction(base), self)
    return own_number(fractions.Fraction.__rpow__(self, base))


def check_power(base: Any, exponent: Any) -> None:
    """Return if a power of exact numbers is small enough to be computed; raises Blocked."""
    if isinstance(base, Rational) and isinstance(exponent, Rational) and exponent.denominator == 1:
        size = _bits(base)
        if size > 1 and size * abs(int(exponent.numerator)) > MAX_BITS:
            raise Blocked(f"a power of more than {MAX_BITS:,} bits")


_OPERATIONS = (
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ "
    "__rmod__ __divmod__ __rdivmod__ __neg__ __pos__ __abs__ __round__ limit_denominator"
)
for _name in _OPERATIONS.split():
    setattr(Fraction, _name, _computed(_name))
Fraction.__module__ = fractions.Fraction.__module__  # as `type(share)` shows it
Fraction.__pow__ = _power  # type: ignore[method-assign, assignment]
Fraction.__rpow__ = _reflected_power  # type: ignore[method-assign, assignment]

METHODS = frozenset("numerator denominator limit_denominator as_integer_ratio is_integer real imag conjugate".split())
"""What a cell may read on a Fraction."""


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of statistics that cannot be kept busy by denominators which have nothing in common."""

    def compute(*samples: Any, **options: Any) -> Any:
        samples = tuple(map(_listed, samples))
        options = {name: _listed(each) for name, each in options.items()}
        for sample in (*samples, *options.values()):
            bits = sum(_bits(each) for each in sample if isinstance(each, Fraction)) if type(sample) is list else 0
            if bits > MAX_BITS:
                raise Blocked(f"{function.__name__}: Fractions of more than {MAX_BITS:,} bits together")
        return own_number(function(*samples, **options))

    compute.__name__ = function.__name__
    return compute


def _listed(sample: Any) -> Any:
    return list(sample) if hasattr(sample, "__iter__") and not isinstance(sample, str) else sample
