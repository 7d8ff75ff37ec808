"""``world`` in a cell: a view of the world that looks up, and adds and removes with the right to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cave_sim.entity import Entity
from cave_sim.errors import Blocked, WorldError
from cave_sim.policy.guards import facade_type
from cave_sim.policy.permissions import Rights
from cave_sim.register import HIDDEN
from cave_sim.state import WorldState


@facade_type
class WorldView:
    """``world`` in a cell: look entities up by any name, and add or remove them with the right to."""

    __slots__ = ("_world",)

    def __init__(self, world: WorldState) -> None:
        self._world = world

    def __getitem__(self, name: str) -> Any:
        if type(name) is str and name[:1] == HIDDEN:
            raise Blocked(f"{name!r} belongs to the world alone")
        return self._world[name]

    def __contains__(self, name: object) -> bool:
        return type(name) is str and name[:1] != HIDDEN and name in self._world

    def __iter__(self) -> Iterator[str]:
        return iter(self._world)

    def all(self, kind: type[Entity] | str) -> tuple[Entity, ...]:
        """Return the entities of a class, or of the class of that name, sorted by name."""
        if isinstance(kind, str):
            found = next((each for each in self._world.types if each.__name__ == kind), None)
            if found is None:
                raise WorldError(f"no entity class is called {kind!r}; these are: {self._kinds()}")
            kind = found
        return self._world.all(kind)

    def add(self, name: str, entity: Entity) -> Entity:
        """Add an entity; for agents that may change who and what there is."""
        return self._changing_population("add", lambda: self._world.add(name, entity))

    def remove(self, name: str) -> Entity:
        """Remove an entity; for agents that may change who and what there is."""
        return self._changing_population("remove", lambda: self._world.remove(name))

    def _changing_population(self, verb: str, act: Callable[[], Entity]) -> Entity:
        ledger = self._world._ledger
        rights = ledger.guard
        if isinstance(rights, Rights) and not rights.may_change_population():
            rights.refuse(f"{rights.agent} may not {verb} entities; an agent granted '*' may")
        ledger.guard = None
        try:
            return act()
        finally:
            ledger.guard = rights

    def _kinds(self) -> str:
        return ", ".join(kind.__name__ for kind in self._world.types)

    def __repr__(self) -> str:
        return "<world>"
