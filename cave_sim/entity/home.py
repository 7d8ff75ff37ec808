"""Where a tracked value lives, and how it announces that it is written."""

from __future__ import annotations

from cave_sim.entity.identity import EntityBase, label_of, undo_log_of
from cave_sim.entity.undo_log import UndoLog
from cave_sim.entity.visibility import tellable
from cave_sim.errors import SchemaError


class Home:
    """A field of an entity, as its value and every container within it know it. Cells never hold one.

    Attributes:
        owner: the entity; None if the value is nobody's.
        field: the name of the field.
    """

    __slots__ = ("field", "owner")

    def __init__(self, owner: EntityBase | None, field: str) -> None:
        self.owner: EntityBase | None = owner
        self.field: str = field

    def begin_write(self) -> UndoLog | None:
        """Ask whether the acting agent may write here, and return the log to note it in; None if there is none."""
        owner = self.owner
        undo_log = None if owner is None else undo_log_of(owner)
        if undo_log is not None:
            undo_log.deep = True
            if undo_log.guard is not None:
                undo_log.guard.write(owner, self.field)
        return undo_log

    def refusal(self, error: SchemaError, what: str) -> SchemaError:
        """Return the error with the place in front; ``what`` stands there while the value is nobody's."""
        if self.owner is None:
            return SchemaError(f"{what}: {error}")
        return SchemaError(f"{label_of(self.owner)}.{self.field}: {tellable(self.owner, self.field, error)}")


NOWHERE = Home(None, "")


class Homed:
    """A value that lives in a field: a container or a graph."""

    __slots__ = ()

    _home: Home

    def _settle_in(self, home: Home, level: int = 0) -> None:
        """Become part of a field, so many levels within its value, with every container inside."""
        self._home = home  # type: ignore[misc]  # a slot of the subclasses, or in their dict


def home_of(value: Homed) -> Home:
    """Return where a value lives."""
    return value._home
