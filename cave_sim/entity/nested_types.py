"""Field types of what holds other values: containers, optional and opaque values, and plain data of any shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

import networkx as nx

from cave_sim.entity.codec import Codec
from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.field import Field
from cave_sim.entity.json_form import ITEMS, SET, TUPLE, is_key, read_pairs
from cave_sim.entity.types import FieldType, ValueType, short
from cave_sim.entity.values import NodeCounter, check_scalar, plain_scalar, stable_order
from cave_sim.errors import SchemaError


class PlainType(FieldType):
    """Any plain data (``Any``, ``object``, a bare ``list`` or ``dict``); containers are tracked all the way down."""

    grows = True

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        value = plain_scalar(value)
        if check_scalar(value):
            return value
        for field_type, kinds in self._containers():
            if isinstance(value, kinds):
                return field_type.admit(value, budget)
        if isinstance(value, tuple):
            budget.enter(value)
            container = tuple(self.admit(item, budget) for item in value)
            budget.leave()
            return container
        raise SchemaError(f"{type(value).__name__} objects cannot be kept in the world: only plain data can")

    def _containers(self) -> list[tuple[FieldType, Any]]:
        key = ValueType(str | int | float | bool | None, Field())
        return [
            (ListType(self.annotation, self.field, self), list),
            (DictType(self.annotation, self.field, key, self), dict),
            (SetType(self.annotation, self.field, self), (set, frozenset)),
        ]

    def encode(self, value: Any) -> Any:
        if isinstance(value, dict):
            return _encode_dict(value, self, self)
        if isinstance(value, list):
            return [self.encode(item) for item in list.__iter__(value)]
        if isinstance(value, tuple):
            return {TUPLE: [self.encode(item) for item in value]}
        if isinstance(value, (set, frozenset)):
            items = set.__iter__(value) if isinstance(value, set) else frozenset.__iter__(value)
            return {SET: [self.encode(item) for item in stable_order(items)]}
        return value

    def decode(self, data: Any) -> Any:
        if isinstance(data, list):
            return TrackedList([self.decode(item) for item in data], self)
        if isinstance(data, dict):
            if TUPLE in data:
                return tuple(self.decode(item) for item in data[TUPLE])
            if SET in data:
                return TrackedSet([self.decode(item) for item in data[SET]], self)
            return TrackedDict(
                _decode_dict(data, self, self), self, ValueType(str | int | float | bool | None, Field())
            )
        return data


class _ItemsType(FieldType):
    """Items of one type, written as a list.

    Attributes:
        takes: what a field of this type may be set to.
        build: makes the container of its items and their type.
    """

    grows = True
    takes: tuple[type[Iterable[Any]], ...]
    build: Callable[..., Any]

    def __init__(self, annotation: Any, field: Field, items: FieldType) -> None:
        super().__init__(annotation, field)
        self.items = items

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        if not isinstance(value, self.takes):
            raise SchemaError(f"Input should be a valid {self.kind} (got {short(value)})")
        budget.enter(value)
        container = self.build([self.items.admit(item, budget) for item in value], self.items)
        budget.leave()
        return container

    def decode(self, data: Any) -> Any:
        if not isinstance(data, list):
            raise SchemaError(f"Input should be a valid list (got {short(data)})")
        return self.build([self.items.decode(item) for item in data], self.items)


class ListType(_ItemsType):
    """``list[T]``."""

    kind = "list"
    takes: tuple[type[Iterable[Any]], ...] = (list, tuple)
    build: Callable[..., Any] = TrackedList

    def encode(self, value: Any) -> Any:
        items = list.copy(value)
        return items if self.items.is_plain else [self.items.encode(item) for item in items]

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        return [self.items.native(item, entities) for item in data]


class DictType(FieldType):
    """``dict[K, V]`` with plain keys."""

    kind = "dict"
    grows = True
    build: Callable[..., Any] = TrackedDict

    def __init__(self, annotation: Any, field: Field, keys: FieldType, items: FieldType) -> None:
        super().__init__(annotation, field)
        self.keys: FieldType = keys
        self.items: FieldType = items

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        if not isinstance(value, dict):
            raise SchemaError(f"Input should be a valid dictionary (got {short(value)})")
        budget.enter(value)
        pairs = {self.keys.admit(key, budget): self.items.admit(item, budget) for key, item in value.items()}
        budget.leave()
        return self.build(pairs, self.items, self.keys)

    def encode(self, value: Any) -> Any:
        return _encode_dict(value, self.keys, self.items)

    def decode(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(f"Input should be a valid dictionary (got {short(data)})")
        return self.build(_decode_dict(data, self.keys, self.items), self.items, self.keys)

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        return {self.keys.native(key, entities): self.items.native(item, entities) for key, item in read_pairs(data)}


class SetType(_ItemsType):
    """``set[T]``; read and written in sorted order."""

    kind = "set"
    takes: tuple[type[Iterable[Any]], ...] = (Set,)
    build: Callable[..., Any] = TrackedSet

    def encode(self, value: Any) -> Any:
        items = stable_order(set.__iter__(value))
        return items if self.items.is_plain else [self.items.encode(item) for item in items]

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        return {self.items.native(item, entities) for item in data}


class OptionalType(FieldType):
    """``T | None`` where T is a container, a reference or an opaque value."""

    def __init__(self, annotation: Any, field: Field, inner: FieldType) -> None:
        super().__init__(annotation, field)
        self.inner: FieldType = inner
        self.kind: str = inner.kind
        self.grows: bool = inner.grows

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        return None if value is None else self.inner.admit(value, budget)

    def encode(self, value: Any) -> Any:
        return None if value is None else self.inner.encode(value)

    def decode(self, data: Any) -> Any:
        return None if data is None else self.inner.decode(data)

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        return None if data is None else self.inner.native(data, entities)


class OpaqueType(FieldType):
    """A type with a codec: arrays, tables, graphs, and what the host registers."""

    kind = "opaque"

    def __init__(self, annotation: Any, field: Field, codec: Codec) -> None:
        super().__init__(annotation, field)
        self.codec = codec
        self.grows: bool = issubclass(codec.type, nx.Graph)

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        if not isinstance(value, self.codec.type):
            raise SchemaError(f"Input should be a {self.codec.name} (got {short(value)})")
        return self.codec.copy(value) if self.codec.take is None else self.codec.take(value)

    def encode(self, value: Any) -> Any:
        return self.codec.snapshot(value)

    def decode(self, data: Any) -> Any:
        return self.codec.restore(data)


def inner_type(field_type: FieldType) -> FieldType:
    """Return the type inside an optional one, or the type itself."""
    return field_type.inner if isinstance(field_type, OptionalType) else field_type


def _encode_dict(value: dict[Any, Any], keys: FieldType, items: FieldType) -> Any:
    if all(map(is_key, value)):
        return dict.copy(value) if items.is_plain else {key: items.encode(item) for key, item in dict.items(value)}
    return {ITEMS: [[keys.encode(key), items.encode(item)] for key, item in dict.items(value)]}


def _decode_dict(data: dict[str, Any], keys: FieldType, items: FieldType) -> dict[Any, Any]:
    if ITEMS in data:
        return {keys.decode(key): items.decode(item) for key, item in data[ITEMS]}
    return {key: items.decode(item) for key, item in data.items()}
