"""Objects of the researcher's own classes in the hands of cells: their sets are read in sorted order, as all others.

The order of a plain set follows the salt of its process's hashes: a cell that goes through one would come to another
state in the next process.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from cave_sim.entity.handed_sets import handed
from cave_sim.entity.values import LIMITS, StableFrozenSet, StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.open_containers import HANDED
from cave_sim.policy.permissions import carries_code

_SETS: dict[type, type] = {set: StableSet, frozenset: StableFrozenSet}
_SHAPES = (set, frozenset, list, tuple, dict)


def read_open(holder: Any, name: str) -> Any:
    """Return an attribute of an object that the researcher opened.

    What a method returns is handed over as what methods of entities do. A set that the object holds becomes one that is
    read in sorted order, and stays the object's own: a cell that adds to it adds to it. So do sets in its lists, tuples
    and dicts.
    """
    found = getattr(holder, name)
    if type(found) is types.MethodType:
        return types.MethodType(_handing(found.__func__), found.__self__)
    if type(found) is types.FunctionType:  # a static method, or a method that is read from the class
        return _handing(found)
    HANDED.note(found, name)
    if type(found) not in _SHAPES:
        return found
    stable = _stable(found, 0)
    if (
        stable is not found
        and type(vars_of := getattr(holder, "__dict__", None)) is dict
        and vars_of.get(name) is found
    ):
        vars_of[name] = stable
    return stable


@functools.lru_cache(512)
def _handing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        found = handed(function(*args, **options))
        HANDED.note(found, function.__name__)
        return found

    return call


def _stable(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in _SETS:
        return _SETS[kind](value)
    if depth < LIMITS.depth and kind is tuple:
        items = tuple(_stable(item, depth + 1) if type(item) in _SHAPES else item for item in value)
        return items if any(one is not other for one, other in zip(items, value, strict=True)) else value
    if depth < LIMITS.depth and kind in (list, dict):
        for place, item in list(enumerate(value) if kind is list else value.items()):
            if type(item) in _SHAPES and (stable := _stable(item, depth + 1)) is not item:
                value[place] = stable
    return value


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
