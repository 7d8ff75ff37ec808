"""How large an array may become: asked of the arguments, before memory is asked for."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.array_texts import clean_texts
from cave_sim.policy.libraries.numpy_arguments import in_order, leading_names, settled
from cave_sim.policy.libraries.numpy_dates import DateClass, check_beside_dates
from cave_sim.policy.libraries.object_bounds import MAX_BITS, check_combined, items_of

MAX_ARRAY_ITEMS = 10_000_000
MAX_LISTED_ITEMS = 2_000_000
MAX_ITEM_BYTES = 256
MAX_MATRIX_ITEMS = 250_000
MAX_PRODUCTS = 10**9
MAX_PIECES = 100_000
_COLUMNS = "keep columns in a pd.DataFrame, or in a dict of arrays"
_INSTEAD_OF = {
    "V": _COLUMNS,
    "T": "take str, or object for texts of very different lengths",
    **dict.fromkeys("gG", "they differ from machine to machine; take float or complex"),
}
"""Kind of items, or what they are called in short -> what cells take instead of an array of them."""
_NESTED = (list, tuple, np.ndarray)


def check_items(count: Any, title: str, limit: int = MAX_ARRAY_ITEMS) -> None:
    """Return if an array of so many items may be made; raises Blocked."""
    if count > limit:
        raise Blocked(f"{title}: an array of more than {limit:,} items")


def check_listed(value: Any, title: str) -> int:
    """Return how many items lists of lists come to, written out; raises Blocked before there are too many."""
    if isinstance(value, np.ndarray):
        return value.size
    total = 0
    for each in value:
        if type(each) is int and each.bit_length() > MAX_BITS:
            raise Blocked(f"{title}: an integer of more than {MAX_BITS:,} bits")
        total += check_listed(each, title) if isinstance(each, _NESTED) else 1
        check_items(total, title, MAX_ARRAY_ITEMS if total <= len(value) else MAX_LISTED_ITEMS)
    return total


def check_dtype(dtype: Any, title: str) -> Any:
    """Return the type of items that is asked for, read once, if cells may make arrays of it; raises Blocked.

    What is returned is to be handed on: an object of a cell could name another type when it is asked again.
    """
    if dtype is None:
        return None
    item_type = np.dtype(np.datetime64 if dtype is DateClass else dtype)
    instead = _COLUMNS if item_type.names else _INSTEAD_OF.get(item_type.kind) or _INSTEAD_OF.get(item_type.char)
    if instead:
        raise Blocked(f"{title}: arrays of {item_type} are not for cells; {instead}")
    if item_type.itemsize > MAX_ITEM_BYTES:
        raise Blocked(f"{title}: items of more than {MAX_ITEM_BYTES} bytes")
    return item_type


def bounded(function: Callable[..., Any], size: Callable[..., Any] | None, dtype_at: int | None) -> Callable[..., Any]:
    """Return a function of numpy for cells.

    Args:
        function: the original.
        size: tells from its arguments how many items it makes or goes through; None where that is what it is given.
        dtype_at: the place of the argument that says of which type.
    """
    title = function.__name__

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if type(value) is bytearray:  # of which numpy would make a window, and no copy
                raise Blocked(f"{title}() of a bytearray: take list(data)")
            if type(value) in (list, tuple):
                check_listed(value, title)
        args, kwargs = in_order(leading_names(function, size), args, kwargs)
        if dtype_at is not None and len(args) > dtype_at:
            dtype = check_dtype(args[dtype_at], title)
            args = (*args[:dtype_at], dtype, *args[dtype_at + 1 :])
        elif "dtype" in kwargs:
            kwargs["dtype"] = check_dtype(kwargs["dtype"], title)
        check_beside_dates(title, args, kwargs)
        if size is not None:
            check_items(size(*args, **kwargs), title)
        objects = items_of((*args, *kwargs.values()))
        result = clean_texts(function(*args, **kwargs), kwargs.get("out"))
        del objects
        return result

    return call


def product(shape: Any, *_: Any, **__: Any) -> Any:
    """Return how many items an array of a shape has."""
    return math.prod(map(int, np.atleast_1d(shape)))


def together(*values: Any, **_: Any) -> Any:
    """Return how many items come out where arrays are stretched to one shape."""
    shapes = [np.shape(value)[::-1] for value in values]
    return math.prod(max(sizes) for sizes in zip_longest(*shapes, fillvalue=1))


def check_matmul(left: Any, right: Any) -> None:
    """Return if two arrays may be multiplied as matrices; raises Blocked."""
    one, other = np.shape(left), np.shape(right)
    rows, columns = math.prod(one[:-1]), math.prod((*other[:-2], *other[-1:])) if len(other) > 1 else 1
    check_items(rows * columns, "a product of matrices")
    check_combined("a product of matrices", left, right)
    if rows * columns * (one[-1] if one else 1) > MAX_PRODUCTS:
        raise Blocked(f"a product of matrices that takes more than {MAX_PRODUCTS:,} multiplications")


def multiplying(function: Callable[..., Any]) -> Callable[..., Any]:
    """``np.dot`` and ``np.matmul``, bounded as ``@`` is."""

    @functools.wraps(function)
    def call(a: Any, b: Any) -> Any:
        left, right = settled(a), settled(b)
        check_matmul(left, right)
        return function(left, right)

    return call


def linear(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ``np.linalg``, for matrices that take no longer than a moment."""

    @functools.wraps(function)
    def call(*arrays: Any, **options: Any) -> Any:
        arrays, options = in_order((), arrays, options)
        given = (*arrays, *options.values())
        for each in given:
            if np.ndim(each) > 1:
                check_combined(function.__name__, each, times=_times(given))
                check_items(np.size(each), function.__name__, MAX_MATRIX_ITEMS)
        return function(*arrays, **options)

    return call


def _times(arrays: tuple[Any, ...]) -> int:
    """Return to which power a matrix is raised; 2 where it is not."""
    return max(2, *(abs(each) for each in arrays if type(each) is int), 2)
