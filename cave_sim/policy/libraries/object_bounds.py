"""How large numbers and texts become in arrays and columns of Python's own objects: asked of the items beforehand.

numpy and pandas compute there as Python does, one item after the other, in one call that nothing can interrupt:
integers grow without end, and a text times a number is that many texts. What is small stays allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.formats import checked_width

MAX_BITS = 20_000
MAX_TOTAL_CHARS = 20_000_000
_NUMBERS = (int, float)
_FIXED_BITS = 63
_SEQUENCES = (str, bytes, bytearray, list, tuple)


class Extent(NamedTuple):
    """What matters of the items of a value.

    Attributes:
        size: how many there are.
        bits: of the largest integer among them.
        all_bits: of all of them together, but those that change nothing in a product.
        largest: the largest integer.
        longest: the length of the longest text or list.
        length: of all of them together.
    """

    size: int = 1
    bits: int = 0
    all_bits: int = 0
    largest: int = 0
    longest: int = 0
    length: int = 0


def holds_objects(value: Any) -> bool:
    """Say whether a value is an array or a column of Python's own objects, or a table with one."""
    if type(value) in _NUMBERS:
        return False
    if isinstance(value, pd.DataFrame):
        return any(dtype.kind == "O" for dtype in value.dtypes)
    return getattr(getattr(value, "dtype", None), "kind", None) == "O"


def items_of(values: Iterable[Any]) -> list[Any]:
    """Return the objects in arrays and columns, for as long as they are compared.

    numpy borrows what it compares. A cell's ``__lt__`` that writes into the array meanwhile would free it, and numpy go
    on with memory that is somebody else's by then.
    """
    return [list(_items(value)) for value in values if holds_objects(value)]


def measure(value: Any) -> Extent:
    """Return what matters of a value: of an array each item, of anything else the thing itself."""
    items = list(_items(value))
    whole = [abs(int(item)) for item in items if isinstance(item, (int, np.integer))]
    lengths = [len(item) for item in items if isinstance(item, _SEQUENCES)]
    return Extent(
        max(1, len(items)),
        max((number.bit_length() for number in whole), default=0),
        sum(number.bit_length() for number in whole if number > 1),
        max(whole, default=0),
        max(lengths, default=0),
        sum(lengths),
    )


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, pd.DataFrame):
        for at in range(value.shape[1]):
            yield from _items(value.iloc[:, at])
    elif isinstance(value, np.ndarray) and value.dtype.kind != "O":
        yield from (value.min().item(), value.max().item()) if value.dtype.kind in "iu" and value.size else ()
        yield from (1,) * max(0, value.size - 2)
    elif hasattr(value, "dtype"):
        for item in np.asarray(value, dtype=object).ravel().tolist():
            if isinstance(item, np.ndarray):
                yield from _items(item)
            else:
                yield item
    else:
        yield value


def check_multiplied(title: str, left: Any, right: Any) -> None:
    """Return if two values may be multiplied item by item; raises Blocked."""
    if holds_objects(left) or holds_objects(right):
        one, other = measure(left), measure(right)
        _check_bits(title, one.bits + other.bits)
        pairs = one.size * other.size if one.size != other.size else one.size
        for texts, numbers in ((one, other), (other, one)):
            _check_length(title, texts.length * numbers.largest * math.ceil(pairs / texts.size))


def check_raised(title: str, base: Any, exponent: Any) -> None:
    """Return if one value may be raised to the power of another item by item; raises Blocked."""
    if holds_objects(base) or holds_objects(exponent):
        bits = measure(base).bits
        _check_bits(title, bits * measure(exponent).largest if bits > 1 else 0)


def check_shifted(title: str, left: Any, right: Any) -> None:
    """Return if one value may be shifted by another item by item; raises Blocked."""
    if holds_objects(left) or holds_objects(right):
        _check_bits(title, measure(left).bits + measure(right).largest)


def check_product(title: str, *values: Any) -> None:
    """Return if all items of values may be multiplied with one another; raises Blocked."""
    sizes = [measure(value) for value in values if holds_objects(value)]
    bits = sum(each.all_bits for each in sizes)
    _check_bits(title, bits)
    if any(each.longest for each in sizes):
        _check_length(title, sum(each.length for each in sizes) << min(bits, 64))


def check_summed(title: str, *values: Any) -> None:
    """Return if items of values may be added up with every step kept; raises Blocked."""
    for value in values:
        if holds_objects(value):
            extent = measure(value)
            _check_bits(title, extent.bits)
            _check_length(title, extent.length * extent.size)


def check_combined(title: str, *values: Any, times: int = 2) -> None:
    """Return if so many items of values may be multiplied and added up, as matrices are; raises Blocked."""
    sizes = [measure(value) for value in values if holds_objects(value)]
    if sizes:
        _check_bits(title, times * max(each.bits for each in sizes))
        _check_length(title, sum(each.length for each in sizes) * max(each.largest for each in sizes))


def check_formatted(value: Any) -> None:
    """Return if no text of an array asks for a width that nobody reads, where ``%`` takes each as a format."""
    if holds_objects(value):
        for item in _items(value):
            if isinstance(item, str) and "%" in item and "*" in checked_width(item):
                raise Blocked("a width taken from the values of a % format; use an f-string")


def _check_bits(title: str, bits: int) -> None:
    if bits > MAX_BITS:
        raise Blocked(f"{title}: an integer of more than {MAX_BITS:,} bits; take floats, as with astype(float)")


def _check_length(title: str, length: int) -> None:
    if length > MAX_TOTAL_CHARS:
        raise Blocked(f"{title}: texts of more than {MAX_TOTAL_CHARS:,} characters together")


Check = Callable[..., None]
_BY_NAME: dict[str, Check] = {
    **dict.fromkeys(("power", "float_power", "pow"), check_raised),
    "rpow": lambda title, exponent, base: check_raised(title, base, exponent),
    **dict.fromkeys(("multiply", "mul", "rmul", "lcm"), check_multiplied),
    "square": lambda title, value: check_multiplied(title, value, value),
    "left_shift": check_shifted,
    **dict.fromkeys(("prod", "cumprod", "nanprod", "nancumprod", "cumulative_prod"), check_product),
    **dict.fromkeys(("cumsum", "nancumsum", "cumulative_sum"), check_summed),
    **dict.fromkeys(("mod", "remainder", "fmod"), lambda _title, left, _right: check_formatted(left)),
    **dict.fromkeys(
        (
            "dot matmul inner outer vdot vecdot cross kron convolve correlate polymul polydiv tensordot einsum var std "
            "cov corrcoef"
        ).split(),
        check_combined,
    ),
    **dict.fromkeys(
        ("polyval", "vander", "matrix_power", "poly"),
        lambda title, *values: check_combined(title, *values, times=_most(values)),
    ),
}
"""What is asked before a function or method of a name computes."""
_BINARY = frozenset("power float_power pow rpow multiply mul rmul lcm left_shift mod remainder fmod".split())
EXPLODING = frozenset(_BY_NAME)
"""Names of functions and methods that are asked."""


def _most(values: Iterable[Any]) -> int:
    """Return how often an item may be multiplied with itself: as often as there are items, or as a number says."""
    return max(each if type(each) is int else np.size(each) for each in values)


def check_call(name: str, *args: Any) -> None:
    """Return if a function or method of a name may compute with what it is given; raises Blocked."""
    given = [np.asarray(each) if _becomes_an_array(each) else each for each in args]
    if not any(map(holds_objects, given)):
        return
    if name in _BINARY:
        given = given[:2] if len(given) > 1 else given * 2
    elif name == "square":
        given = given[:1]
    _BY_NAME[name](name, *given)


def _becomes_an_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (type(value) is int and value.bit_length() > _FIXED_BITS)


def asking(holder: Any, name: str) -> Callable[..., Any]:
    """Return a method of a table or a column that asks first; of groups, of what they are parts of."""
    method = getattr(holder, name)
    whole = getattr(holder, "obj", holder)

    def call(*args: Any, **options: Any) -> Any:
        check_call(name, whole, *args, *(options[key] for key in ("other",) if key in options))
        return method(*args, **options)

    return call


def holding(holder: Any, name: str) -> Callable[..., Any]:
    """Return a method that compares items one by one, and holds them meanwhile."""
    method = getattr(holder, name)
    whole = getattr(holder, "obj", holder)

    def call(*args: Any, **options: Any) -> Any:
        objects = items_of((whole, *args, *options.values()))
        result = method(*args, **options)
        del objects
        return result

    return call


COMPARING = ("argmax", "argmin", "idxmax", "idxmin", "clip")
"""Methods of arrays and tables in which numpy borrows what it compares."""


def check_named(table: Any, wanted: Any) -> None:
    """Return if a table's columns may be aggregated by what has these names; raises Blocked."""
    names = [wanted] if type(wanted) is str else [*wanted.values()] if type(wanted) is dict else wanted
    for name in names if type(names) in (list, tuple) else ():
        if type(name) is str and name in EXPLODING:
            check_call(name, getattr(table, "obj", table))
        elif type(name) in (list, tuple, dict):
            check_named(table, name)
