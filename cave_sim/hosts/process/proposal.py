"""What a sandboxed cell may say: the one message that leaves its process, and the shape it must have.

It is plain JSON, read strictly into these types: whoever broke out of the cell's Python can send anything, but nothing
that is not a proposal of this shape is looked at any further. :class:`ProposalRecorder` writes it down
while the cell runs.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cave_sim.changes.change import Change
from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.turn import Turn
from cave_sim.entity.identity import name_of
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import SchemaError
from cave_sim.world.state import WorldState

ProposedStatus = Literal["committed", "failed", "blocked", "timeout"]
"""What a cell's process may say its turn came to; only the world knows of conflicts."""

ACTS_OF_A_TURN = 20
"""How many acts a turn inside another counts as: so much more it takes to enter one into the books."""


class ProposedWrites(msgspec.Struct, tag="writes", forbid_unknown_fields=True, frozen=True):
    """What the cell's own code wrote, as net changes since the act before."""

    changes: list[Change]


class ProposedCall(msgspec.Struct, tag="call", forbid_unknown_fields=True, frozen=True):
    """A call of trusted code: a method of an entity, or an injected function where ``entity`` is None.

    What it did is not taken from here: it is called again.
    """

    entity: str | None
    method: str
    args: list[Any]
    kwargs: dict[str, Any]


class ProposedTurn(msgspec.Struct, tag="turn", forbid_unknown_fields=True):
    """A turn, the outermost or one inside another.

    Attributes:
        agent, code: whose and which cell; of the outermost turn they are known, and these are not looked at.
        status, output, error: what the turn came to.
        drew: whether the cell used its random stream.
        reads: as of :class:`~cave_sim.Turn`.
        acts: what it did, in order.
    """

    agent: str
    code: str
    status: ProposedStatus = "failed"
    output: str = ""
    error: str | None = None
    drew: bool = False
    reads: list[tuple[str, str]] = []
    acts: list[ProposedWrites | ProposedCall | ProposedTurn] = []


class Variables(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What became of one agent's variables: those that are new or changed, and those that are gone."""

    bound: dict[str, Any]
    gone: list[str]


class ProposedTurnText(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a mind that is asked is told of its own turn within the cell."""

    id: int
    step: int
    agent: str
    code: str
    status: ProposedStatus
    changes: list[Change]
    output: str
    error: str | None
    duration_s: float
    usage: dict[str, Any]
    parent: int | None
    kind: str
    reads: list[tuple[str, str]]


class View(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What an agent can tell of itself, as :func:`cave_sim.world.asking.view` has it."""

    kind: str
    variables: dict[str, str]
    role: str
    habits: dict[str, bool | int | float]


class Need(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a cell asks of another mind, in the place of what it did; see :mod:`cave_sim.world.asking`."""

    kind: Literal["ask", "transcript"]
    number: int
    agent: str
    text: str
    view: View
    turn: ProposedTurnText | None


class Proposal(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All that a cell's process says.

    Attributes:
        turn: what the cell did.
        claimed: the net changes of the whole turn, where it called trusted code; a check on what calling again does.
        variables: by agent.
        need: what the cell cannot go on without; nothing that it did counts then.
    """

    turn: ProposedTurn
    claimed: list[Change] | None
    variables: dict[str, Variables]
    need: Need | None = None


def arrivals(proposal: Proposal) -> set[str]:
    """Return the names of entities that a proposal adds; whether its agent may is found out when that is done."""
    names, waiting = {change.entity for change in proposal.claimed or () if change.adds_entity}, [proposal.turn]
    while waiting:
        for act in waiting.pop().acts:
            if isinstance(act, ProposedTurn):
                waiting.append(act)
            elif isinstance(act, ProposedWrites):
                names |= {change.entity for change in act.changes if change.adds_entity}
    return names


_DECODER = msgspec.json.Decoder(Proposal, strict=True)


def read(data: bytes) -> Proposal:
    """Return the proposal; raises ValueError if it is none."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ValueError(f"no proposal: {error}") from None


class ProposalRecorder:
    """Records the turns of one world, in the process that runs its cell.

    Attributes:
        turn: the outermost turn, once it has begun.
        called: whether trusted code was called.
        act_count: how many writes and calls were recorded; a turn inside counts as ``ACTS_OF_A_TURN``.
    """

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._undo_log: UndoLog = world.undo_log
        self._open: list[ProposedTurn] = []
        self._mark = 0
        self._depth = 0
        self.turn: ProposedTurn | None = None
        self.called: bool = False
        self.act_count: int = 0

    def begin(self, agent: str, code: str) -> None:
        if self._depth:
            return
        act = ProposedTurn(agent, code.encode(errors="replace").decode())
        if self._open:
            self.flush()
            self._add(act)
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
        act.reads = turn.reads
        if not turn.committed:
            _forget_deeds(act)
        self._border()

    def flush(self) -> None:
        if self._depth:
            return
        undo_log = self._undo_log
        if len(undo_log.undo) > self._mark or undo_log.checkouts:
            undo_log.write_through()
            if changes := net_changes(undo_log, self._mark):
                self._add(ProposedWrites(changes))
        self._border()

    def call(self, target: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not self._depth:
            self.flush()
            self._add(_call(self._world, target, method, args, kwargs))
            self.called = True
        self._depth += 1

    def returned(self) -> None:
        self._depth -= 1
        if not self._depth:
            self._border()

    def _add(self, act: ProposedWrites | ProposedCall | ProposedTurn) -> None:
        self._open[-1].acts.append(act)
        self.act_count += ACTS_OF_A_TURN if isinstance(act, ProposedTurn) else 1

    def _border(self) -> None:
        """From here on, containers note their state anew."""
        self._mark = len(self._undo_log.undo)
        self._undo_log.epoch += 1


def _forget_deeds(act: ProposedTurn) -> None:
    """Leave of a turn that did not land only which turns it ran: what those did is undone with it."""
    turns = [inner for inner in act.acts if isinstance(inner, ProposedTurn)]
    for inner in turns:
        _forget_deeds(inner)
    act.acts = [*turns]


def _call(world: WorldState, target: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ProposedCall:
    entity = None if target is None else name_of(target)
    if target is not None and entity is None:
        raise SchemaError(f"a {type(target).__name__} that has left the world does nothing any more")
    values = world.interpreter.pack({**{str(at): value for at, value in enumerate(args)}, **kwargs})
    positional = [values.pop(str(at)) for at in range(len(args))]
    return ProposedCall(entity, method, positional, values)
