"""Namespaces: each agent's own variables, which persist from cell to cell and which no other agent sees."""

from __future__ import annotations

from typing import Any

from cave_sim.codecs import codec_named, codec_of
from cave_sim.containers import Tracked
from cave_sim.entity import Entity
from cave_sim.errors import SchemaError
from cave_sim.fields import Field
from cave_sim.nested import PlainSpec
from cave_sim.runtime.cell import CellCache
from cave_sim.values import Budget

_RESERVED = frozenset({"__builtins__", "__name__", "me"})


class Namespace:
    """The runtime stream of one agent (CaveAgent §3.1).

    Attributes:
        cells: compiles what must be defined again.
        globals: what its cells run in; world names come from the scope behind it.
        sources: the source of each function and class that its cells defined, so that they can be kept.
    """

    def __init__(self, agent: str, scope: dict[str, Any], cells: CellCache) -> None:
        self.agent = agent
        self.globals: dict[str, Any] = {"__builtins__": scope, "__name__": "__main__"}
        self.cells = cells
        self.sources: dict[str, str] = {}

    def variables(self) -> dict[str, Any]:
        """Return the agent's own variables by name."""
        return {name: value for name, value in self.globals.items() if name not in _RESERVED}

    def snapshot(self) -> tuple[dict[str, Any], list[str]]:
        """Return the variables as plain data, and the names of those that cannot be kept."""
        kept: dict[str, Any] = {}
        lost: list[str] = []
        for name, value in self.variables().items():
            try:
                kept[name] = self._encode(name, value)
            except SchemaError:
                lost.append(name)
        return kept, lost

    def _encode(self, name: str, value: Any) -> Any:
        if isinstance(value, Entity):
            return {"$ref": value._name}
        if isinstance(value, Tracked) and value._owner is not None:
            owner, field = value._owner, value._field
            if owner.__dict__.get(field) is value and owner._name is not None:
                return {"$at": [owner._name, field]}
        if name in self.sources and callable(value):
            return {"$source": self.sources[name]}
        codec = codec_of(type(value))
        if codec is not None:
            return {"$codec": codec.type.__name__, "data": codec.snapshot(value)}
        spec = PlainSpec(Any, Field())
        return {"$data": spec.encode(spec.admit(value, Budget()))}

    def restore(self, kept: dict[str, Any], entities: dict[str, Entity], define: Any) -> None:
        """Bind the variables that :meth:`snapshot` kept.

        Args:
            kept: the snapshot.
            entities: the world's entities by name.
            define: runs the source of a function or class in this namespace, under the world's policy.
        """
        for name, data in kept.items():
            if "$source" in data:
                define(self, data["$source"])
                self.sources[name] = data["$source"]
            else:
                self.globals[name] = _decode(data, entities)


def _decode(data: dict[str, Any], entities: dict[str, Entity]) -> Any:
    if "$ref" in data:
        return entities.get(data["$ref"])
    if "$at" in data:
        owner, field = data["$at"]
        return getattr(entities.get(owner), field, None)
    if "$codec" in data:
        return codec_named(data["$codec"]).restore(data["data"])
    return PlainSpec(Any, Field()).decode(data["$data"])
