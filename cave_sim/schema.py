"""From an annotation to the spec of its values: which types may enter a world."""

from __future__ import annotations

import types
import typing
from typing import Any

import pydantic

from cave_sim.codecs import codec_of
from cave_sim.fields import Field
from cave_sim.nested import DictSpec, ListSpec, OpaqueSpec, OptionalSpec, PlainSpec, SetSpec
from cave_sim.references import reference_spec
from cave_sim.spec import Spec, ValueSpec, is_model


def spec_of(annotation: Any, field: Field) -> Spec:
    """Return the spec for an annotation; raises TypeError for a type that may not enter a world."""
    if (reference := reference_spec(annotation, field, spec_of)) is not None:
        return reference
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in (Any, object):
        return PlainSpec(annotation, field)
    if origin in (typing.Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        inner = spec_of(next(each for each in arguments if each is not type(None)), field)
        if not isinstance(inner, ValueSpec):
            return OptionalSpec(annotation, field, inner)
    container = origin or annotation
    if container in (list, dict, set):
        parts = [spec_of(each, _items_of(field)) for each in arguments or (Any,) * (2 if container is dict else 1)]
        build: Any = {list: ListSpec, dict: DictSpec, set: SetSpec}[container]
        found: Spec = build(annotation, field, *parts)
        return found
    if isinstance(annotation, type) and (codec := codec_of(annotation)) is not None:
        return OpaqueSpec(annotation, field, codec)
    return _value_spec(annotation, field)


def _items_of(field: Field) -> Field:
    """The bounds of a container's field are meant for its items."""
    return Field(ge=field.ge, le=field.le)


def _value_spec(annotation: Any, field: Field) -> ValueSpec:
    if is_model(annotation) and not annotation.model_config.get("frozen"):
        raise TypeError(f"{annotation.__name__} can change without the world noticing: make it frozen, or an Entity")
    if isinstance(annotation, type) and not is_model(annotation) and not _pydantic_knows(annotation):
        raise TypeError(
            f"{annotation.__name__} may not enter a world. Use plain data, a frozen pydantic model, another Entity, "
            f"or register_codec({annotation.__name__}, snapshot, restore)"
        )
    return ValueSpec(annotation, field)


def _pydantic_knows(annotation: type) -> bool:
    try:
        pydantic.TypeAdapter(annotation)
    except pydantic.PydanticSchemaGenerationError:
        return False
    return True
