"""The undo log: every write to a world is noted here before it happens.

A turn is a stretch of the log. Rolling back walks the stretch in reverse; the changes of a turn are the net of it.
Both cost what the turn touched, never the size of the world.
"""

from __future__ import annotations

from typing import Any, Final, Protocol


class _Missing:
    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
"""Stands for 'there was nothing here' where None is a value."""


class Owned(Protocol):
    """An entity, as far as an undo log cares: it has a name, and takes working copies back."""

    _name: str | None

    def _settle(self, name: str, working: Any) -> None:
        """Take over a working copy if it was changed."""


class Guard(Protocol):
    """Decides what the acting agent may read and write; the world's own code runs without one.

    Attributes:
        agent: who acts; it may read its own entity, of that name, without asking.
        allowed: entities and fields that :meth:`write` would return for, as far as is known so far.
    """

    agent: str
    allowed: set[tuple[Any, str]]

    def write(self, entity: Any, field: str) -> None:
        """Return if allowed; raises PermissionDenied."""

    def may_write(self, entity: Any, field: str) -> bool:
        """Say whether :meth:`write` would return."""

    def read(self, entity: Any, field: str) -> bool:
        """Return whether the agent gets the value itself, as opposed to a copy; raises PermissionDenied."""

    def may_read(self, entity: Any, field: str) -> bool:
        """Say whether :meth:`read` would return."""

    def check_own_method(self, entity: Any, method: str) -> None:
        """Return if the agent may call a method that is for the entity's own agent; raises PermissionDenied."""

    def check_arguments(self, entity: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Return if a cell may hand these to an entity's method; raises SchemaError."""


class UndoLog:
    """The undo log of one world, and whose hand is writing.

    Attributes:
        undo: one ``(target, slot, old)`` per write, oldest first; the target puts back what was in its slot.
        guard: the acting agent's rights, or None while the world's own code runs (dynamics, methods of entities,
            the researcher's script).
        deep: whether anything but single scalar fields was written since the outermost border.
        depth: how many stretches are open, one inside the other.
        actor: the agent whose cell is running, also while a method that it called runs with the world's rights.
        epoch: changes at every turn's borders, so that a container knows whether it has been copied already.
        entities: every entity of the world by name; references are looked up here.
        checkouts: working copies of opaque values handed out since the last border.
        lent: copies that the cell of the turn under way has of what it may not write; None while nobody looks whether
            they are written to.
        reads: entity and field of everything of others that the turn under way has read and not everybody may.
    """

    __slots__ = ("actor", "checkouts", "deep", "depth", "entities", "epoch", "guard", "lent", "reads", "undo", "world")

    def __init__(self, world: Any = None) -> None:
        self.world: Any = world
        self.undo: list[tuple[Any, Any, Any]] = []
        self.guard: Guard | None = None
        self.actor: str | None = None
        self.epoch: int = 1
        self.depth: int = 0
        self.deep: bool = False
        self.entities: dict[str, Any] = {}
        self.checkouts: dict[tuple[int, str], tuple[Owned, str, Any]] = {}
        self.lent: dict[tuple[int, str], Any] | None = None
        self.reads: set[tuple[str, str]] = set()

    def as_world(self) -> UnderGuard:
        """Return a context in which the world's own code runs: no guard is asked, and the present one is put back.

        >>> log = UndoLog()
        >>> with log.as_world():
        ...     log.guard is None
        True
        """
        return UnderGuard(self, None)

    def as_agent(self, guard: Guard) -> UnderGuard:
        """Return a context in which the world's code reads and writes with the rights of an agent, and no others."""
        return WithRights(self, guard)

    def mark(self) -> int:
        """Open a stretch of the log and return where it begins."""
        self.depth += 1
        self.epoch += 1
        return len(self.undo)

    def border(self) -> int:
        """Return where the log stands, to :meth:`revert` to; containers copy themselves anew from here on."""
        self.epoch += 1
        return len(self.undo)

    def rollback(self, mark: int) -> None:
        """Undo everything since the mark, newest first; the stretch stays open."""
        self.checkouts.clear()
        self.revert(mark)

    def revert(self, mark: int) -> None:
        """Undo what was noted since the mark; working copies that were handed out stay in hand."""
        undo = self.undo
        while len(undo) > mark:
            target, slot, old = undo.pop()
            target._revert(slot, old)
        self.epoch += 1

    def close(self) -> None:
        """End the stretch opened last; an outermost one is forgotten, an inner one stays for its parent to undo."""
        self.depth -= 1
        if self.depth == 0:
            self.undo.clear()
            self.deep = False
        self.epoch += 1

    def write_through(self) -> None:
        """Note what was changed in working copies so far; they stay in hand, and may be changed on."""
        for place, (entity, field, working) in list(self.checkouts.items()):
            entity._settle(field, working)
            self.checkouts[place] = entity, field, working

    def settle(self) -> None:
        """Bring working copies that were changed back into their entities, as writes like any other."""
        if self.checkouts:
            pending, self.checkouts = self.checkouts, {}
            for entity, field, working in pending.values():
                entity._settle(field, working)


class UnderGuard:
    """A context in which an undo log asks this guard and no other; used once."""

    __slots__ = ("_guard", "_undo_log")

    def __init__(self, undo_log: UndoLog, guard: Guard | None) -> None:
        self._undo_log, self._guard = undo_log, guard

    def __enter__(self) -> None:
        self._guard, self._undo_log.guard = self._undo_log.guard, self._guard

    def __exit__(self, *_error: object) -> None:
        self._undo_log.guard = self._guard


class WithRights(UnderGuard):
    """The same for code of the world: what it is lent it may work on, as nobody takes that for the world."""

    __slots__ = ("_lent",)

    def __enter__(self) -> None:
        super().__enter__()
        self._lent, self._undo_log.lent = self._undo_log.lent, None

    def __exit__(self, *_error: object) -> None:
        self._undo_log.lent = self._lent
        super().__exit__()
