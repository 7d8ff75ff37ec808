"""Which types a field can be declared of: those whose values are plain data, come back as they were, and lie still."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pydantic

from cave_sim.entity.identity import EntityBase
from cave_sim.entity.strict_adapter import is_model, schema_parts, strict_adapter

INSTEAD = {
    "deque": "list",
    "counter": "dict[..., int]",
    "ordered-dict": "dict, which keeps the order of its keys",
    "generator": "list",
    "complex": "tuple[float, float]",
    "typed-dict": "dict, or a frozen dataclass",
    "callable": "a method of the entity, and a field that says when it is called",
}
"""What to write in the place of types that would lose writes, or would not come back: by pydantic's names for them."""
_ENTITY = "an entity is referred to by itself, or in a list, dict or set: Place, Place | None, list[Place]"


def check_keepable(annotation: Any) -> None:
    """Return if values of a type can be kept in a world.

    Raises:
        TypeError: they cannot; says what to write instead.
    """
    name = getattr(annotation, "__name__", None) or str(annotation)
    if is_model(annotation) and not annotation.model_config.get("frozen"):
        raise TypeError(f"{name} can change without the world noticing: make it frozen, or an Entity")
    if dataclasses.is_dataclass(annotation) and not annotation.__dataclass_params__.frozen:  # type: ignore[union-attr]
        raise TypeError(
            f"{name} can change without the world noticing: write @dataclass(frozen=True), or make it an Entity"
        )
    try:
        adapter = strict_adapter(annotation)
        schemas = list(schema_parts(adapter.core_schema))
        for schema in schemas:
            if (instead := _instead(schema)) is not None:
                raise TypeError(f"{name} may not enter a world. Write {instead}")
        adapter.json_schema()
    except (pydantic.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError):
        raise TypeError(
            f"{name} may not enter a world. Use plain data, a frozen pydantic model or dataclass, another Entity, "
            f"or register_codec({name}, snapshot, restore)"
        ) from None


def _instead(schema: Mapping[str, Any]) -> str | None:
    """Return what to write in the place of a part of a type; None where that part can be kept."""
    if schema["type"] != "is-instance":
        return INSTEAD.get(schema["type"])
    kind = schema["cls"]
    if isinstance(kind, type) and issubclass(kind, EntityBase):
        return _ENTITY
    base = next((plain for plain in (dict, list, set) if isinstance(kind, type) and issubclass(kind, plain)), None)
    return base.__name__ if base else None
