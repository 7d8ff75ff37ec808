"""Functions of numpy that change an array which they are given: numbers by numbers.

An array of objects may be changed by what its own items do while numpy goes through it, so none of these takes one.
Arrays of the world are read-only in a cell, whichever function is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.numpy_arguments import check_turns, in_order, leading_names, settled
from cave_sim.policy.libraries.numpy_bounds import check_listed

_NUMBERS = frozenset("biufc")


def check_numbers(title: str, array: Any, values: Any) -> None:
    """Return if an array is one of numbers that may be written, and numbers are put into it.

    Raises:
        Blocked: one of both is something else.
        ValueError: it is for reading, as those of the world are.
    """
    if isinstance(values, (list, tuple)):
        check_listed(values, title)
    kinds = {array.dtype.kind if isinstance(array, np.ndarray) else "no array", np.asarray(values).dtype.kind}
    if kinds - _NUMBERS:
        raise Blocked(f"np.{title} changes an array of numbers by numbers")
    if not array.flags.writeable:  # which numpy's own `at` of its functions does not ask
        raise ValueError("assignment destination is read-only")


def _changing(name: str, values_at: int) -> Callable[..., None]:
    """Return a function that changes its first argument.

    Args:
        name: of the function in numpy.
        values_at: the place of the argument that is put into the array.
    """
    function = getattr(np, name)

    @wraps(function)
    def change(*args: Any, **options: Any) -> None:
        args, options = in_order(leading_names(function, None), args, options)
        if len(args) <= values_at:
            raise TypeError(f"np.{name} needs its first {values_at + 1} arguments, in their places")
        check_numbers(name, args[0], args[values_at])
        if name == "put":
            check_turns(name, args[0].size, args[1], options.get("mode", args[3] if len(args) > 3 else "raise"))
        function(*args, **options)

    return change


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """``np.fill_diagonal``."""
    value = settled(val)
    check_numbers("fill_diagonal", a, value)
    np.fill_diagonal(a, value, bool(wrap))


IN_PLACE: dict[str, Callable[..., None]] = {
    "copyto": _changing("copyto", 1),
    "fill_diagonal": _fill_diagonal,
    "place": _changing("place", 2),
    "put": _changing("put", 2),
    "put_along_axis": _changing("put_along_axis", 2),
    "putmask": _changing("putmask", 2),
}
"""What changes an array in place."""


def flat(array: Any, _name: str) -> Any:
    """``array.flat``: its items in one row; where they do not lie in one, of a copy, which is not for writing."""
    row = array.reshape(-1)
    if row.size and not np.may_share_memory(row, array):
        row.flags.writeable = False
    return row
