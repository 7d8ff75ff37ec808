"""Fields that not everybody may read: while a cell runs, each read of one asks whether its agent may.

The question stands in the attribute itself, so it makes no difference how a cell comes to read it: written out, by
``getattr``, a format, a sort key or a library. Fields that everybody may read have nothing of it
and cost no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.entity.identity import name_of, undo_log_of
from cave_sim.entity.lent_copies import lend

Read = Callable[[Any], Any]


class GuardedRead(property):
    """The attribute of a field that not everybody may read.

    The agent of the entity, and whoever may write the field, get the value itself. Others get a copy: what they know
    is what was there when they looked, also after they were no longer let in.
    """


def guarded_read(name: str, read: Read | None) -> GuardedRead:
    """Return the attribute of a field.

    Args:
        name: of the field.
        read: reads the value of an entity without asking; None where it is kept in the entity as it is.
    """
    return GuardedRead(_of_stored(name) if read is None else _of_computed(name, read))


def _of_stored(name: str) -> Read:
    def get(entity: Any) -> Any:  # the world's own code reads by this, too: it is written for speed
        undo_log = entity._undo_log
        if undo_log is None or (guard := undo_log.guard) is None or guard.agent == entity._name:
            return entity.__dict__[name]
        gets_it = guard.read(entity, name)
        value = entity.__dict__[name]
        return value if gets_it else lend(undo_log, entity, name, value)

    return get


def _of_computed(name: str, read: Read) -> Read:
    def get(entity: Any) -> Any:
        undo_log = undo_log_of(entity)
        if undo_log is None or (guard := undo_log.guard) is None or guard.agent == name_of(entity):
            return read(entity)
        gets_it = guard.read(entity, name)
        value = read(entity)
        return value if gets_it else lend(undo_log, entity, name, value)

    return get
