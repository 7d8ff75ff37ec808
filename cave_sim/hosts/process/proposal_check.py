"""What can be said of a proposal before anything of it is done: how much it is, and whether a cell can have said it.

Everything here goes round in loops, never in recursion: what is nested too deeply must not be what ends the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from cave_sim.changes.turn import Turn
from cave_sim.entity.preparation import fields_of
from cave_sim.errors import CaveSimError
from cave_sim.hosts.process.proposal import ACTS_OF_A_TURN, Proposal, ProposedCall, ProposedStatus, ProposedTurn
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.policy.syntax import MAX_CELL_CHARS
from cave_sim.world.state import WorldState
from cave_sim.world.turn_book import MAX_NESTED_TURNS

MAX_ACTS = 200_000
"""How many writes and calls a proposal may hold; a turn inside counts as ``ACTS_OF_A_TURN``."""
MAX_NAMES = MAX_CELL_CHARS
"""How many variables one turn may bind or let go of, and of how many characters: a cell has no more."""
MAX_JSON_DEPTH = 160
"""How deep a proposal may be nested; the deepest variables and turns that a cell can make are less deep."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class InvalidProposal(CaveSimError):
    """A proposal does not fit what its agent may do, or what trusted code does when it is called again.

    Attributes:
        status: of the turn that it comes to.
        reason: what an event calls it.
    """

    status: ProposedStatus = "blocked"
    reason = "forged"


class ProposalTimeout(InvalidProposal):
    """Doing a proposal again takes longer than its cell had."""

    status: ProposedStatus = "timeout"
    reason = "late"


def check_depth(data: bytes) -> None:
    """Refuse JSON that is nested too deeply, before it is read; raises ValueError."""
    if data.count(b"[") + data.count(b"{") <= MAX_JSON_DEPTH:
        return
    brackets = np.frombuffer(_STRING.sub(b"", data).translate(None, _NO_BRACKETS), np.uint8)
    steps = np.where((brackets == ord("[")) | (brackets == ord("{")), 1, -1)
    if steps.size and np.cumsum(steps).max() > MAX_JSON_DEPTH:
        raise ValueError(f"no proposal: nested more than {MAX_JSON_DEPTH} deep")


def check(world: WorldState, proposal: Proposal, agent: str) -> None:
    """Refuse what no cell of this agent can have said; raises InvalidProposal.

    Args:
        world: the canonical one, at the start of the turn.
        proposal: what the process said.
        agent: who acts, as the scheduler has it.
    """
    if proposal.need is not None:
        raise InvalidProposal(f"{agent} may ask nobody")
    may_operate_others = EVERYTHING in world.rights_of(agent).targets
    count, calls = 0, False
    for act in _turns(proposal.turn):
        inner = sum(isinstance(each, ProposedTurn) for each in act.acts)
        count += len(act.acts) + len(act.reads) + inner * (ACTS_OF_A_TURN - 1)
        if count > MAX_ACTS:
            raise InvalidProposal(f"more than {MAX_ACTS:,} acts and reads in one turn")
        _check_turn(act)
        _check_reads(world, act, agent if act is proposal.turn else act.agent)
        calls = calls or any(isinstance(inner, ProposedCall) for inner in act.acts)
        if act is not proposal.turn and act.agent != agent and not may_operate_others:
            raise InvalidProposal(f"{agent} may not operate {act.agent[:40]!r}")
    if calls and proposal.claimed is None:
        raise InvalidProposal("calls of trusted code without a claim of what they did")


def _turns(outermost: ProposedTurn) -> Iterator[ProposedTurn]:
    """Yield a turn and those inside it; raises InvalidProposal if they are nested too deeply."""
    level, depth = [outermost], 0
    while level:
        if depth > MAX_NESTED_TURNS:
            raise InvalidProposal(f"turns nested more than {MAX_NESTED_TURNS} deep")
        yield from level
        level = [inner for act in level for inner in act.acts if isinstance(inner, ProposedTurn)]
        depth += 1


def _check_turn(act: ProposedTurn) -> None:
    if (act.status == "committed") != (act.error is None):
        raise InvalidProposal(f"a turn that {act.status} and says {'nothing' if act.error is None else 'an error'}")
    if act.status != "committed" and not all(isinstance(inner, ProposedTurn) for inner in act.acts):
        raise InvalidProposal("acts of a turn that did not land")


def _check_reads(world: WorldState, act: ProposedTurn, agent: str) -> None:
    """Refuse reads that would not have been noted: of nobody, of one's own, of what everybody may read."""
    for name, field in act.reads:
        entity = world.undo_log.entities.get(name)
        if entity is None and EVERYTHING in world.rights_of(agent).targets:
            continue  # one that its own turn made
        declared = None if entity is None else fields_of(entity).get(field)
        is_noted = declared is not None and (world.record_reads or not declared.is_public)
        if not is_noted or name == agent:
            raise InvalidProposal(f"{name[:40]}.{field[:40]} is no field of others whose reads are noted")
    if sorted(set(act.reads)) != act.reads:
        raise InvalidProposal("reads out of order")


def check_books(world: WorldState, depth: int, turn: Turn) -> None:
    """Make sure that a turn left the books of its world as balanced as it found them.

    Raises:
        RuntimeError: it did not, so this process is not to go on: another begins where the last turn ended.
    """
    undo_log = world.undo_log
    if undo_log.depth != depth or undo_log.guard is not None or world.turns.current_id:
        raise RuntimeError(f"turn {turn.id} left its world half open")
