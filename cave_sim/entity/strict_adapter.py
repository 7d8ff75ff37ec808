"""What pydantic checks values of a type with: strictly, and down into instances, which their classes need not check."""

from __future__ import annotations

import copy
import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pydantic
import typing_extensions
from pydantic_core import SchemaValidator

STRICT = pydantic.ConfigDict(strict=True, allow_inf_nan=False, arbitrary_types_allowed=True)
CLASSES = ("model", "dataclass")
FIELDS = ("model-fields", "dataclass-args")
"""Pydantic's words for schemas of classes, and of what they are made of."""


def is_model(annotation: Any) -> bool:
    """Say whether an annotation is a pydantic model."""
    return isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel)


def has_own_config(annotation: Any) -> bool:
    """Say whether pydantic takes the rules for a type from the type itself, and none from who asks."""
    return is_model(annotation) or dataclasses.is_dataclass(annotation) or typing_extensions.is_typeddict(annotation)


def strict_adapter(annotation: Any, *, closed: bool = False, **config: Any) -> pydantic.TypeAdapter[Any]:
    """Return what checks values of a type; instances are made anew, their fields checked.

    A dataclass takes whatever it is made of, and so does a copy of a model with other values.

    Args:
        annotation: the type.
        closed: whether data with names that a class has no field for do not stand for it, unless it says otherwise.
        config: further settings of pydantic's; a class has its own, and takes none.

    Raises:
        pydantic.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError: pydantic knows no such type.
    """
    bare = typing.get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    given: Any = None if has_own_config(bare) else {**STRICT, **config}
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(annotation, config=given)
    if any(part["type"] in CLASSES for part in schema_parts(adapter.core_schema)):
        schema = copy.deepcopy(adapter.core_schema)  # that of a class is the class's
        for part in schema_parts(schema):
            if part["type"] in CLASSES:
                part["revalidate_instances"] = "always"
                fields, says = part["schema"], "extra_fields_behavior" in part.get("config", {})
                if closed and not says and fields["type"] in FIELDS:
                    fields["extra_behavior"] = "forbid"
        adapter.validator = _validator(schema)
    return adapter


def schema_parts(part: Any) -> Iterator[dict[str, Any]]:
    """Yield pydantic's schemas of a type and of all that its values hold."""
    if isinstance(part, dict):
        if isinstance(part.get("type"), str):
            yield part
        for key, inner in part.items():
            if key not in ("metadata", "serialization", "ref"):
                yield from schema_parts(inner)
    elif isinstance(part, (list, tuple)):
        for inner in part:
            yield from schema_parts(inner)


def _validator(schema: Any) -> SchemaValidator:
    try:
        return SchemaValidator(schema, _use_prebuilt=False)  # those that classes have look into no instance
    except TypeError:
        return SchemaValidator(schema)  # of a pydantic that takes none from classes
