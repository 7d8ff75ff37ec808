"""Objects of the researcher's own classes in the hands of cells: their sets are read in sorted order, as all others.

The order of a plain set follows the salt of its process's hashes: a cell that goes through one would come to another
state in the next process.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from cave_sim.entity.asking import entrance
from cave_sim.entity.handed_values import handed, handing, meet
from cave_sim.entity.looking_through import DICTS, ROWS, SCALARS, is_row_type, kinds_within
from cave_sim.entity.values import LIMITS, StableFrozenSet, StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.open_containers import HANDED
from cave_sim.policy.permissions import carries_code

_SETS: dict[type, type] = {set: StableSet, frozenset: StableFrozenSet}
_SHAPES = _SETS.keys() | ROWS | DICTS | {tuple}


@entrance
def read_open(holder: Any, name: str) -> Any:
    """Return an attribute of an object that the researcher opened.

    What a method returns is handed over as what methods of entities do. A set that the object holds becomes one that is
    read in sorted order, and stays the object's own: a cell that adds to it adds to it. So do sets in its lists, tuples
    and dicts.
    """
    value = getattr(holder, name)
    if type(value) is types.MethodType:
        return types.MethodType(_method(value.__func__), value.__self__)
    if type(value) not in _SHAPES:
        return handed(value, name)
    kinds = kinds_within(value) | {type(value)}
    stable = _stable(value, {}) if kinds & _SETS.keys() else value
    if (
        stable is not value
        and type(vars_of := getattr(holder, "__dict__", None)) is dict
        and vars_of.get(name) is value
    ):
        vars_of[name] = stable
    for kind in kinds - _SHAPES - SCALARS:
        meet(kind)
    HANDED.note(stable, name, kinds)
    return stable


@functools.lru_cache(512)
def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    give = handing(function)

    @functools.wraps(function)
    def call(holder: Any, *args: Any, **options: Any) -> Any:
        if carries_code((*args, *options.values())):
            HANDED.note_attributes(holder)
        return give(holder, *args, **options)

    return call


def _stable(value: Any, known: dict[int, tuple[Any, Any]], depth: int = 0) -> Any:
    """Return a value with stable sets instead of plain ones; lists and dicts take theirs in themselves."""
    kind = type(value)
    if not (kind in _SHAPES or is_row_type(kind)) or depth > LIMITS.depth:
        return value
    if id(value) not in known:
        known[id(value)] = value, value  # it may hold itself
        stable = value
        if kind in _SETS:
            stable = _SETS[kind](value)
        elif issubclass(kind, tuple):
            items = tuple.__new__(kind, [_stable(item, known, depth + 1) for item in value])
            if any(one is not other for one, other in zip(items, value, strict=True)):
                stable = items
        else:
            for place, item in list(value.items() if kind in DICTS else enumerate(value)):
                if (new := _stable(item, known, depth + 1)) is not item:
                    value[place] = new
        known[id(value)] = value, stable
    return known[id(value)][1]


class DataAttributes:
    """What everybody reads, as cells write its attributes: data, and no code of theirs."""

    __slots__ = ("_holder",)

    def __init__(self, holder: Any) -> None:
        object.__setattr__(self, "_holder", holder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._holder, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if callable(getattr(type(self._holder), name, None)) or carries_code((value,)):
            raise Blocked(f"{type(self._holder).__name__}.{name} is everybody's: it takes data, and its methods stay")
        setattr(self._holder, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._holder, name)
