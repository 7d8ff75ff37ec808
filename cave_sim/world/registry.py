"""Who and what there is: the entities of a world by name and by class. Comings and goings are noted like any write."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cave_sim.entity.entity import Entity
from cave_sim.entity.references import name_references
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.errors import WorldError

E = TypeVar("E", bound=Entity)
HIDDEN = "$"
"""Names of entities that a world keeps for itself start with it; no cell can spell them."""


class EntityRegistry:
    """The entities of one world.

    Args:
        undo_log: holds them by name, for references, and notes who comes and goes.
        arrived: told of every entity that is there from now on.
        left: told of every entity that is there no longer.
    """

    def __init__(
        self, undo_log: UndoLog, arrived: Callable[[str, Entity], None], left: Callable[[str, Entity], None]
    ) -> None:
        self._undo_log, self._arrived, self._left = undo_log, arrived, left
        self.by_type: dict[type[Entity], dict[str, Entity]] = {}
        self._sorted: dict[type[Entity], tuple[Entity, ...]] = {}

    def check_new(self, name: str, entity: Entity) -> None:
        """Raise WorldError, saying why, if the entity cannot be added under this name."""
        if not isinstance(entity, Entity):
            raise WorldError(f"add {name!r}: {type(entity).__name__} is no Entity; use inject for other objects")
        if type(name) is not str or not name or name[0] in "$_":
            raise WorldError(f"add {name!r}: a name is a text that starts with neither '_' nor '$'")
        if name in self._undo_log.entities:
            taken = type(self._undo_log.entities[name]).__name__
            raise WorldError(f"add {name!r}: that name is taken by a {taken}; choose another, or remove that one first")
        if entity._name is not None:
            raise WorldError(f"add {name!r}: this entity is in a world already, as {entity._name!r}")

    def enter(self, name: str, entity: Entity) -> None:
        """Add an entity, noting it."""
        for field, kept in entity.__dict__.items():
            if field not in entity._fast and kept is not None:
                entity.__dict__[field] = name_references(kept)
        self._note(name, MISSING)
        self.place(name, entity)

    def leave(self, name: str) -> None:
        """Remove an entity, noting it."""
        self._note(name, self._undo_log.entities[name])
        self.displace(name)

    def place(self, name: str, entity: Entity) -> None:
        """Add an entity without a note: for restoring and undoing."""
        object.__setattr__(entity, "_undo_log", self._undo_log)
        object.__setattr__(entity, "_name", name)
        self._undo_log.entities[name] = entity
        self.by_type.setdefault(type(entity), {})[name] = entity
        self._sorted.clear()
        self._arrived(name, entity)

    def displace(self, name: str) -> None:
        """Remove an entity without a note. Its writes are noted still: whoever left may be called back by an undo."""
        entity = self._undo_log.entities.pop(name)
        object.__setattr__(entity, "_name", None)
        del self.by_type[type(entity)][name]
        self._sorted.clear()
        self._left(name, entity)

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entities of a class and its subclasses, sorted by name."""
        found = self._sorted.get(kind)
        if found is None:
            members = [
                (name, entity)
                for each, group in self.by_type.items()
                if issubclass(each, kind)
                for name, entity in group.items()
                if name[0] != HIDDEN
            ]
            members.sort(key=_name_of)
            found = self._sorted[kind] = tuple(entity for _, entity in members)
        return found  # type: ignore[return-value]

    def hint(self, name: object) -> str:
        """Return a hint at the entity that was probably meant."""
        near = difflib.get_close_matches(str(name), list(self.names()), 1)
        return f" Did you mean {near[0]!r}?" if near else ""

    def names(self) -> Iterator[str]:
        """Yield the names that are not hidden, sorted."""
        return iter(sorted(name for name in self._undo_log.entities if name[0] != HIDDEN))

    def _note(self, name: str, old: Any) -> None:
        self._undo_log.deep = True
        self._undo_log.undo.append((self, name, old))

    def _revert(self, name: str, old: Any) -> None:
        if name in self._undo_log.entities:
            self.displace(name)
        if old is not MISSING:
            self.place(name, old)


def _name_of(member: tuple[str, Entity]) -> str:
    return member[0]
