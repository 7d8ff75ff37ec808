"""Sets that trusted code hands to cells: read in sorted order there, as every set that a cell makes.

A method that returns ``{"ann", "bob"}`` returns a plain set, whose order follows the salt of its process's hashes.
Cells that go through one would come to another state in the next process. So would those that call, add to, go through
or print an object whose class says in special methods what Python gets then.
"""

from __future__ import annotations

import collections
import functools
import types
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from cave_sim.entity.asking import CELL_FILE, entrance
from cave_sim.entity.handed_iterators import awaited, each, each_awaited
from cave_sim.entity.looking_through import CONTAINERS, DICTS, SCALARS, is_row_type, kinds_within
from cave_sim.entity.special_methods import hand_special_methods
from cave_sim.entity.values import LIMITS, StableFrozenSet, StableSet, stable_order

receivers: list[Callable[[Any, str, set[type]], None]] = []
"""Told of what a cell gets of an object that is no entity, by which name, and of the classes of what it holds."""

_met: weakref.WeakSet[type] = weakref.WeakSet()


def handed(value: Any) -> Any:
    """Return what a cell gets of what trusted code returns: the same, but for plain sets, within containers too.

    What holds no plain set is handed over as it is; what does is handed over as a copy. Iterators and functions hand
    over what they come to, and so do the special methods of objects.
    """
    return value if type(value) in SCALARS else _handed(value, kinds_within(value))


def _handed(value: Any, kinds: set[type]) -> Any:
    if type(value) in _FUNCTIONS:
        return _function(value)
    return value if _are_as_they_are(kinds | {type(value)}) else _Copy().of(value)


def received(value: Any, title: str) -> Any:
    """Return what a cell gets of an object that is no entity: as :func:`handed`, and whoever must know is told."""
    if type(value) in SCALARS:
        return value
    kinds = kinds_within(value)
    found = _handed(value, kinds)
    for receive in receivers:
        receive(found, title, kinds)
    return found


def meet(kind: type) -> None:
    """Let what cells get by special methods of a class's objects be handed over, from now on."""
    if kind not in _met:
        _met.add(kind)
        hand_special_methods(kind, received)
        if type(kind) is not type:
            meet(type(kind))


def handing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of an object that is no entity, as cells call it."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return received(function(*args, **options), function.__name__)

    return entrance(call)


def _function(value: Any) -> Any:
    """Return a function of trusted code as cells call it, and one of a cell as it is."""
    if isinstance(value, types.MethodType):
        made = _function(value.__func__)
        return value if made is value.__func__ else types.MethodType(made, value.__self__)
    if isinstance(value, types.FunctionType):
        return value if value.__code__.co_filename == CELL_FILE else _handing(value)
    return handing(value)


_FUNCTIONS = frozenset({types.FunctionType, types.MethodType, types.BuiltinMethodType})
_handing = functools.lru_cache(512)(handing)


def _are_as_they_are(kinds: set[type]) -> bool:
    """Say whether values of these classes hold no plain set, and come to none; classes not met before are met."""
    others = kinds - CONTAINERS - SCALARS
    for kind in others:
        meet(kind)
    return _SETS.keys().isdisjoint(kinds) and not any(map(_maker, others))


class _Copy:
    """Makes of a value what a cell gets of it; what is shared in it is shared in the copy."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}
        self._depth = 0

    def of(self, value: Any) -> Any:
        """Return the value, or a copy of it that is read in sorted order."""
        kind = type(value)
        make = _CONTAINERS.get(kind) or _maker(kind) or (_row if is_row_type(kind) else None)
        if make is None or self._depth > LIMITS.depth:
            return value
        if id(value) not in self._known:
            self._known[id(value)] = value, value  # it may hold itself
            self._depth += 1
            self._known[id(value)] = value, make(value, self)
            self._depth -= 1
        return self._known[id(value)][1]

    def items(self, values: Iterable[Any]) -> list[Any] | None:
        """Return what is handed over of items, or None where it is what they are."""
        old = list(values)
        new = [item if type(item) in SCALARS else self.of(item) for item in old]
        return new if any(one is not other for one, other in zip(old, new, strict=True)) else None


_Maker = Callable[[Any, _Copy], Any]


def _maker(kind: type) -> _Maker | None:
    """Return what makes something else of values of a class that is none of containers; None for most."""
    make = _MAKERS.get(kind)
    if make is None and kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__"):
        return lambda value, _: each(value, handed)
    return make


def _row(value: Any, copy: _Copy) -> Any:
    items = copy.items(value)
    return value if items is None else tuple.__new__(type(value), items)


def _list(value: Any, copy: _Copy) -> Any:
    items = copy.items(value)
    return value if items is None else items


def _queue(value: Any, copy: _Copy) -> Any:
    items = copy.items(value)
    return value if items is None else collections.deque(items, value.maxlen)


def _set(value: Any, copy: _Copy) -> Any:
    return StableSet(copy.items(value) or value)


def _frozen(value: Any, copy: _Copy) -> Any:
    return StableFrozenSet(copy.items(value) or value)


def _dict(value: Any, copy: _Copy) -> Any:
    keys, items = copy.items(value), copy.items(value.values())
    if keys is None and items is None:
        return value
    made = value.copy()  # with the default of a defaultdict
    made.clear()
    made.update(zip(keys or value, items or value.values(), strict=True))
    return made


def _chain(value: Any, copy: _Copy) -> Any:
    maps = copy.items(value.maps)
    return value if maps is None else collections.ChainMap(*maps)


def _proxy(value: Any, copy: _Copy) -> Any:
    shown = dict(value)
    found = copy.of(shown)
    return value if found is shown else types.MappingProxyType(found)


def _set_iterator(value: Any, _: _Copy) -> Any:
    items = list(value)
    with suppress(TypeError):  # nothing but their places in memory tells them apart
        items = stable_order(items)
    return each(iter(items), handed)


_SETS: dict[type, _Maker] = {set: _set, frozenset: _frozen}
_CONTAINERS: dict[type, _Maker] = {
    **_SETS,
    **dict.fromkeys(DICTS, _dict),
    list: _list,
    tuple: _row,
    collections.deque: _queue,
}
_MAKERS: dict[type, _Maker] = {
    type({}.keys()): lambda value, copy: dict.fromkeys(copy.items(value) or value).keys(),
    type({}.values()): lambda value, copy: dict(enumerate(copy.items(value) or value)).values(),
    type({}.items()): lambda value, copy: dict(copy.items(value) or value).items(),
    collections.ChainMap: _chain,
    types.MappingProxyType: _proxy,
    types.CoroutineType: lambda value, _: awaited(value, handed),
    types.AsyncGeneratorType: lambda value, _: each_awaited(value, handed),
    type(iter(set[Any]())): _set_iterator,
}
"""What a cell gets of values that are no containers, by their class. Iterators of Python itself come on top."""
