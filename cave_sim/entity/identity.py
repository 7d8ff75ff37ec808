"""What an entity is called and where its writes are noted, also while it is in no world and has no ``id``.

They are functions, not attributes: what an entity has by a public name, authors of worlds could not call theirs.
"""

from __future__ import annotations

from typing import Any

from cave_sim.entity.undo_log import UndoLog


class EntityBase:
    """An entity, as far as its containers and references know it; :class:`~cave_sim.Entity` is the whole of it."""

    __slots__ = ("_name", "_undo_log")

    _undo_log: UndoLog | None
    _name: str | None

    def _label(self) -> str:
        return self._name or type(self).__name__


def name_of(entity: EntityBase) -> str | None:
    """Return the name of an entity in its world; None while it is in none."""
    return entity._name


def label_of(entity: EntityBase) -> str:
    """Return what error texts call an entity: its name in its world, or its class."""
    return entity._label()


def undo_log_of(entity: EntityBase) -> UndoLog | None:
    """Return where the writes of an entity are noted; None before it joins a world."""
    return entity._undo_log


def live(owner: EntityBase | None, reference: Any) -> Any:
    """Return the entity that a kept reference of the owner stands for, or None if it has left the world."""
    if type(reference) is not str or owner is None:
        return reference
    undo_log = owner._undo_log
    return reference if undo_log is None else undo_log.entities.get(reference)
