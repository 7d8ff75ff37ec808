"""References between entities: kept by name, read as the live entity, written as ``{"$ref": name}``.

Because only the name is kept, a reference never holds a stale object alive, and a restored world needs no wiring.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.entity.containers import Tracked, TrackedSet, children_of
from cave_sim.entity.field import Field
from cave_sim.entity.identity import label_of, live, name_of
from cave_sim.entity.json_form import REF
from cave_sim.entity.nested_types import DictType, ListType, SetType
from cave_sim.entity.reference_containers import RefDict, RefList, RefSet, kept_form, name_in_world
from cave_sim.entity.types import FieldType, short
from cave_sim.entity.values import NodeCounter
from cave_sim.entity.visibility import tellable
from cave_sim.errors import SchemaError, WorldError


def reference_data(target: Any) -> dict[str, Any] | None:
    """Return what is kept of a reference as plain data; None where it refers to nobody."""
    return None if target is None else {REF: target if type(target) is str else name_of(target)}


def not_an_entity(kind: type, value: Any) -> SchemaError:
    """Return what refuses a value that is no entity of a class; of a name in quotation marks it tells the way out."""
    way_out = f"; an entity is written without quotes: {value}" if type(value) is str and value.isidentifier() else ""
    return SchemaError(f"Input should be a {kind.__name__} of this world (got {short(value)}{way_out})")


class RefType(FieldType):
    """A field whose annotation is an Entity type. What is kept is a name, or the entity itself before it has one."""

    kind = "reference"

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        if not isinstance(value, self.annotation):
            raise not_an_entity(self.annotation, value)
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
        return name_in_world(value)
    if isinstance(value, RefList):
        list.__setitem__(value, slice(None), [name_in_world(reference) for reference in list.__iter__(value)])
    elif isinstance(value, RefDict):
        for key, reference in list(dict.items(value)):
            dict.__setitem__(value, key, name_in_world(reference))
    elif isinstance(value, TrackedSet) and isinstance(value._items, RefType):
        names = [name_in_world(reference) for reference in list(set.__iter__(value))]
        set.clear(value)
        set.update(value, names)
    elif isinstance(value, Tracked):
        for child in children_of(value):
            name_references(child)
    return value
