"""Moving an entity and its agent from one simulation to another, with all that they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec

from cave_sim.entity.entity import encode_fields
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.session.archive import Archive, restore
from cave_sim.simulation.run_state import AgentState
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.world import World


class Migration(msgspec.Struct, frozen=True):
    """An entity on its way to another simulation, as plain data, with the state of the agent that acts for it.

    Its encoded form is part of worlds that keep migrations in a field, and so of their state hashes.

    Attributes:
        name: of the entity, and of its agent.
        entity: ``{"type": name, "fields": {...}}``, as in the change that creates it.
        variables, agent, grants, violations, session: the parts of an
            :class:`~cave_sim.simulation.run_state.AgentState`; ``agent`` is its memory, and the session comes with all
            its rows. Variables that refer to entities which are not where it goes are lost.
    """

    name: str
    entity: dict[str, Any]
    variables: dict[str, Any] = {}
    agent: Any = None
    grants: list[str] = []
    violations: int = msgspec.field(default=0, name="strikes")
    session: dict[str, Any] | None = None

    @classmethod
    def of(cls, name: str, entity: dict[str, Any], state: AgentState) -> Self:
        """Return a migration that takes an agent's state along."""
        return cls(
            name,
            entity,
            dict(state.variables or {}),
            state.memory,
            list(state.grants or ()),
            state.violations,
            None if state.session is None else Archive().news(state.session),
        )

    def agent_state(self) -> AgentState:
        """Return the state of the agent that migrates."""
        session = None if self.session is None else next(iter(restore([self.session]).values()))
        return AgentState(self.agent, session, self.violations, self.variables, self.grants)


def pack(simulation: Simulation, name: str) -> Migration:
    """Return what an entity and its agent would take along; raises WorldError if no entity has that name."""
    entity = simulation.world[name]
    state = AgentState.of(simulation.world, name, simulation.by_name.get(name))
    return Migration.of(name, {"type": type(entity).__name__, "fields": encode_fields(entity)}, state)


def take_out(simulation: Simulation, names: Sequence[str]) -> None:
    """Have entities leave a simulation, and their agents with them, between two steps."""
    if not names:
        return
    for name in names:
        simulation.world.remove(name)
        AgentState.forget(simulation.world, name)
    simulation.roster.match(simulation)
    _restart_host(simulation.world)


def put_in(simulation: Simulation, arrivals: Sequence[Migration]) -> None:
    """Have entities join a simulation between two steps, with all that they brought.

    Raises:
        WorldError: there is an entity of that name already, or the class of one is not known here.
    """
    if not arrivals:
        return
    world = simulation.world
    states = {migration.name: migration.agent_state() for migration in arrivals}
    for migration in arrivals:
        world.add(migration.name, world.registry.build(migration.entity))
        states[migration.name].put_into_world(world, migration.name)
    world.turns.record_script_writes()
    simulation.roster.match(simulation)
    for name, state in states.items():
        state.put_into_agent(world, name, simulation.by_name.get(name))
    _restart_host(world)


def _restart_host(world: World) -> None:
    """Have the process that runs the cells begin again from here: it was not told whose variables came and went."""
    if isinstance(world.host, ProcessHost):
        world.host.attach(world)
