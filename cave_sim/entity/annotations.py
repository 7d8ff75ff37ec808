"""From an annotation to the type of a field: which types may enter a world."""

from __future__ import annotations

import inspect
import types
import typing
from collections import abc
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter
from typing import Any

import pydantic

from cave_sim.entity.argument_shapes import shape_check
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.field import Field
from cave_sim.entity.keepable import check_keepable
from cave_sim.entity.nested_types import DictType, ListType, OpaqueType, OptionalType, PlainType, SetType, inner_type
from cave_sim.entity.references import RefSetType, RefType, is_entity_class, not_an_entity, reference_type
from cave_sim.entity.types import FieldType, ValueType, is_scalar
from cave_sim.entity.values import NodeCounter
from cave_sim.errors import SchemaError

_BUILT = {abc.MutableSequence: list, abc.MutableMapping: dict, abc.MutableSet: set}
"""What a field holds that is declared by what can be done to it."""


def field_type_of(annotation: Any, field: Field) -> FieldType:
    """Return the field type for an annotation; raises TypeError for a type that may not enter a world."""
    if (reference := reference_type(annotation, field, field_type_of)) is not None:
        return reference
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in (Any, object):
        return PlainType(annotation, field)
    if origin in (typing.Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        inner = field_type_of(next(part for part in arguments if part is not type(None)), field)
        if not isinstance(inner, ValueType):
            return OptionalType(annotation, field, inner)
    container = _BUILT.get(origin or annotation, origin or annotation)
    if container in (list, dict, set):
        parts = [
            field_type_of(part, _items_of(field)) for part in arguments or (Any,) * (2 if container is dict else 1)
        ]
        if any(isinstance(inner_type(part), RefSetType) for part in parts):
            raise TypeError(
                f"{annotation}: a set of entities within another container is not kept; declare a list of them there"
            )
        build: Any = {list: ListType, dict: DictType, set: SetType}[container]
        built: FieldType = build(annotation, field, *parts)
        return built
    if isinstance(annotation, type) and (codec := codec_of(annotation)) is not None:
        return OpaqueType(annotation, field, codec)
    return _value_type(annotation, field)


def _items_of(field: Field) -> Field:
    """The bounds of a container's field are meant for its items."""
    return Field(ge=field.ge, le=field.le)


def _value_type(annotation: Any, field: Field) -> ValueType:
    if not is_scalar(annotation):
        check_keepable(annotation)
    return ValueType(annotation, field)


Check = Callable[[Any], Any]
"""Returns the value as a method is to get it; raises SchemaError for one that does not fit."""


class Arguments:
    """The checks of one method, made from its annotations.

    Args:
        method: the method.
        annotations: its annotations as types.
    """

    def __init__(self, method: Callable[..., Any], annotations: Mapping[str, Any]) -> None:
        self._positional: list[tuple[str, Check | None]] = []
        self._by_keyword: dict[str, Check | None] = {}
        self._more: Check | None = None
        self._more_by_keyword: Check | None = None
        for name, parameter in inspect.signature(method).parameters.items():
            check = _check_of(annotations[name]) if name in annotations else None
            if parameter.kind is Parameter.VAR_POSITIONAL:
                self._more = check
            elif parameter.kind is Parameter.VAR_KEYWORD:
                self._more_by_keyword = check
            elif name != "self":
                if parameter.kind is not Parameter.KEYWORD_ONLY:
                    self._positional.append((name, check))
                if parameter.kind is not Parameter.POSITIONAL_ONLY:
                    self._by_keyword[name] = check

    def fitted(
        self, label: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """Return the arguments as the method gets them, a member of an Enum where its value was given.

        Raises:
            SchemaError: one does not fit; names the call, the argument and the rule.
        """
        fitted = []
        for name, check, value in self._given(args, kwargs):
            try:
                fitted.append(value if check is None else check(value))
            except SchemaError as error:
                raise SchemaError(f"{label}({name}=...): {error}") from None
        return tuple(fitted[: len(args)]), dict(zip(kwargs, fitted[len(args) :], strict=True))

    def _given(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[tuple[str, Check | None, Any]]:
        for (name, check), value in zip(self._positional, args, strict=False):
            yield name, check, value
        for place, value in enumerate(args[len(self._positional) :], len(self._positional) + 1):
            yield f"argument {place}", self._more, value
        for name, value in kwargs.items():
            yield name, self._by_keyword.get(name, self._more_by_keyword), value


def _check_of(annotation: Any) -> Check | None:
    """Return the check of one annotation, or None where there is nothing to say at once.

    ``SkipValidation[...]`` is told and not checked.
    """
    if any(isinstance(each, pydantic.SkipValidation) for each in getattr(annotation, "__metadata__", ())):
        return None
    bare = typing.get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    is_container = (typing.get_origin(bare) or bare) in (list, dict, set, tuple)
    if typing.get_origin(bare) is type or (is_container and not mentions_entity(annotation)):
        return shape_check(annotation)
    if bare is Any or _mixes(bare):
        return None
    try:
        field_type = field_type_of(bare if is_container else annotation, Field())
    except (TypeError, NameError):
        return None if mentions_entity(annotation) else shape_check(annotation)
    if is_container:
        return _entities_check(field_type)
    inner = inner_type(field_type)
    if isinstance(inner, RefType):
        return _entity_check(inner.annotation, optional=inner is not field_type)
    return _scalar_check(field_type) if isinstance(field_type, ValueType) else shape_check(annotation)


def mentions_entity(annotation: Any) -> bool:
    """Say whether an annotation is a class of entities, or has one among its parts."""
    return is_entity_class(annotation) or any(map(mentions_entity, typing.get_args(annotation)))


def _mixes(annotation: Any) -> bool:
    """Say whether a union offers an entity beside something else: ``Place | str``."""
    members = [member for member in typing.get_args(annotation) if member is not type(None)]
    return len(members) > 1 and any(map(is_entity_class, members))


def _entity_check(kind: type, *, optional: bool) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, kind) and not (optional and value is None):
            raise not_an_entity(kind, value)
        return value

    return check


def _entities_check(field_type: FieldType) -> Check:
    """A container of entities is what a field of its type would take; the method gets it as it is."""

    def check(value: Any) -> Any:
        field_type.admit(value, NodeCounter())
        return value

    return check


def _scalar_check(field_type: FieldType) -> Check:
    fast = field_type.fast() or (lambda value: field_type.admit(value, NodeCounter()))
    is_plain = is_scalar(field_type.annotation)

    def check(value: Any) -> Any:
        meant = fast(value)
        return value if is_plain or type(meant) is type(value) else meant

    return check
