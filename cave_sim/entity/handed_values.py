"""What trusted code hands to cells is the cell's own: its lists, dicts and sets are copies, and sets are read sorted.

A function that returns a list which it keeps would share it with every cell that asks: what one leaves there, its code
too, would be there in the next one's turn, and after a turn that failed. And a method that returns ``{"ann", "bob"}``
returns a plain set, whose order follows the salt of its process's hashes: cells that go through one would come to
another state in the next process. The same holds for those that call, add to, go through or print an object whose class
says in special methods what Python gets then.
"""

from __future__ import annotations

import collections
import functools
import types
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from cave_sim.entity.asking import CELL_FILE, entrance, is_entrance
from cave_sim.entity.handed_iterators import awaited, each, each_awaited
from cave_sim.entity.looking_through import CONTAINERS, DICTS, SCALARS, SETS, is_row_type, kinds_within
from cave_sim.entity.special_methods import hand_special_methods
from cave_sim.entity.values import StableFrozenSet, StableSet, stable_order
from cave_sim.errors import SchemaError

DEPTH = 100
"""How deep what is handed over may be nested: four times what a world holds."""

receivers: list[Callable[[Any, str], None]] = []
"""Told of what a cell gets that stays itself, and by which name."""

_met: weakref.WeakSet[type] = weakref.WeakSet()


def handed(value: Any, title: str = "it") -> Any:
    """Return what a cell gets of what trusted code returns.

    Lists, dicts and sets are copied, those within them, too, and what is shared in a value is shared in its copy.
    Iterators and functions hand over what they come to, and so do the special methods of objects. Entities, what they
    hold in fields, arrays, tables and objects of other classes stay themselves, and whoever must know is told of them.

    Args:
        value: what it is.
        title: what it is called if something is wrong with it.

    Raises:
        SchemaError: it is nested more than ``DEPTH`` deep.
    """
    return value if type(value) in SCALARS else _Handing(title).of(value)


def shown(value: Any, _title: str) -> Any:
    """Return what a text is made of: what holds no plain set is what it is."""
    if type(value) in SCALARS:
        return value
    kinds = kinds_within(value) | {type(value)}
    others = kinds - CONTAINERS - SCALARS - _FUNCTIONS
    return value if _SETS.isdisjoint(kinds) and not any(map(_maker, others)) else handed(value)


def meet(kind: type) -> None:
    """Let what cells get by special methods of a class's objects be handed over, from now on."""
    if kind not in _met:
        _met.add(kind)
        hand_special_methods(kind, handed, shown)
        if type(kind) is not type:
            meet(type(kind))


def handing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of an object that is no entity, as cells call it."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return handed(function(*args, **options), function.__name__)

    return entrance(call)


def _function(value: Any) -> Any:
    """Return a function of trusted code as cells call it, and one of a cell as it is."""
    if isinstance(value, types.MethodType):
        function = _function(value.__func__)
        return value if function is value.__func__ else types.MethodType(function, value.__self__)
    if isinstance(value, types.FunctionType):
        return value if value.__code__.co_filename == CELL_FILE or is_entrance(value) else _handing(value)
    return handing(value)


_SETS = {set, frozenset}
_handing = functools.lru_cache(512)(handing)


class _Handing:
    """Makes of a value what a cell gets of it."""

    def __init__(self, title: str) -> None:
        self._known: dict[int, Any] = {}
        self._alive: list[Any] = []
        self._title, self._depth = title, 0

    def of(self, value: Any) -> Any:
        """Return what the cell gets of the value, once made and then the same."""
        if id(value) in self._known:
            return self._known[id(value)]
        kind = type(value)
        make = _MAKERS.get(kind) or _maker(kind) or (_row if is_row_type(kind) else None)
        if make is None:
            meet(kind)
            for receive in receivers:
                receive(value, self._title)
            return value
        if self._depth == DEPTH:
            raise SchemaError(f"{self._title}: what cells are handed is nested at most {DEPTH} deep")
        self._depth += 1
        handed = make(value, self)
        self._depth -= 1
        return self._known.setdefault(id(value), handed)

    def begin(self, value: Any, container: Any) -> Any:
        """Note a container before it has its items: it may hold itself."""
        self._known[id(value)] = container
        return container

    def alive(self, value: Any) -> Any:
        """Return a value that was made meanwhile; nothing else may come to lie in its place until the end."""
        self._alive.append(value)
        return value

    def items(self, values: Iterable[Any]) -> list[Any]:
        """Return what is handed over of items."""
        return [item if type(item) in SCALARS else self.of(item) for item in values]


_Maker = Callable[[Any, _Handing], Any]


def _maker(kind: type) -> _Maker | None:
    """Return what makes something else of values of a class that is none of containers; None for most."""
    make = _OTHERS.get(kind)
    if make is None and kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__"):
        return lambda value, _: each(value, handed)
    return make


def _row(value: Any, handing: _Handing) -> Any:
    items = handing.items(value)
    same = all(one is other for one, other in zip(items, value, strict=True))
    return value if same else tuple.__new__(type(value), items)


def _list(value: Any, handing: _Handing) -> Any:
    items = handing.begin(value, [])
    items += handing.items(value)
    return items


def _queue(value: Any, handing: _Handing) -> Any:
    queue = handing.begin(value, collections.deque(maxlen=value.maxlen))
    queue.extend(handing.items(value))
    return queue


def _set(value: Any, handing: _Handing) -> Any:
    return StableSet(handing.items(set.__iter__(value)))


def _frozen(value: Any, handing: _Handing) -> Any:
    return StableFrozenSet(handing.items(frozenset.__iter__(value)))


def _dict(value: Any, handing: _Handing) -> Any:
    entries = value.copy()  # with the default of a defaultdict
    handing.begin(value, entries)
    if SCALARS.issuperset(map(type, value.values())) and SCALARS.issuperset(map(type, value)):
        return entries
    entries.clear()
    entries.update(zip(handing.items(value), handing.items(value.values()), strict=True))
    return entries


def _with_default(value: Any, handing: _Handing) -> Any:
    entries = _dict(value, handing)
    default = value.default_factory
    entries.default_factory = _STABLE.get(default, default) if isinstance(default, type) else handing.of(default)
    return entries


def _chain(value: Any, handing: _Handing) -> Any:
    return collections.ChainMap(*handing.items(value.maps))


def _set_iterator(value: Any, _: _Handing) -> Any:
    items = list(value)
    with suppress(TypeError):  # nothing but their places in memory tells them apart
        items = stable_order(items)
    return each(iter(items), handed)


_STABLE: dict[type, type] = {set: StableSet, frozenset: StableFrozenSet}
_FUNCTIONS = frozenset({types.FunctionType, types.MethodType, types.BuiltinMethodType})
_OTHERS: dict[type, _Maker] = {
    type({}.keys()): lambda value, handing: dict.fromkeys(handing.items(value)).keys(),
    type({}.values()): lambda value, handing: dict(enumerate(handing.items(value))).values(),
    type({}.items()): lambda value, handing: dict(handing.items(handing.alive(list(value)))).items(),
    collections.ChainMap: _chain,
    types.MappingProxyType: lambda value, handing: types.MappingProxyType(handing.of(handing.alive(dict(value)))),
    types.CoroutineType: lambda value, _: awaited(value, handed),
    types.AsyncGeneratorType: lambda value, _: each_awaited(value, handed),
    type(iter(set[Any]())): _set_iterator,
    **dict.fromkeys(_FUNCTIONS, lambda value, _: _function(value)),
}
"""What a cell gets of values that are no containers, by their class. Iterators of Python itself come on top."""
_MAKERS: dict[type, _Maker] = {
    **dict.fromkeys(SETS, _set),
    **dict.fromkeys({frozenset, StableFrozenSet}, _frozen),
    **dict.fromkeys(DICTS, _dict),
    collections.defaultdict: _with_default,
    list: _list,
    tuple: _row,
    collections.deque: _queue,
}
"""And of values that are containers."""
