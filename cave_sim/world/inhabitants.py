"""Who lives in a world, by name, to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from cave_sim.diagnostics.attribute_hints import AttributeHints
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError

COMES, GOES = "world.add(name, entity) lets an entity in, once", "world.remove(name) lets an entity go"
MEANT = {
    **dict.fromkeys(("add", "append", "update", "setdefault", "insert"), COMES),
    **dict.fromkeys(("remove", "pop", "popitem", "clear", "discard"), GOES),
}
"""What changes a dict, and what is meant by it here."""


class Inhabitants(AttributeHints, Mapping[str, Entity]):
    """Entities by name, as a mapping that is only read: whoever were put in here would not be in the world.

    Args:
        entities: the entities, in the order in which they are to be had.
    """

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._entities = entities

    def __getitem__(self, name: str) -> Entity:
        return self._entities[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __len__(self) -> int:
        return len(self._entities)

    def __setitem__(self, name: str, entity: object) -> NoReturn:
        raise WorldError(f"world.entities[{name!r}] = ...: {COMES}")

    def __delitem__(self, name: str) -> NoReturn:
        raise WorldError(f"del world.entities[{name!r}]: {GOES}")

    def _attribute_hint(self, name: str) -> str:
        return f"; {MEANT[name]}" if name in MEANT else super()._attribute_hint(name)

    def __repr__(self) -> str:
        return repr(self._entities)
