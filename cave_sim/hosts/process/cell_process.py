"""What happens in the forked process of one cell: into the jail, run it, say what it proposes, and be gone."""

from __future__ import annotations

import gc
import os
from functools import partial
from typing import Any, NoReturn

from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.proposal import Proposal, Variables
from cave_sim.hosts.process.recording import ProposalRecorder
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.runtime.cell import CellCache
from cave_sim.world.snapshot import define
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

BROKEN = 70
"""Exit status of a process that could not run its cell, or not say what came of it."""
NO_MEMORY = 71
"""Exit status of one that ran out of memory after its cell."""


def live(
    world: WorldState, jail: Sandbox, cells: CellCache, code: str, agent: str, pipe: int, used_bytes: int
) -> NoReturn:
    """Be the process of one cell. Never returns.

    Args:
        world: this process's own copy.
        jail: entered before anything of the agent runs.
        cells: compiles the cell.
        code: the cell.
        agent: who acts.
        pipe: takes the proposal.
        used_bytes: address space in use at the fork.
    """
    status = BROKEN
    try:
        gc.disable()  # so that what the fork shares stays shared
        jail.enter(pipe, world.limits, used_bytes)
        world.interpreter.cells = cells
        data = memoryview(run(world, code, agent))
        while data:
            data = data[os.write(pipe, data) :]
        status = 0
    except MemoryError:
        status = NO_MEMORY
    finally:
        os._exit(status)


def run(world: WorldState, code: str, agent: str) -> bytes:
    """Run a cell in this process's copy of the world; returns the proposal."""
    world.sink = None
    before = _deserialize(world, agent)
    recording = world.recorder = ProposalRecorder(world)
    turn = take_turn(world, code, agent)
    assert recording.turn is not None
    claimed = turn.changes if recording.called and turn.committed else None
    proposal = Proposal(recording.turn, claimed, _variables(world, before))
    data = encode(proposal)
    if len(data) <= world.limits.stored_bytes:
        return data
    act = recording.turn
    act.status, act.acts = "blocked", []
    act.error = f"Blocked: what the cell wrote and keeps is {len(data):,} bytes; at most {world.limits.stored_bytes:,}"
    return encode(Proposal(act, None, {}))


def _deserialize(world: WorldState, agent: str) -> dict[str, tuple[dict[str, Any], set[str]]]:
    """Bind the variables that the cell may use; returns what there was, by agent: data, and names of tools."""
    everybody = EVERYTHING in world.rights_of(agent).targets
    found = {}
    for name in [*world.interpreter.namespaces] if everybody else [agent]:
        namespace = world.interpreter.namespace(name)
        found[name] = (namespace.serialized, set(namespace.globals))
        if namespace.serialized:
            namespace.deserialize(world.undo_log.entities, partial(define, world))
    return found


def _variables(world: WorldState, before: dict[str, tuple[dict[str, Any], set[str]]]) -> dict[str, Variables]:
    """Return what became of the variables of every agent that a cell ran for."""
    found = {}
    for agent, namespace in world.interpreter.namespaces.items():
        given = {tool.name for tool in world.tools.values() if tool.agent == agent}
        was, tools = before.get(agent, ({}, given))
        if namespace.serialized and agent not in before:
            continue
        kept, lost = namespace.snapshot()
        bound = {name: data for name, data in kept.items() if name not in was or was[name] != data}
        gone = [name for name in was if name not in kept]
        news = Variables(bound, gone, [name for name in lost if name not in tools])
        if news.bound or news.gone or news.lost:
            found[agent] = news
    return found
