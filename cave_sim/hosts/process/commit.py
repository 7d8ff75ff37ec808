"""The commit: what a cell's process proposes is done again here, under the rights of the agent that acted.

Nothing is taken on trust. Writes go through the same checks as any write of a cell: declared fields, types, bounds,
permissions. Trusted methods are called again instead of taking over what they are said to have done. Whatever does
not fit is :class:`InvalidProposal`, and nothing of the turn is current.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import CaveSimError
from cave_sim.hosts.process.proposal import Proposal, ProposedCall, ProposedTurn, ProposedWrites
from cave_sim.hosts.process.proposal_check import InvalidProposal, ProposalTimeout, check
from cave_sim.hosts.process.proposal_writer import ProposalWriter
from cave_sim.policy.permissions import Rights, carries_code
from cave_sim.policy.text_cleaning import clean
from cave_sim.runtime.deadline import DEADLINE, interruptible, whole
from cave_sim.world.registry import HIDDEN
from cave_sim.world.state import WorldState
from cave_sim.world.tools import InjectedFunction
from cave_sim.world.turn_execution import take_turn
from cave_sim.world.wiring import OPERATION_PREFIX, operation


def land(world: WorldState, proposal: Proposal, code: str, agent: str) -> Turn:
    """Do again what a cell's process proposes, and land it; raises InvalidProposal if that cannot be.

    Args:
        world: the canonical one.
        proposal: what the process said.
        code: the cell.
        agent: who acts, as the scheduler has it.
    """
    check(world, proposal, agent)
    act = proposal.turn
    act.agent, act.code = agent, code
    if act.status == "committed":
        turn = take_turn(world, code, agent, _ProposalReexecution(act, proposal.claimed))
        if turn.status == "timeout":
            raise ProposalTimeout(f"doing it again takes longer than the {world.limits.deadline_s:g} s of a turn")
        if not turn.committed:
            raise InvalidProposal(turn.error or "it did not land")
        if proposal.claimed is not None:
            order = {_text(change): place for place, change in enumerate(proposal.claimed)}
            turn.changes.sort(key=lambda change: order[_text(change)])
    else:
        turn = record(world, act)
    return set_texts(world, turn, act)


@whole
def record(world: WorldState, act: ProposedTurn) -> Turn:
    """Enter a turn that did not land into the books, with the turns inside it; it changes nothing."""
    turn_id, parent = world.turns.begin()
    for inner in act.acts:
        if isinstance(inner, ProposedTurn):
            set_texts(world, record(world, inner), inner)
    step = world.clock.step
    turn = Turn(turn_id, step, act.agent, act.code, act.status, [], parent=parent)
    world.turns.end(turn)
    return turn


def set_texts(world: WorldState, turn: Turn, act: ProposedTurn) -> Turn:
    """Put in what the agent gets to read, capped and cleaned here once more, and what it has read of others."""
    most = world.limits.output_chars + 200
    turn.reads = act.reads
    turn.output = clean(act.output[:most])
    turn.error = None if act.error is None else clean(act.error[:most])
    return turn


class _ProposalReexecution:
    """What happens in a turn in the place of its cell: its acts are done again."""

    def __init__(self, act: ProposedTurn, claimed: list[Change] | None = None) -> None:
        self._act, self._claimed = act, claimed

    def __call__(self, world: WorldState, agent: str) -> None:
        timed = DEADLINE.arm(perf_counter(), world.limits.deadline_s)
        try:
            self._do_all(world, agent)
        finally:
            if timed:
                DEADLINE.disarm()

    @interruptible
    def _do_all(self, world: WorldState, agent: str) -> None:
        undo_log = world.undo_log
        mark = len(undo_log.undo)
        if self._act.drew:
            world.randomness.note_draw(agent)
        for act in self._act.acts:
            try:
                self._do(world, act)
            except InvalidProposal:
                raise
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, CaveSimError) as error:
                raise InvalidProposal(f"{type(error).__name__}: {error}") from None
        if self._claimed is not None:
            undo_log.settle()
            if sorted(map(_text, net_changes(undo_log, mark))) != sorted(map(_text, self._claimed)):
                raise InvalidProposal("what trusted code did again is not what the cell's process claims it did")

    def _do(self, world: WorldState, act: ProposedWrites | ProposedCall | ProposedTurn) -> None:
        if isinstance(act, ProposedWrites):
            ProposalWriter(world).write_all(act.changes)
        elif isinstance(act, ProposedCall):
            _call_again(world, act)
        else:
            _turn_again(world, act)


def _call_again(world: WorldState, call: ProposedCall) -> None:
    """Call trusted code as the cell did. An error of its own undoes it, as it did there."""
    kwargs = world.interpreter.unpack({**{str(at): data for at, data in enumerate(call.args)}, **call.kwargs})
    args = [kwargs.pop(str(at)) for at in range(len(call.args))]
    if call.entity is None:
        function: Any = _tool(world, call.method)
        if isinstance(function, InjectedFunction) and carries_code((*args, *kwargs.values())):
            raise InvalidProposal(f"{call.method} is handed more than data, for which no cell asks the world")
    elif call.entity[:1] == HIDDEN:
        raise InvalidProposal(f"{call.entity} belongs to the world alone")
    else:
        entity = world.undo_log.entities[call.entity]
        member = vars_of(type(entity)).get(call.method)
        if call.method.startswith("_") or not hasattr(member, "__wrapped__"):
            raise InvalidProposal(f"{call.entity}.{call.method} is no method for cells")
        function = getattr(entity, call.method)
    with suppress(Exception):  # the cell saw the same error, and went on; what it claims is compared at the end
        function(*args, **kwargs)
    with world.undo_log.as_world():
        world.undo_log.settle()


def vars_of(kind: type) -> Mapping[str, Any]:
    """Return the members of a class and its bases."""
    return {name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()}


def _tool(world: WorldState, key: str) -> Callable[..., Any]:
    if key.startswith(OPERATION_PREFIX) and (act := operation(world, key)) is not None:
        return act
    agent, dot, name = key.rpartition(".")
    if dot and agent != world.undo_log.actor:
        raise InvalidProposal(f"{key!r} is not {world.undo_log.actor}'s")
    function = world.interpreter.namespaces[agent].globals.get(name) if dot else world.interpreter.scope.get(name)
    if not isinstance(function, InjectedFunction):
        raise InvalidProposal(f"{key!r} is no injected function")
    return function


def _turn_again(world: WorldState, act: ProposedTurn) -> None:
    """Do a turn inside a turn again, if the agent around it may run others."""
    rights = world.undo_log.guard
    if not isinstance(rights, Rights) or not (rights.may_change_population() or rights.agent == act.agent):
        raise InvalidProposal(f"{act.agent} may not be operated")
    if act.status != "committed":
        set_texts(world, record(world, act), act)
        return
    turn = take_turn(world, act.code, act.agent, _ProposalReexecution(act))
    DEADLINE.check()
    if not turn.committed:
        raise InvalidProposal(turn.error or "a turn inside it did not land")
    set_texts(world, turn, act)


def _text(change: Change) -> bytes:
    return to_json([change.entity, list(change.path), change.op, change.old, change.new], sort=True)
