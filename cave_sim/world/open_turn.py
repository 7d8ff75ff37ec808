"""A turn under way: what it takes over from the turn around it, and gives back however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.turn import Status, Turn
from cave_sim.entity.builtin_entities import SYSTEM
from cave_sim.entity.entity import Entity
from cave_sim.errors import Blocked
from cave_sim.runtime.output import explain
from cave_sim.world.interpreter import Passing
from cave_sim.world.plain_forms import form_of
from cave_sim.world.state import WorldState

NOBODY: Passing = frozenset(), {}, {}
"""Who came and who left in a turn that wrote nothing but single scalar fields."""

MAX_NAMES = 2_000
"""Where a world has more, a cell that misspelt one of an entity is not told which it meant: looking would take long."""


class OpenTurn:
    """Puts an agent's rights, output and ticks in place while its cell runs.

    Whoever opens it says how the cell ended, by :meth:`land` or :meth:`undo`, and has the :class:`Turn` made of it
    by :meth:`close`; or there is to be no turn after all, by :meth:`abandon`.

    Args:
        world: where.
        agent: who acts.
        code: its cell.
    """

    __slots__ = (
        "_agent", "_around", "_changes", "_code", "_frame", "_id", "_interpreter", "_mark", "_parent", "_rights",
        "_started_s", "_undo_log", "_world",
    )  # fmt: skip

    def __init__(self, world: WorldState, agent: str, code: str) -> None:
        self._world, self._agent, self._code = world, agent, code
        undo_log = self._undo_log = world.undo_log
        interpreter = self._interpreter = world.interpreter
        if undo_log.checkouts and undo_log.depth:
            undo_log.settle()  # what the turn around this one did to a working copy is its own to keep
        if world.recorder is not None:
            world.recorder.begin(agent, code)
        self._id, self._parent = world.turns.begin(agent)
        rights = self._rights = world.rights_of(agent)
        rights.denied = None
        self._around = undo_log.guard, undo_log.actor, undo_log.reads, undo_log.lent
        undo_log.guard, undo_log.actor, undo_log.reads, undo_log.lent = rights, agent, set(), {}
        self._frame = interpreter.begin_turn(world.limits)
        interpreter.variable_log.open()
        if self._parent is None:
            world.answers.begin_turn(self._id)
        self._mark = undo_log.mark()
        self._started_s = perf_counter()

    def land(self) -> None:
        """Keep what the cell wrote if nothing forbids it; raises what does."""
        world, undo_log, interpreter = self._world, self._undo_log, self._interpreter
        undo_log.guard = None  # from here on the world's own code runs, and none of a cell
        interpreter.end_cell()
        world.answers.check()
        if self._rights.denied is not None:
            raise self._rights.denied
        if (error := interpreter.out_of_ticks()) is not None:
            raise error
        if undo_log.lent:
            for copy in undo_log.lent.values():
                copy.expect_untouched(self._agent)
        if undo_log.checkouts:
            undo_log.settle()
        changes = net_changes(undo_log, self._mark)
        if changes:
            if len(changes) > world.limits.changes:
                raise Blocked(f"{len(changes):,} changes in one turn; at most {world.limits.changes:,} may land")
            if world.rules.invariants:
                world.rules.check(world, changes)
        if world.recorder is not None:
            world.recorder.flush()
        self._changes = changes

    def passing(self) -> Passing:
        """Return who came in this turn so far, who left, and what fields held: what :meth:`undo` takes back."""
        undo_log = self._undo_log
        if not undo_log.deep:
            return NOBODY
        noted = reversed(undo_log.undo[self._mark :])
        held = {(id(target), slot): old for target, slot, old in noted if isinstance(target, Entity)}
        return *self._world.registry.passing(self._mark), held

    def undo(self) -> None:
        """Put back what the cell wrote, and what it drew from its stream."""
        self._changes = []
        self._undo_log.guard = None
        self._undo_log.rollback(self._mark)
        self._interpreter.undo_variables()
        self._interpreter.variable_log.undo()
        self._world.randomness.forget(self._id)

    def abandon(self) -> None:
        """Undo the turn, and leave it out of the book: Ctrl-C or an error of the programmer ended it."""
        self.undo()
        self._world.turns.abandon()
        self._end()

    def _end(self) -> tuple[str, set[tuple[str, str]]]:
        """Give back what belongs to the turn around this one; returns what was printed in this one, and read."""
        undo_log, interpreter = self._undo_log, self._interpreter
        reads = undo_log.reads
        undo_log.guard, undo_log.actor, undo_log.reads, undo_log.lent = self._around
        undo_log.close()
        interpreter.variable_log.close()
        return interpreter.end_turn(self._frame), reads

    def _names(self) -> Iterator[str]:
        interpreter = self._interpreter
        yield from interpreter.namespace(self._agent).names()
        if len(interpreter.scope) <= MAX_NAMES:
            yield from interpreter.scope

    def _form_of(self, name: str) -> str:
        return form_of(self._world.types, name)

    def close(self, status: Status, error: BaseException | None) -> Turn:
        """Return what became of the turn, after everybody who follows the world has been told."""
        world = self._world
        output, reads = self._end()
        turn = Turn(
            self._id,
            self._undo_log.entities[SYSTEM].step,
            self._agent,
            self._code,
            status,
            self._changes,
            output,
            None if error is None else explain(error, self._code, self._names, self._form_of),
            perf_counter() - self._started_s,
            {},
            self._parent,
            reads=sorted(reads) if reads else [],
        )
        if world.recorder is not None:
            world.recorder.end(turn)
        world.turns.end(turn)
        return turn
