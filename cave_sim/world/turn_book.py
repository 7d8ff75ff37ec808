"""The book of turns: their numbers, those under way, what the state's digest still has to take in, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.state_hash import StateHash
from cave_sim.changes.turn import OPERATOR, Turn, undone
from cave_sim.entity.undo_log import UndoLog
from cave_sim.world.clock import Clock

Sink = Callable[[Turn], None]
MAX_NESTED_TURNS = 16
"""How deep turns may be nested: a meta-agent that operates itself comes to an end on every host alike."""


class TurnBook:
    """Numbers the turns of one world, and passes each on when it has ended.

    Args:
        undo_log: of the world.
        clock: of the world.

    Attributes:
        last_id: the number given last; turns are counted from 1.
        sink: called with every turn as it ends, child turns before the turn around them.
        follow: called with the changes of every turn as it ends; how a host keeps up with a world.
        on_gift: called with every :class:`~cave_sim.world.gifts.Gift`: variables that no cell left.
        state_hash: the digest of the state that the turns led to.
    """

    def __init__(self, undo_log: UndoLog, clock: Clock) -> None:
        self._undo_log, self._clock = undo_log, clock
        self.last_id: int = 0
        self.sink: Sink | None = None
        self.follow: Callable[[list[Change]], None] | None = None
        self.on_gift: Callable[[Any], None] | None = None
        self.state_hash: StateHash = StateHash()
        self._open: list[int] = []
        self._agents: list[str] = []
        self._children: list[Turn] = []

    @property
    def current_id(self) -> int:
        """The number of the innermost turn under way; 0 between turns."""
        return self._open[-1] if self._open else 0

    @property
    def outermost_id(self) -> int:
        """The number of the outermost turn under way; 0 between turns."""
        return self._open[0] if self._open else 0

    @property
    def nesting(self) -> int:
        """How many turns are under way, one inside the other."""
        return len(self._open)

    @property
    def outermost_agent(self) -> str:
        """The agent whose cell the outermost turn under way is; "" between turns."""
        return self._agents[0] if self._agents else ""

    def begin(self, agent: str = "") -> tuple[int, int | None]:
        """Number a new turn.

        Args:
            agent: whose cell it is.

        Returns:
            Its number, and that of the turn around it or None.
        """
        under_way = self._open
        parent = under_way[-1] if under_way else None
        self.last_id += 1
        under_way.append(self.last_id)
        self._agents.append(agent)
        return self.last_id, parent

    def abandon(self) -> None:
        """Forget the turn begun last, and those inside it: Ctrl-C or an error of the programmer ended it.

        Nobody was told of them, so their numbers are given again; a run of the same turns has the same numbers.
        """
        forgotten = self._open.pop()
        self._agents.pop()
        self._children = [child for child in self._children if child.id < forgotten]
        self.last_id = forgotten - 1

    def end(self, turn: Turn) -> None:
        """End the turn begun last; child turns are passed on with the outermost one, because they share its fate."""
        self._open.pop()
        self._agents.pop()
        if turn.changes:
            self.state_hash.touch(turn.changes)
        if self.follow is not None:
            self.follow(turn.changes)
        if self._open:
            self._children.append(turn)
            return
        children = self._children
        if children:
            self._children = []
        self.tell(turn, children)

    def tell(self, turn: Turn, children: Sequence[Turn] = ()) -> None:
        """Pass a turn on to the sink, behind its child turns; if it did not land, neither did they."""
        if self.sink is not None:
            for child in children:
                self.sink(child if turn.committed else undone(child, turn))
            self.sink(turn)

    @contextmanager
    def told_to(self, sink: Sink | None) -> Iterator[None]:
        """Pass turns on to another sink, or to none, for as long as the context lasts."""
        usual, self.sink = self.sink, sink
        try:
            yield
        finally:
            self.sink = usual

    def record_script_writes(self) -> None:
        """Make a turn of what the researcher's script wrote since the last one, if it wrote anything."""
        undo_log = self._undo_log
        if undo_log.depth or not (undo_log.undo or undo_log.checkouts):
            return
        undo_log.settle()
        changes = net_changes(undo_log, 0)
        undo_log.undo.clear()
        undo_log.deep = False
        undo_log.epoch += 1
        if changes:
            self.record_outside(changes)

    def record_outside(self, changes: list[Change]) -> None:
        """Enter changes that no cell made, and that stand already, as one turn of the operator."""
        turn_id, _ = self.begin()
        self.end(Turn(turn_id, self._clock.step, OPERATOR, "", "committed", changes, kind="outside"))
