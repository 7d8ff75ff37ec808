"""What can be called in a cell, as data: name, description, parameters as a JSON schema, and the check of arguments.

Methods of entities, injected functions and tools with effects all go by this: what a model is shown is what is checked.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal

import msgspec
import pydantic

from cave_sim.entity.annotations import Arguments
from cave_sim.entity.entity import Entity
from cave_sim.entity.strict_adapter import strict_adapter


class ToolSignature:
    """The signature of one callable.

    Args:
        function: what is called.
        hints: its annotations as types; found out unless given.

    Attributes:
        function: what is called.
        hints: its annotations as types; those that cannot be resolved say nothing.
    """

    def __init__(self, function: Callable[..., Any], hints: Mapping[str, Any] | None = None) -> None:
        self.function = function
        self.hints: Mapping[str, Any] = _hints(function) if hints is None else hints
        self._arguments: Arguments | None = None

    @property
    def about(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def references(self) -> frozenset[str]:
        """The parameters that take an entity; where arguments are JSON, they take its name."""
        return frozenset(name for name, _ in self._named() if _is_entity(self.hints.get(name)))

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The parameters as a JSON schema: ``{"type": "object", "properties": {...}, "required": [...]}``.

        What classes look like stands under ``$defs`` of the whole, where a reference in any of them is looked up.
        """
        properties: dict[str, Any] = {}
        definitions: dict[str, Any] = {}
        for name, _ in self._named():
            hint = self.hints.get(name, Any)
            named = {"type": "string", "description": f"name of a {getattr(hint, '__name__', hint)}"}
            properties[name] = named if name in self.references else _schema(hint, name, definitions)
        required = [name for name, parameter in self._named() if parameter.default is parameter.empty]
        whole = {"type": "object", "properties": properties, "required": required}
        return whole | ({"$defs": definitions} if definitions else {})

    def fitted(
        self, label: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """Return the arguments as the function gets them, if every one fits its annotation, strictly.

        Raises:
            SchemaError: one does not; names it.

        Which arguments there are is left to the call itself.
        """
        if self._arguments is None:
            self._arguments = Arguments(self.function, self.hints)
        return self._arguments.fitted(label, args, kwargs)

    def fitted_json(
        self, label: str, arguments: Mapping[str, Any], bytes_as: Literal["base64", "utf8"] = "base64"
    ) -> Mapping[str, Any]:
        """Return arguments that are JSON as the function gets them: tuples, sets, dates and bytes again.

        Raises:
            SchemaError: one does not fit; names it.
        """
        shaped = {name: _of_json(self.hints.get(name), value, bytes_as) for name, value in arguments.items()}
        return self.fitted(label, (), shaped)[1]

    def _named(self) -> list[tuple[str, inspect.Parameter]]:
        try:
            parameters = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return []
        stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return [(name, each) for name, each in parameters.items() if name != "self" and each.kind not in stars]


@lru_cache(1024)
def signature_of(function: Callable[..., Any]) -> ToolSignature:
    """Return the signature of a function, made once."""
    return ToolSignature(function)


def _is_entity(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Entity)


def _schema(hint: Any, name: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return what a parameter takes; adds the classes that it refers to, under names that mean one thing each."""
    try:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(hint)
        schema = adapter.json_schema()
        own = schema.get("$defs", {})
        if any(definitions.get(each, own[each]) != own[each] for each in own):
            schema = adapter.json_schema(ref_template=f"#/$defs/{name}_{{model}}")
            own = {f"{name}_{each}": about for each, about in schema["$defs"].items()}
    except (pydantic.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError):
        return {}
    definitions.update(own)
    return {key: value for key, value in schema.items() if key not in ("title", "$defs")}


def _of_json(annotation: Any, value: Any, bytes_as: Literal["base64", "utf8"]) -> Any:
    """Return what JSON kept of an argument as what it is declared to be; as it is where that says nothing."""
    bare = typing.get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    if (typing.get_origin(bare) or bare) not in (bytes, list, dict, set, frozenset, tuple):
        return value
    try:
        adapter: pydantic.TypeAdapter[Any] = strict_adapter(bare, val_json_bytes=bytes_as)
        return adapter.validate_json(msgspec.json.encode(value), strict=True)
    except (pydantic.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError, pydantic.ValidationError):
        return value  # which the check refuses, where it says anything


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}
