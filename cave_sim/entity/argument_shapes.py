"""What an argument has to be where its annotation is a class, a dictionary of named items, or a container of such."""

from __future__ import annotations

import functools
import json
import operator
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import pydantic
import typing_extensions

from cave_sim.entity.strict_adapter import schema_parts, strict_adapter
from cave_sim.entity.types import first_error
from cave_sim.errors import SchemaError

UNCHECKED = frozenset({"any", "generator"})
"""Pydantic's words for what says nothing, and for what would be used up by looking."""
OBJECTS = frozenset({"dataclass", "model", "enum"})
"""Its words for what plain data can stand for."""
CLOSED = pydantic.ConfigDict(extra="forbid", strict=True)
NOT_KNOWN = (pydantic.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError, TypeError, NameError)


def shape_check(annotation: Any) -> Callable[[Any], Any] | None:
    """Return the check of an argument, or None where there is nothing to say.

    The check returns the argument itself if it fits as it is. Plain data that stands for an object, as a dictionary
    for a dataclass or a model, the value for the member of an Enum, comes back as that object. It raises SchemaError.
    """
    if typing_extensions.is_protocol(annotation):
        return None
    try:
        shape = _closed(annotation)
        adapter = strict_adapter(shape)
    except NOT_KNOWN:
        return _instance_check(annotation)
    if adapter.core_schema["type"] in UNCHECKED:
        return None
    data_adapter = functools.cache(lambda: strict_adapter(shape, closed=True))
    has_objects = any(part["type"] in OBJECTS for part in schema_parts(adapter.core_schema))

    def check(value: Any) -> Any:
        try:
            meant = adapter.validate_python(value, strict=True)
        except pydantic.ValidationError as error:
            if has_objects and (data := _as_json(value)):
                return _from_json(data_adapter(), data, value)
            raise SchemaError(first_error(error, value)) from None
        if _alike(value, meant):
            return value
        return _from_json(data_adapter(), data, value) if has_objects and (data := _as_json(value)) else meant

    return check


def _instance_check(annotation: Any) -> Callable[[Any], Any] | None:
    if not isinstance(annotation, type) or typing.is_typeddict(annotation):
        return None

    def check(value: Any) -> Any:
        if not isinstance(value, annotation):
            raise SchemaError(f"Input should be a {annotation.__name__} (got a {type(value).__name__})")
        return value

    return check


def _as_json(value: Any) -> str:
    """Return plain data as JSON; "" for what is no plain data."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return ""


def _from_json(adapter: pydantic.TypeAdapter[Any], data: str, value: Any) -> Any:
    """Return what plain data stands for, by pydantic's strict rules for JSON; raises SchemaError."""
    try:
        return adapter.validate_json(data, strict=True)
    except pydantic.ValidationError as error:
        raise SchemaError(first_error(error, value)) from None


def _alike(value: Any, meant: Any) -> bool:
    """Say whether nothing was made of a value but what it is."""
    if not isinstance(value, type(meant)):
        return False
    if isinstance(meant, Mapping):
        return value.keys() == meant.keys() and all(_alike(value[key], item) for key, item in meant.items())
    if isinstance(meant, list | tuple):
        return len(value) == len(meant) and all(map(_alike, value, meant))
    return True


def _closed(annotation: Any) -> Any:
    """Return an annotation whose dictionaries of named items have no other items, for pydantic to read."""
    if typing.is_typeddict(annotation):
        return _closed_dictionary(annotation)
    given = typing.get_args(annotation)
    parts = tuple(_closed(part) if isinstance(part, type) or typing.get_args(part) else part for part in given)
    if all(map(operator.is_, parts, given)):
        return annotation
    if isinstance(annotation, types.UnionType):
        return functools.reduce(operator.or_, parts)
    if hasattr(annotation, "__metadata__"):
        return typing.Annotated[parts[0], *annotation.__metadata__]
    return (typing.get_origin(annotation) or annotation)[parts]


def _closed_dictionary(kind: Any) -> Any:
    items = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        while typing_extensions.get_origin(hint) in (typing_extensions.Required, typing_extensions.NotRequired):
            (hint,) = typing.get_args(hint)
        needed = name in kind.__required_keys__
        items[name] = (typing_extensions.Required if needed else typing_extensions.NotRequired)[_closed(hint)]
    make: Any = typing_extensions.TypedDict
    closed = make(kind.__name__, items)
    closed.__pydantic_config__ = getattr(kind, "__pydantic_config__", CLOSED)
    return closed
