"""What a run is between two steps: every part that it needs to go on, in one list.

Resuming a run, branching from it, forking a live simulation and moving an agent to another shard all go through the two
classes of this module, so that a part which is added here is forgotten by none of them.

Two things are not kept, because nothing of them is left between two steps: random streams, which follow from seed, name
and step, and the counts of what agents have drawn, which begin anew when the clock moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from cave_sim.journal.queries import changed_by_others, last_turn_of
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import state_at
from cave_sim.journal.tallies import cell_count
from cave_sim.session.archive import restore
from cave_sim.session.session import Session
from cave_sim.simulation.agents import Agent
from cave_sim.world import gifts
from cave_sim.world.snapshot import restore_into
from cave_sim.world.world import World

VIOLATIONS = "strikes"
"""What the journal calls the counts of violations."""
BUDGET, TREATMENT = "budget", "treatment"
"""What it calls what was spent on models, and what of the planned interventions was done."""


def own_data(simulation: Any) -> dict[str, Any]:
    """Return what a simulation keeps for itself with each step, by kind, as plain data."""
    return {BUDGET: simulation.calls.to_data(), TREATMENT: simulation.treatment.keep()}


@dataclass(frozen=True, slots=True)
class AgentState:
    """What belongs to one agent, beside the fields of its entity."""

    memory: Any = None
    """What :meth:`~cave_sim.Agent.keep` returned, plain data."""

    session: Session | None = None
    """What it said and heard; None for agents that ask no model."""

    violations: int = 0
    """How often a host stopped its cells from reaching outside."""

    variables: Mapping[str, Any] | None = None
    """The variables of its cells as plain data; None where the world that it goes on in has them already."""

    grants: Sequence[str] | None = None
    """What it may write besides its own entity; None where the world that it goes on in knows that already."""

    @classmethod
    def of(cls, world: World, name: str, agent: Agent | None) -> Self:
        """Return all that belongs to an agent; None as the agent for a name that nobody acts for."""
        variables = dict(world.interpreter.namespaces[name].data) if name in world.interpreter.namespaces else {}
        grants = list(world.system.grants.get(name, ()))
        return replace(cls.beside_snapshot(world, name, agent), variables=variables, grants=grants)

    @classmethod
    def beside_snapshot(cls, world: World, name: str, agent: Agent | None) -> Self:
        """Return what belongs to an agent and is not in the snapshot of its world."""
        violations = world.violations.get(name, 0)
        return cls(violations=violations) if agent is None else cls(agent.keep(), agent.session, violations)

    @staticmethod
    def forget(world: World, name: str) -> None:
        """Have a world keep nothing of an agent that left it."""
        world.system.grants.pop(name, None)
        world.violations.pop(name, None)
        if name in world.interpreter.namespaces:
            gifts.give(world, name, {}, gone=world.interpreter.namespaces[name].names())

    def put_into_world(self, world: World, name: str) -> None:
        """Let a world know what an agent may write, and what it has done."""
        if self.violations:
            world.violations[name] = self.violations
        if self.grants:
            world.system.grants[name] = list(self.grants)

    def put_into_agent(self, world: World, name: str, agent: Agent | None) -> None:
        """Give an agent what it knew."""
        if self.variables:
            gifts.give(world, name, self.variables)
        if agent is not None:
            agent.restore(self.memory)
            if self.session is not None:
                agent.session = self.session


@dataclass(frozen=True, slots=True)
class RunState:
    """A run after one of its steps."""

    world: bytes | None
    """The world's snapshot: fields of all entities, clock, seed, scheduled events, grants, the number of turns so far,
    and the variables of cells (:mod:`cave_sim.world.snapshot`); None where the world itself was copied."""

    agents: Mapping[str, AgentState]
    """By name; also of names whose agents are no more, but whose violations still count."""

    woken: frozenset[str]
    """Names of the entities that somebody else has changed in the step, for schedulers that ask."""

    spending: Mapping[str, Any] | None
    """What models were paid so far, and which agents they failed how often in a row; None if none was asked."""

    turns_taken: int
    """How many cells have run."""

    treatment: Mapping[str, Any] = field(default_factory=dict)
    """How far the planned interventions are that wait for a condition, as a treatment keeps it."""

    sessions: Sequence[Session] = ()
    """Every session that the journal has, so that none of their rows is written twice."""

    @classmethod
    def read(cls, run: Run, step: int) -> Self:
        """Return the state that a run had after a step, as its journal tells it.

        Raises:
            JournalError: the run has no such step, or its file is damaged.
        """
        private_data = run.private_data(step)
        violations = private_data.get(("", VIOLATIONS), {})
        memories = {name: data for (name, kind), data in private_data.items() if kind == "agent"}
        entries = run.sessions(step)
        sessions = restore(entries)
        current = {entry["about"]["agent"]: sessions[entry["about"]["id"]] for entry in entries}
        return cls(
            state_at(run, step),
            {
                name: AgentState(memories.get(name), current.get(name), violations.get(name, 0))
                for name in {**violations, **memories, **current}
            },
            frozenset(changed_by_others(run, step)),
            private_data.get(("", BUDGET)),
            cell_count(run, last_turn=last_turn_of(run, step)),
            private_data.get(("", TREATMENT)) or {},
            tuple(sessions.values()),
        )

    def with_forked_sessions(self) -> Self:
        """Return the same state with sessions of its own, so that two simulations can go on from it."""
        agents = {
            name: state if state.session is None else replace(state, session=state.session.fork())
            for name, state in self.agents.items()
        }
        return replace(self, agents=agents)

    def put_into_world(self, world: World) -> None:
        """Bring a world, made as the run's was, to this state.

        Raises:
            WorldError: it has other entity classes or another clock.
        """
        if self.world is not None:
            restore_into(world, self.world)
        world.violations = {}
        for name, state in self.agents.items():
            state.put_into_world(world, name)

    def put_into_agents(self, world: World, agents: Mapping[str, Agent]) -> None:
        """Give the agents of a simulation what those of the run knew; one that the run had not begins with nothing."""
        for name, agent in agents.items():
            self.agents.get(name, AgentState()).put_into_agent(world, name, agent)
