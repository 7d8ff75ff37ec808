"""References between entities: kept by name, read as the live entity, written as ``{"$ref": name}``.

Because only the name is kept, a reference never holds a stale object alive, and a restored world needs no wiring.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSet
from typing import Any, SupportsIndex

from cave_sim.entity.containers import Items, Tracked, TrackedDict, TrackedList, TrackedSet, children_of
from cave_sim.entity.field import Field
from cave_sim.entity.home import home_of
from cave_sim.entity.identity import EntityBase, label_of, live, name_of, undo_log_of
from cave_sim.entity.json_form import REF
from cave_sim.entity.nested_types import DictType, ListType, SetType
from cave_sim.entity.types import FieldType, short
from cave_sim.entity.values import NodeCounter, StableSet
from cave_sim.entity.visibility import tellable
from cave_sim.errors import SchemaError, WorldError


def reference_data(kept: Any) -> dict[str, Any] | None:
    """Return what is kept of a reference as plain data; None where it refers to nobody."""
    return None if kept is None else {REF: kept if type(kept) is str else name_of(kept)}


class RefType(FieldType):
    """A field whose annotation is an Entity type. What is kept is a name, or the entity itself before it has one."""

    kind = "reference"

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        if not isinstance(value, self.annotation):
            raise SchemaError(f"Input should be a {self.annotation.__name__} of this world (got {short(value)})")
        return kept_form(value)

    def encode(self, value: Any) -> Any:
        return reference_data(value)

    def decode(self, data: Any) -> Any:
        return str(data[REF])

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        return entities[data[REF]]


class RefField:
    """The descriptor that reads a reference: the name from the entity, the entity from the world."""

    def __init__(self, name: str, *, optional: bool) -> None:
        self.name: str = name
        self.optional: bool = optional

    def __get__(self, entity: Any, owner: type) -> Any:
        if entity is None:
            raise AttributeError(self.name)
        reference = entity.__dict__[self.name]
        if type(reference) is not str:
            return reference
        target = live(entity, reference)
        if target is None and not self.optional:
            gone = f"refers to {reference!r}, which is no longer in the world"
            raise WorldError(f"{label_of(entity)}.{self.name}: {tellable(entity, self.name, gone)}")
        return target

    def __set__(self, entity: Any, value: Any) -> None:
        """Never reached: Entity.__setattr__ writes. Being there gives this descriptor precedence over the dict."""
        raise AttributeError(self.name)


def kept_form(entity: Any) -> Any:
    """Return what a container of references keeps for an entity."""
    name = name_of(entity) if isinstance(entity, EntityBase) else None
    return entity if name is None else name


def expect_same_world(owner: EntityBase | None, value: Any) -> None:
    """Refuse an entity of another world, alone or in a list and the like: one of this world may have its name.

    Raises:
        SchemaError: there is one.
    """
    undo_log = None if owner is None else undo_log_of(owner)
    if undo_log is None:
        return
    for each in _parts_of(value):
        if isinstance(each, EntityBase) and undo_log_of(each) not in (None, undo_log):
            raise SchemaError(f"Input should be of this world (got {label_of(each)!r} of another one)")


def _parts_of(value: Any) -> Iterable[Any]:
    if type(value) is dict:
        return value.values()
    return value if type(value) in (list, tuple, set) else (value,)


def _admit_named(self: Any, value: Any, item_type: Items | None = None) -> Any:
    """Admit an item of a container of references: what is in the world refers to nothing that is not."""
    expect_same_world(self._home.owner, value)
    admitted = Tracked._admit(self, value, item_type)
    owner = self._home.owner
    in_world = owner is not None and name_of(owner) is not None
    return _named(admitted) if in_world and item_type is None else admitted


class RefList(TrackedList):
    """A list of references; an entity that has left the world reads as None."""

    __slots__ = ()

    _admit = _admit_named

    def __iter__(self) -> Iterator[Any]:
        return (live(self._home.owner, reference) for reference in list.__iter__(self))

    def __getitem__(self, index: Any) -> Any:
        target = list.__getitem__(self, index)
        return (
            [live(self._home.owner, reference) for reference in target]
            if isinstance(index, slice)
            else live(self._home.owner, target)
        )

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __contains__(self, entity: object) -> bool:
        return list.__contains__(self, kept_form(entity))

    def __eq__(self, other: object) -> bool:
        return list(self) == (list(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return list(self) + list(other)

    def __mul__(self, times: SupportsIndex) -> Any:
        return list(self) * times

    def __repr__(self) -> str:
        return repr(list(self))

    def index(self, entity: Any, *bounds: Any) -> int:
        return list.index(self, kept_form(entity), *bounds)

    def count(self, entity: Any) -> int:
        return list.count(self, kept_form(entity))

    def copy(self) -> list[Any]:
        return list(self)

    def pop(self, index: SupportsIndex = -1) -> Any:
        return live(self._home.owner, TrackedList.pop(self, index))

    def remove(self, entity: Any) -> None:
        TrackedList.remove(self, kept_form(entity))

    def sort(self, **options: Any) -> None:
        ordered = [kept_form(entity) for entity in sorted(self, **options)]
        self._note()
        list.__setitem__(self, slice(None), ordered)


class RefDict(TrackedDict):
    """A dict whose values are references."""

    __slots__ = ()

    _admit = _admit_named

    def __getitem__(self, key: Any) -> Any:
        return live(self._home.owner, dict.__getitem__(self, key))

    def __iter__(self) -> Iterator[Any]:  # with its own, dict(x) asks for the items instead of copying the names
        return iter(dict.keys(self))

    def get(self, key: Any, default: Any = None) -> Any:
        return live(self._home.owner, dict.get(self, key, default))

    def values(self) -> Any:
        return [live(self._home.owner, reference) for reference in dict.values(self)]

    def items(self) -> Any:
        return [(key, live(self._home.owner, reference)) for key, reference in dict.items(self)]

    def pop(self, key: Any, *default: Any) -> Any:
        return (
            live(self._home.owner, TrackedDict.pop(self, key, *default))
            if key in self
            else TrackedDict.pop(self, key, *default)
        )

    def popitem(self) -> tuple[Any, Any]:
        key, reference = TrackedDict.popitem(self)
        return key, live(self._home.owner, reference)

    def copy(self) -> dict[Any, Any]:
        return dict(self.items())

    def __eq__(self, other: object) -> bool:
        return dict(self.items()) == (dict(other.items()) if isinstance(other, dict) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class RefSet(MutableSet[Any]):
    """A set of references as it is read: the live entities, in the order of their names.

    It is no builtin set, because those copy each other past ``__iter__`` and would hand out the names.
    """

    __slots__ = ("_names",)

    def __init__(self, names: TrackedSet) -> None:
        self._names = names

    def __iter__(self) -> Iterator[Any]:
        return (live(home_of(self._names).owner, reference) for reference in self._names)

    def __contains__(self, entity: object) -> bool:
        return set.__contains__(self._names, kept_form(entity))

    def __len__(self) -> int:
        return len(self._names)

    def add(self, value: Any) -> None:
        self._names.add(value)

    def discard(self, value: Any) -> None:
        self._names._flip(kept_form(value), False)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for entity in list(other):
                self.add(entity)

    def copy(self) -> StableSet:
        owner = home_of(self._names).owner
        return StableSet([live(owner, reference) for reference in set.__iter__(self._names)])

    def union(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().union(*others)

    def intersection(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().intersection(*others)

    def difference(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().difference(*others)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:
        return StableSet(it)

    def __repr__(self) -> str:
        return repr(self.copy())


class RefSetField:
    """The descriptor that reads a set of references."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, entity: Any, owner: type) -> Any:
        if entity is None:
            raise AttributeError(self.name)
        reference = entity.__dict__[self.name]
        return None if reference is None else RefSet(reference)

    def __set__(self, entity: Any, value: Any) -> None:
        """Never reached: Entity.__setattr__ writes. Being there gives this descriptor precedence over the dict."""
        raise AttributeError(self.name)


class RefListType(ListType):
    """``list[Resident]``."""

    build: Callable[..., Any] = RefList


class RefDictType(DictType):
    """``dict[str, Resident]``."""

    build: Callable[..., Any] = RefDict


class RefSetType(SetType):
    """``set[Resident]``; the names are kept in a plain tracked set."""


def is_entity_class(annotation: Any) -> bool:
    """Say whether an annotation is an entity class."""
    return isinstance(annotation, type) and getattr(annotation, "is_entity", False)


def reference_type(annotation: Any, field: Field, field_type_of: Callable[[Any, Field], FieldType]) -> FieldType | None:
    """Return the field type of a reference, or of a container of references; None if the annotation is neither.

    Args:
        annotation: what was declared.
        field: the field it was declared for.
        field_type_of: makes the field type of a dict's keys.
    """
    if is_entity_class(annotation):
        return RefType(annotation, field)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (list, dict, set) and is_entity_class(arguments[-1]):
        items = RefType(arguments[-1], field)
        if origin is dict:
            return RefDictType(annotation, field, field_type_of(arguments[0], Field()), items)
        return (RefListType if origin is list else RefSetType)(annotation, field, items)
    return None


def name_references(value: Any) -> Any:
    """Return a kept value with every entity that it refers to replaced by its name, now that it joins a world.

    Raises:
        WorldError: it refers to an entity that has not been added to the world yet.
    """
    if is_entity_class(type(value)):
        return _named(value)
    if isinstance(value, RefList):
        list.__setitem__(value, slice(None), [_named(reference) for reference in list.__iter__(value)])
    elif isinstance(value, RefDict):
        for key, reference in list(dict.items(value)):
            dict.__setitem__(value, key, _named(reference))
    elif isinstance(value, TrackedSet) and isinstance(value._items, RefType):
        names = [_named(reference) for reference in list(set.__iter__(value))]
        set.clear(value)
        set.update(value, names)
    elif isinstance(value, Tracked):
        for child in children_of(value):
            name_references(child)
    return value


def _named(reference: Any) -> str:
    if type(reference) is str:
        return reference
    name = name_of(reference)
    if name is None:
        raise WorldError(f"it refers to a {type(reference).__name__} that is not in the world yet: add that one first")
    return name
