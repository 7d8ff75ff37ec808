"""Forms of the containers that Python has: lists, dicts and their kin. Each may hold itself, however indirectly."""

from __future__ import annotations

import collections
import enum
from collections.abc import Iterator
from typing import Any

from cave_sim.entity.json_form import is_key
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.adapters import StableItems, StableKeys
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.queues import QUEUES, items_of
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.scalars import PLAIN, are_plain_scalars


def _items(value: Any, see: See) -> list[Any]:
    if are_plain_scalars(value):
        return list(value)
    return [see(item) for item in value]


def _ordered_items(items: list[Any], see: See) -> list[Any]:
    """Return the items of a set, which the writer put in order."""
    return list(map(see, items))


def _frozen_items(items: list[Any], see: See) -> list[Any]:
    """Return the items of a frozenset, whose hashes are asked while it is read: none may be still empty by then."""
    if any(type(item) in OWN_CLASSES and not isinstance(item, enum.Enum) for item in items):
        raise SchemaError("a frozenset of objects of a cell's class cannot be kept between turns: keep a tuple of them")
    return _ordered_items(items, see)


def _pairs(value: Any, see: See) -> list[Any]:
    return [[see(key), see(item)] for key, item in type(value).items(value)]


def _write_dict(value: Any, see: See) -> Any:
    if are_plain_scalars(value) and _are_keys(value) and are_plain_scalars(dict.values(value)):
        return dict(value)
    if all(map(is_key, value)):
        return {see(key): see(item) for key, item in dict.items(value)}
    return {"$items": _pairs(value, see)}


def fill_list(items: list[Any], content: Any, reader: Any) -> list[Any]:
    """Return a list that is filled once every object that it may hold is there."""
    read = reader.read
    reader.later(lambda: items.extend([part if type(part) in PLAIN else read(part) for part in _listed(content)]))
    return items


def _are_keys(plain: Any) -> bool:
    """Say whether all of many plain keys are texts that JSON can have as keys; some that are may not be found so."""
    return set(map(type, plain)) == {str} and "\n$" not in "\n" + "\n".join(plain)


def _make_dict(content: Any, reader: Any) -> Any:
    if set(map(type, content.values())) <= PLAIN:
        return dict(content)
    return fill_pairs({}, [*map(list, content.items())], reader)


def fill_pairs(items: Any, content: Any, reader: Any) -> Any:
    """Return a dict that is filled once what its keys refer to is filled."""

    def gather() -> None:
        pairs = [(reader.read(key), reader.read(item)) for key, item in _listed(content)]
        reader.later(lambda: _put_pairs(items, pairs, reader), last=True)

    reader.later(gather)
    return items


def _put_items(items: StableSet, parts: list[Any], reader: Any) -> None:
    reader.check_keys(parts)
    for part in _apart(parts):  # not all in one call, which no deadline would end where their hashes collide
        items.add(part)


def _put_pairs(items: Any, pairs: list[tuple[Any, Any]], reader: Any) -> None:
    keys = [key for key, _ in pairs]
    reader.check_keys(keys)
    for key, (_, item) in zip(_apart(keys), pairs, strict=True):
        type(items).__setitem__(items, key, item)


def _apart(keys: list[Any]) -> Iterator[Any]:
    """Yield keys with a NaN of its own for each that has one: NaNs are not equal, but what is read shares one NaN."""
    if _WITH_NAN.isdisjoint(map(type, keys)):  # as most keys are, of which none is looked at alone
        yield from keys
        return
    seen = set[Any]()
    for key in keys:
        if _has_nan(key):
            own = _with_own_nan(key) if key in seen else key
            seen.add(own)
            yield own
        else:
            yield key


_WITH_NAN = frozenset({float, tuple, StableFrozenSet})
"""The types of keys that are a NaN, or hold one."""


def _has_nan(key: Any) -> bool:
    if type(key) is StableFrozenSet:
        return any(map(_has_nan, frozenset.__iter__(key)))
    return key != key if type(key) is float else type(key) is tuple and any(map(_has_nan, key))


def _with_own_nan(key: Any) -> Any:
    if type(key) is StableFrozenSet:
        return StableFrozenSet(map(_with_own_nan, frozenset.__iter__(key)))
    if type(key) is tuple:
        return tuple(map(_with_own_nan, key))
    return float("nan") if type(key) is float and key != key else key


def _listed(content: Any) -> Any:
    if not isinstance(content, list):
        raise Malformed("a list was expected")
    return content


def _make_set(content: Any, reader: Any) -> Any:
    items = StableSet()

    def gather() -> None:
        parts = [reader.read(item) for item in _listed(content)]
        reader.later(lambda: _put_items(items, parts, reader), last=True)

    reader.later(gather)
    return items


def _make_frozen(content: Any, reader: Any) -> Any:
    parts = [reader.read(item) for item in _listed(content)]
    reader.check_keys(parts)
    return StableFrozenSet(_apart(parts))  # one at a time, likewise


def _write_deque(value: Any, see: See) -> Any:
    return [value.maxlen, *_items(value, see)]


def _make_deque(content: Any, reader: Any) -> Any:
    most, *items = content
    return fill_list(collections.deque(maxlen=most), items, reader)  # type: ignore[arg-type]


def _write_defaultdict(value: Any, see: See) -> Any:
    return [see(value.default_factory), *_pairs(value, see)]


def _make_defaultdict(content: Any, reader: Any) -> Any:
    factory, *pairs = content
    items: Any = collections.defaultdict()

    def set_factory() -> None:
        items.default_factory = reader.read(factory)

    reader.later(set_factory)
    return fill_pairs(items, pairs, reader)


def _make_counter(content: Any, reader: Any) -> Any:
    return fill_pairs(collections.Counter(), content, reader)


def _write_slice(value: slice, see: See) -> Any:
    return [see(value.start), see(value.stop), see(value.step)]


def _make_slice(content: Any, reader: Any) -> Any:
    bounds = [*map(reader.read, content)]
    reader.check_keys(bounds)  # Python 3.12 and later hash it by its bounds
    return slice(*bounds)


def _write_view(value: Any, see: See) -> Any:
    return see(value._mapping)


def _make_byte_array(content: Any, reader: Any) -> Any:
    data = reader.read(content)
    if type(data) is not bytes:
        raise Malformed("a bytearray is made of bytes")
    return bytearray(data)


def _write_queue(value: Any, see: See) -> Any:
    return [type(value).__name__, value.maxsize, *_items(items_of(value), see)]


def _make_queue(content: Any, reader: Any) -> Any:
    name, size, *items = content
    queue = QUEUES[name](size)
    fill_list(items_of(queue), items, reader)
    return queue


LIST = Form("", _items, lambda content, reader: fill_list([], content, reader))
DICT = Form("", _write_dict, _make_dict)
PAIRS = Form("$items", _pairs, lambda content, reader: fill_pairs({}, content, reader))
TUPLE = Form("$tuple", _items, lambda content, reader: tuple(map(reader.read, _listed(content))))
SET = Form("$set", _ordered_items, _make_set)
FROZEN = Form("$frozenset", _frozen_items, _make_frozen)
QUEUE = Form("$queue", _write_queue, _make_queue)
BY_KIND: dict[type, Form] = {
    list: LIST,
    dict: DICT,
    tuple: TUPLE,
    StableSet: SET,
    set: SET,
    StableFrozenSet: FROZEN,
    frozenset: FROZEN,
    collections.deque: Form("$deque", _write_deque, _make_deque),
    collections.Counter: Form("$counter", _pairs, _make_counter),
    collections.OrderedDict: Form(
        "$ordered", _pairs, lambda content, reader: fill_pairs(collections.OrderedDict(), content, reader)
    ),
    collections.defaultdict: Form("$defaultdict", _write_defaultdict, _make_defaultdict),
    bytearray: Form("$bytearray", lambda value, see: see(bytes(value)), _make_byte_array),
    slice: Form("$slice", _write_slice, _make_slice),
    StableKeys: Form("$keys", _write_view, lambda content, reader: StableKeys(reader.read(content))),
    StableItems: Form("$pairs", _write_view, lambda content, reader: StableItems(reader.read(content))),
}
"""Exact type -> form."""
