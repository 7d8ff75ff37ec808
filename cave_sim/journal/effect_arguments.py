"""Whether arguments that people edited are such as a tool takes, by the schema that its run keeps.

A run's file may be anybody's, so its schema is only looked at: no reference is followed, no pattern is matched. What
only the tool itself can tell is told when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.entity.types import short
from cave_sim.errors import SchemaError

SCHEMAS = "effect_schemas"
"""The entry of a manifest that holds, for each tool whose requests waited for people, what it takes."""
DEEPEST = 20
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def expect_taken(schema: Any, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that a tool does not take.

    Args:
        schema: what it takes, as :attr:`~cave_sim.world.tool_signature.ToolSignature.schema` has it.
        arguments: all of them, by name.

    Raises:
        SchemaError: one is missing, unknown, or of another type; names it.
    """
    known = _of(schema, "properties", dict)
    if missing := [name for name in _of(schema, "required", list) if name not in arguments]:
        raise SchemaError(f"missing a required argument: {missing[0]!r}")
    for name, value in arguments.items():
        if name not in known:
            raise SchemaError(f"got an unexpected keyword argument {name!r}; it takes {', '.join(map(str, known))}")
        if why := _misfit(known[name], value, DEEPEST):
            raise SchemaError(f"argument {name}: {why}")


def _misfit(schema: Any, value: Any, deep: int) -> str:
    """Return why a value is none of a schema; empty where it is one, or the schema does not say."""
    if not isinstance(schema, dict) or not deep:
        return ""
    if options := _of(schema, "anyOf", list):
        whys = [_misfit(option, value, deep - 1) for option in options]
        return "" if "" in whys else " or ".join(dict.fromkeys(whys))
    if (allowed := _of(schema, "enum", list)) and value not in allowed:
        one_of = short(", ".join(map(str, allowed)))
        return f"takes one of {one_of} (got {short(value)})"
    fits = _TYPES.get(kind) if isinstance(kind := schema.get("type"), str) else None
    if fits is not None and not fits(value):
        return f"takes {kind} (got {short(value)})"
    items, others = schema.get("items"), schema.get("additionalProperties")
    parts = value if isinstance(value, list) else []
    whys = [f"item {at}: {why}" for at, part in enumerate(parts) if (why := _misfit(items, part, deep - 1))]
    if isinstance(value, dict) and not _of(schema, "properties", dict):
        whys += [f"{key!r}: {why}" for key, part in value.items() if (why := _misfit(others, part, deep - 1))]
    return next(iter(whys), "")


def _of(schema: Any, key: str, kind: type[Any]) -> Any:
    """Return an entry of a schema; an empty one where there is none of that kind."""
    entry = schema.get(key) if isinstance(schema, dict) else None
    return entry if isinstance(entry, kind) else kind()
