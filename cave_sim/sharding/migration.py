"""What somebody takes along from one simulation to another: their entity, their variables, what they know and said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from cave_sim.entity.entity import encode_fields
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.session.archive import Archive, restore
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.snapshot import define
from cave_sim.world.world import World


class Migration(msgspec.Struct, frozen=True):
    """Somebody on the way, as plain data.

    Attributes:
        name: of the entity, and of the agent that acts for it.
        entity: ``{"type": name, "fields": {...}}``, as in the change that creates it.
        variables: the agent's own, as its namespace keeps them; those that refer to entities which are not where it
            goes are lost.
        agent: what :meth:`~cave_sim.Agent.keep` returned.
        grants: what it may write besides its own entity.
        strikes: how often a host stopped its cells from reaching outside.
        session: all rows of what it said and heard; None for agents that have no session.
    """

    name: str
    entity: dict[str, Any]
    variables: dict[str, Any] = {}
    agent: Any = None
    grants: list[str] = []
    strikes: int = 0
    session: dict[str, Any] | None = None


def pack(simulation: Simulation, name: str) -> Migration:
    """Return what somebody would take along; raises WorldError if nobody has that name."""
    world = simulation.world
    entity, agent = world[name], simulation.by_name.get(name)
    variables = world.interpreter.namespaces[name].snapshot()[0] if name in world.interpreter.namespaces else {}
    return Migration(
        name,
        {"type": type(entity).__name__, "fields": encode_fields(entity)},
        variables,
        None if agent is None else agent.keep(),
        list(world.system.grants.get(name, ())),
        world.violations.get(name, 0),
        None if agent is None or agent.session is None else Archive().news(agent.session),
    )


def take_out(simulation: Simulation, names: Sequence[str]) -> None:
    """Have entities leave a simulation, and their agents with them, between two steps."""
    world = simulation.world
    for name in names:
        world.remove(name)
        world.system.grants.pop(name, None)
        world.violations.pop(name, None)
        if name in world.interpreter.namespaces:
            namespace = world.interpreter.namespaces[name]
            namespace.store_serialized({}, gone=[*namespace.variables(), *namespace.serialized])
    if names:
        simulation.recast()
        _tell_the_host(world)


def put_in(simulation: Simulation, arrivals: Sequence[Migration]) -> None:
    """Have entities join a simulation between two steps, with all that they brought.

    Raises:
        WorldError: somebody of that name is there already, or the class of an entity is not known here.
    """
    if not arrivals:
        return
    world = simulation.world
    for each in arrivals:
        world.add(each.name, world.registry.build(each.entity))
        if each.grants:
            world.system.grants[each.name] = each.grants
        if each.strikes:
            world.violations[each.name] = each.strikes
    world.turns.record_script_writes()  # so that functions among the variables are defined in turns of their own
    simulation.recast()
    for each in arrivals:
        if each.variables:
            _unpack_variables(world, each)
        if agent := simulation.by_name.get(each.name):
            agent.recall(each.agent)
            if each.session is not None:
                agent.session = next(iter(restore([each.session]).values()))
    _tell_the_host(world)


def _unpack_variables(world: World, luggage: Migration) -> None:
    """Give an agent its variables; where its cells run elsewhere they stay data, and no code of a cell is run here."""
    namespace = world.interpreter.namespace(luggage.name)
    if world.host is None:
        namespace.restore(luggage.variables, world.undo_log.entities, partial(define, world))
    else:
        namespace.store_serialized(luggage.variables)


def _tell_the_host(world: World) -> None:
    """Have the process that runs the cells begin anew from here: it was not told whose variables came and went."""
    if isinstance(world.host, ProcessHost):
        world.host.attach(world)
