"""What pandas hands to Arrow, in which it keeps texts where that is installed: plain values alone, while a cell runs.

Arrow runs code of a cell's class where it converts an object, from C++ that has no answer to an error whose text is an
error again, nor to a list a hundred thousand deep: the process ends by a fault. It could make nothing of such an object
anyway, so that what pandas is told is what Arrow would have said.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from cave_sim.policy.libraries.cell_classes import OWN_CLASSES

MAX_DEPTH = 60
_CONTAINERS = (list, tuple, dict, set, frozenset)


def foreign_in(value: Any, depth: int = 0) -> str | None:
    """Name the type of what Arrow must not be handed, an object of a cell or a list too deep; None if all is well."""
    if type(value) in OWN_CLASSES:
        return type(value).__name__
    if isinstance(value, np.ndarray):
        items: Any = value.ravel() if value.dtype.kind == "O" else ()
    elif isinstance(value, dict):
        items = (*value, *value.values())
    else:
        items = value if type(value) in _CONTAINERS else ()
    kinds: dict[type, None] = dict.fromkeys(map(type, items))
    if not any(kind in OWN_CLASSES or issubclass(kind, (*_CONTAINERS, np.ndarray)) for kind in kinds):
        return None
    if depth == MAX_DEPTH:
        return type(value).__name__
    return next((name for item in items if (name := foreign_in(item, depth + 1))), None)


class ArrowGuards:
    """What stands in the two functions that make Arrow's values, while a cell runs and at no other time."""

    def __init__(self) -> None:
        self._arrow: Any = sys.modules.get("pyarrow")  # pandas has loaded it, if it is there
        if self._arrow is not None:
            self._own = self._arrow.array, self._arrow.scalar
            self._asking = tuple(map(self._asked, self._own))

    def enter(self) -> None:
        """Put the guards where Arrow's functions are."""
        if self._arrow is not None:
            self._arrow.array, self._arrow.scalar = self._asking

    def leave(self) -> None:
        """Put Arrow's functions back."""
        if self._arrow is not None:
            self._arrow.array, self._arrow.scalar = self._own

    def _asked(self, make: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(make)
        def make_checked(value: Any, *args: Any, **options: Any) -> Any:
            name = foreign_in(value)
            if name is None:
                return make(value, *args, **options)
            if (args[0] if args else options.get("type")) is not None:
                raise self._arrow.ArrowTypeError(f"Expected bytes, got a {name!r} object")
            raise self._arrow.ArrowInvalid(f"Could not convert a {name}: did not recognize Python value type")

        return make_checked


def group_on_one_thread() -> None:
    """Let Arrow, where it is installed, group on one thread from now on: a sandboxed process may begin no other.

    pandas has it find the least and the greatest of texts in groups.
    """
    if "pyarrow" not in sys.modules:
        return
    acero: Any = import_module("pyarrow.acero")
    group = vars(acero)["_group_by"]

    @wraps(group)
    def group_alone(table: Any, aggregates: Any, keys: Any, use_threads: bool = True) -> Any:  # noqa: ARG001 -- Arrow's
        return group(table, aggregates, keys, use_threads=False)

    vars(acero)["_group_by"] = group_alone
