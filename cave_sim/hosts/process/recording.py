"""Writing down what a cell does, as the proposal that its process will send."""

from __future__ import annotations

from typing import Any

from cave_sim.changes.change import net_changes
from cave_sim.changes.turn import Turn
from cave_sim.entity.identity import name_of
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import SchemaError
from cave_sim.hosts.process.proposal import ProposedCall, ProposedTurn, ProposedWrites
from cave_sim.runtime.serialization import Serializer
from cave_sim.world.state import WorldState


class ProposalRecorder:
    """Records the turns of one world, in the process that runs its cell.

    Attributes:
        turn: the outermost turn, once it has begun.
        called: whether trusted code was called.
    """

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._undo_log: UndoLog = world.undo_log
        self._open: list[ProposedTurn] = []
        self._mark = 0
        self._depth = 0
        self.turn: ProposedTurn | None = None
        self.called = False

    def begin(self, agent: str, code: str) -> None:
        if self._depth:
            return
        act = ProposedTurn(agent, code.encode(errors="replace").decode())
        if self._open:
            self.flush()
            self._open[-1].acts.append(act)
        else:
            self.turn = act
        self._open.append(act)
        self._mark = len(self._undo_log.undo)

    def end(self, turn: Turn) -> None:
        if self._depth:
            return
        act = self._open.pop()
        assert turn.status != "conflict"  # which comes of merging alone
        act.status, act.output, act.error = turn.status, turn.output, turn.error
        act.drew = self._world.randomness.drew(turn.id)
        if not turn.committed:
            act.acts = [inner for inner in act.acts if isinstance(inner, ProposedTurn)]
        self._border()

    def flush(self) -> None:
        if self._depth:
            return
        undo_log = self._undo_log
        if len(undo_log.undo) > self._mark or undo_log.checkouts:
            undo_log.write_through()
            if changes := net_changes(undo_log, self._mark):
                self._open[-1].acts.append(ProposedWrites(changes))
        self._border()

    def call(self, target: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not self._depth:
            self.flush()
            self._open[-1].acts.append(_call(target, method, args, kwargs))
            self.called = True
        self._depth += 1

    def returned(self) -> None:
        self._depth -= 1
        if not self._depth:
            self._border()

    def _border(self) -> None:
        """From here on, containers note their state anew."""
        self._mark = len(self._undo_log.undo)
        self._undo_log.epoch += 1


def _call(target: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ProposedCall:
    if target is not None and name_of(target) is None:
        raise SchemaError(f"a {type(target).__name__} that has left the world does nothing any more")
    packed = [Serializer().pack(value) for value in args]
    named = {name: Serializer().pack(value) for name, value in kwargs.items()}
    return ProposedCall(None if target is None else name_of(target), method, packed, named)
