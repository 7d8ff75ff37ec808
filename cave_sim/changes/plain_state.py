"""Folding recorded changes into plain data: no entity class is needed, and nothing of the file runs.

Where a field changes part by part, it is opened: pairs by key, a set by item, an array or a graph as what it is. It is
written as plain data again when the fold is settled, so that a part costs the same however large the whole.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

import msgspec
import numpy as np

from cave_sim.changes.plain_graph import PlainGraph
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.json_form import ITEMS, SET, TUPLE, is_key, read_pairs, referenced, write_pairs
from cave_sim.entity.values import stable_order

decode: Callable[[str | bytes], Any] = msgspec.json.decode


class Fold:
    """The entities of a world as plain data, brought from change to change.

    Attributes:
        entities: name -> ``{"type": ..., "fields": {...}}``, in order of arrival; exact once settled.
        touched: names of entities that changed since somebody cleared it.
    """

    def __init__(self, entities: dict[str, dict[str, Any]] | None = None) -> None:
        self.entities: dict[str, dict[str, Any]] = {} if entities is None else entities
        self.touched: set[str] = set()
        self._opened: dict[tuple[str, str], PartwiseField] = {}
        self._unsettled: set[tuple[str, str]] = set()

    @property
    def has_opened(self) -> bool:
        """Whether any field has been opened."""
        return bool(self._opened)

    def is_opened(self, entity: str, field: str | None) -> bool:
        """Say whether a field has been opened to change part by part."""
        return (entity, field) in self._opened

    def apply(self, entity: str, path: str, op: str, old: str | None, new: str | None) -> None:
        """Apply one change, its path and values as the JSON that a journal holds.

        Raises:
            LookupError, ValueError, TypeError, AttributeError: it does not fit the state; the file is damaged.
        """
        before = decode(old or "") if op == "splice" else None
        self.apply_data(entity, _path(path), op, before, None if new is None else decode(new))

    def apply_data(self, entity: str, place: tuple[Any, ...], op: str, old: Any, new: Any) -> None:
        """Apply one change as plain data, of which ``new`` is the fold's own from here on; raises as :meth:`apply`."""
        self.touched.add(entity)
        if not place:
            self._come_or_go(entity, op, new)
            return
        fields, field = self.entities[entity]["fields"], place[0]
        if op == "set" and len(place) == 1:
            fields[field] = new
            if (entity, field) in self._opened:
                self._close(entity, field)
        elif op == "splice":
            at = new["at"]
            fields[field][at : at + len(old["items"])] = new["items"]
        elif op == "patch" and "at" not in new:
            _patch(fields, field, new)
            self._close(entity, field)
        elif (entity, field) not in self._opened and _is_plain_key(fields[field], op, place):
            if op == "set":
                fields[field][place[1]] = new
            else:
                del fields[field][place[1]]
        else:
            self._opening(entity, field, fields, op, place).write(op, place, new)

    def field_data(self, entity: str, field: str) -> Any:
        """Return one field as plain data; raises LookupError if there is none."""
        place = entity, field
        return self._opened[place].data() if place in self._unsettled else self.entities[entity]["fields"][field]

    def settle(self) -> dict[str, dict[str, Any]]:
        """Write as plain data what changed part by part, and return the entities; who reads them changes none.

        What was opened stays so: opening a graph costs as much as it is large, and the next step may change it again.
        """
        for entity, field in self._unsettled:
            self.entities[entity]["fields"][field] = self._opened[entity, field].data()
        self._unsettled.clear()
        return self.entities

    def _close(self, entity: str, field: str) -> None:
        self._opened.pop((entity, field), None)
        self._unsettled.discard((entity, field))

    def _come_or_go(self, entity: str, op: str, new: Any) -> None:
        for place in [place for place in self._opened if place[0] == entity]:
            self._close(*place)
        if op == "create":
            self.entities[entity] = {"type": new["type"], "fields": new["fields"]}
        else:
            del self.entities[entity]

    def _opening(
        self, entity: str, field: str, fields: dict[str, Any], op: str, place: tuple[Any, ...]
    ) -> PartwiseField:
        opened = self._opened.get((entity, field))
        if opened is None:
            opened = self._opened[entity, field] = _open(fields[field], op, place)
        self._unsettled.add((entity, field))
        return opened


class PartwiseField(Protocol):
    """A field whose parts can be written one by one."""

    def write(self, op: str, place: tuple[Any, ...], data: Any) -> None:
        """Write a part."""

    def data(self) -> Any:
        """Return the field as plain data."""


class _Pairs:
    """A dict whose keys are not all texts."""

    def __init__(self, data: Any) -> None:
        self._pairs = {to_json(key): (key, value) for key, value in read_pairs(data)}

    def write(self, op: str, place: tuple[Any, ...], data: Any) -> None:
        key = to_json(place[1])
        if op == "set":
            self._pairs[key] = (place[1], data)
        else:
            del self._pairs[key]

    def data(self) -> Any:
        pairs = self._pairs.values()
        return write_pairs(pairs, all(is_key(key) for key, _ in pairs))


class _Set:
    """A set, with or without a declared type of its items."""

    def __init__(self, data: Any) -> None:
        self._declared = isinstance(data, list)
        items = data if self._declared else data[SET]
        self._items = {to_json(item): item for item in items}

    def write(self, op: str, place: tuple[Any, ...], data: Any) -> None:
        if op == "add":
            self._items[to_json(place[1])] = place[1]
        else:
            del self._items[to_json(place[1])]

    def data(self) -> Any:
        by_value = {_value(item): item for item in self._items.values()}
        items = [by_value[value] for value in stable_order(by_value)]
        return items if self._declared else {SET: items}


class _Array:
    """An array of which a few numbers change."""

    def __init__(self, data: Any) -> None:
        codec = codec_of(np.ndarray)
        assert codec is not None
        self._codec, self._array = codec, codec.restore(data)

    def write(self, op: str, place: tuple[Any, ...], data: Any) -> None:
        self._array.ravel()[np.array(data["at"], dtype=np.intp)] = data["new"]

    def data(self) -> Any:
        return self._codec.snapshot(self._array)


def _open(data: Any, op: str, place: tuple[Any, ...]) -> PartwiseField:
    if op == "patch":
        return _Array(data)
    if op in ("add", "discard"):
        return _Set(data)
    return PlainGraph(data) if len(place) > 2 else _Pairs(data)


def _patch(fields: dict[str, Any], field: str, data: Any) -> None:
    """Take over a whole new value, or the columns of a table that changed."""
    if "data" in data:
        fields[field] = data["data"]
        return
    columns = dict(data["columns"])
    fields[field]["columns"] = [[name, columns.get(name, column)] for name, column in fields[field]["columns"]]


def _is_plain_key(container: Any, op: str, place: tuple[Any, ...]) -> bool:
    """Say whether a part is a key of a dict that JSON holds as it is."""
    if len(place) != 2 or op not in ("set", "delete") or type(container) is not dict:
        return False
    return is_key(place[1]) and ITEMS not in container


def _value(data: Any) -> Any:
    """Return the item of a set that plain data stands for, as far as its place in the order goes."""
    if isinstance(data, dict):
        name = referenced(data)
        return tuple(map(_value, data[TUPLE])) if name is None else name
    return tuple(map(_value, data)) if isinstance(data, list) else data


@lru_cache(maxsize=65_536)
def _path(text: str) -> tuple[Any, ...]:
    return tuple(decode(text))
