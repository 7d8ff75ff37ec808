"""A state that is plain data, read like a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.entity.json_form import read_world_value
from cave_sim.errors import WorldError

Entities = Mapping[str, Mapping[str, Any]]
"""Name -> ``{"type": class, "fields": {...}}``, as :func:`cave_sim.journal.rebuild.entities_at` gives it."""


class PlainWorld:
    """A state, read like a world: ``state["town"].treasury_cents``, ``"ann" in state``, ``state.all("Resident")``.

    Values are as JSON has them; references to entities are followed, arrays and graphs stay data.

    Args:
        entities: the state; it is not copied.
    """

    def __init__(self, entities: Entities) -> None:
        self.entities = entities

    def __getitem__(self, name: str) -> PlainEntity:
        if name not in self.entities:
            raise WorldError(f"there is no {name!r} in this state")
        return PlainEntity(self, name)

    def __contains__(self, name: object) -> bool:
        return name in self.entities

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.entities if not name.startswith("$"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def all(self, kind: str) -> list[PlainEntity]:
        """Return the entities of the class with this very name, by name; subclasses have names of their own."""
        return [self[name] for name in sorted(self) if self.entities[name]["type"] == kind]


class PlainEntity:
    """One entity of a state. Its fields are attributes."""

    __slots__ = ("_name", "_world")

    def __init__(self, world: PlainWorld, name: str) -> None:
        self._world, self._name = world, name

    @property
    def _data(self) -> Mapping[str, Any]:
        return self._world.entities[self._name]

    def __getattr__(self, field: str) -> Any:
        fields = self._data["fields"]
        if field not in fields:
            raise AttributeError(f"{self._name} ({self._data['type']}) has no field {field!r} in this state")
        return read_world_value(fields[field], self._reference)

    def field_names(self) -> list[str]:
        """Return the names of its fields."""
        return list(self._data["fields"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainEntity) and other._name == self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __repr__(self) -> str:
        return f"<{self._data['type']} {self._name}>"

    def _reference(self, name: str) -> PlainEntity | None:
        return PlainEntity(self._world, name) if name in self._world else None


def plain_name(entity: PlainEntity) -> str:
    """Return the name of an entity of a state, which has no attributes but its fields."""
    return entity._name
