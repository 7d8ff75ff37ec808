"""What an entity is called and where its writes are noted, also while it is in no world and has no ``id``.

They are functions, not attributes: what an entity has by a public name, authors of worlds could not call theirs.
"""

from __future__ import annotations

from cave_sim.entity.entity import Entity
from cave_sim.entity.undo_log import UndoLog


def name_of(entity: Entity) -> str | None:
    """Return the name of an entity in its world; None while it is in none."""
    return entity._name


def label_of(entity: Entity) -> str:
    """Return what error texts call an entity: its name in its world, or its class."""
    return entity._label()


def undo_log_of(entity: Entity) -> UndoLog | None:
    """Return where the writes of an entity are noted; None before it joins a world."""
    return entity._undo_log
