"""The agents of a simulation: who they are, for which entities they were made, and whom something happened to."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Cell, Deliberation
from cave_sim.simulation.omission import Omission
from cave_sim.simulation.schedulers import Moment
from cave_sim.simulation.silence import Silence
from cave_sim.world.glance import Glance
from cave_sim.world.world import World

_ENTITY, _PATH = attrgetter("entity"), attrgetter("path")

AgentFactory = Callable[[Any, str], Agent]
"""Makes an agent from a simulation and a name; an agent class is one."""


class Roster:
    """The agents of one simulation by name. Those made for an entity come and go with it; those that were given act
    for as long as the entity that they began with is there.

    Args:
        agents: those that it begins with, made by no factory.
        factories: entity class -> what makes the agents of its entities; an entity takes the factory of its own class,
            or else of the nearest class above that has one.
        world: the world as the simulation is made.

    Attributes:
        by_name: the agents.
        woken: the entities that somebody else changed since the last step began.
        outdated: whether entities came or went since the agents were last matched to them.
        silence: who does not act when.
        omission: what is left out of what they do and are asked.
        embodied: those that act for an entity, and only while it is there.
    """

    def __init__(
        self,
        agents: Iterable[Agent] = (),
        factories: Mapping[type[Entity], AgentFactory] | None = None,
        world: Container[str] = (),
    ) -> None:
        self.by_name: dict[str, Agent] = {agent.name: agent for agent in agents}
        self.woken: set[str] = set()
        self.outdated: bool = False
        self.silence: Silence = Silence()
        self.omission: Omission = Omission()
        self.embodied: set[str] = {name for name in self.by_name if name in world}
        self._factories = dict(factories or {})
        self._made_by: dict[str, AgentFactory] = {}

    @property
    def has_factories(self) -> bool:
        """Whether entities that come may get agents."""
        return bool(self._factories)

    def add(self, agent: Agent) -> None:
        """Let an agent act from the next batch on; who does so again in a resumed run is for factories to say."""
        self.by_name[agent.name] = agent

    def remove(self, name: str) -> None:
        """Let an agent act no more."""
        self.by_name.pop(name).remove()

    def match(self, simulation: Any) -> None:
        """Make and remove agents until every entity of a class with a factory has an agent that was made by it.

        Agents that no factory made stay, and none is made for an entity that such an agent acts for.

        Args:
            simulation: the simulation of these agents, with the world that they act in.
        """
        self.outdated = False
        if not self._factories:
            return
        world = simulation.world
        wanted = {name: factory for name in world if (factory := self._factory_of(type(world[name])))}
        for name in sorted(name for name, factory in self._made_by.items() if wanted.get(name) is not factory):
            del self._made_by[name]
            if name in self.by_name:
                self.remove(name)
        for name, factory in sorted(wanted.items(), key=lambda item: item[0]):
            if name not in self.by_name and name not in self._made_by:
                self._made_by[name] = factory
                self.embodied.add(name)
                self.add(factory(simulation, name))

    def newcomer(self, simulation: Any, name: str, kind: str) -> Agent | None:
        """Return the agent that an entity of a class would have, which nobody knows of yet; None if it has none."""
        class_ = next((each for each in simulation.world.types if each.__name__ == kind), None)
        factory = None if class_ is None else self._factory_of(class_)
        return None if factory is None else factory(simulation, name)

    def adopt(self, world: World, name: str, agent: Agent) -> None:
        """Let an agent that :meth:`newcomer` made act for its entity, which has come into the world."""
        factory = self._factory_of(type(world[name]))
        assert factory is not None
        self._made_by[name] = factory
        self.embodied.add(name)
        self.add(agent)

    def hear(self, turn: Turn) -> None:
        """Take in a turn: whose entities another agent changed, and whether some came or went."""
        self.woken |= set(map(_ENTITY, turn.changes)) - {turn.agent}
        self.outdated = self.outdated or not all(map(_PATH, turn.changes))

    def moment(self, world: World) -> Moment:
        """Return what a scheduler may look at as a step begins."""
        return Moment(
            world.clock.step,
            world.seed,
            sorted(self.by_name),
            lambda name: self.by_name[name].stage,
            frozenset(self.woken),
        )

    def may_act(self, name: str, world: World) -> bool:
        """Return False for one that is paused or silent, or whose entity has left the world."""
        if name in world.wiring.paused or self.silence.holds(name, world.clock.step):
            return False
        return name not in self.embodied or name in world

    def deliberation(self, name: str, world: World) -> Deliberation:
        """Have an agent look at the world and deliberate, for as long as the entity it was made for is there."""
        agent = self.by_name.get(name)
        if agent is None:
            raise WorldError(f"the scheduler has {name!r} act, who is no agent.{did_you_mean(str(name), self.by_name)}")
        if agent.glances and type(agent).deliberate is Agent.deliberate:
            return self._while_present(name, world, _at_a_glance(agent, world.glance(name)))
        return self._while_present(name, world, agent.deliberate(world.observe(name)))

    def reaction(self, name: str, to: Sequence[str], world: World) -> Deliberation:
        """Have an agent look at the world again and react to what others did."""
        return self._while_present(name, world, self.by_name[name].react(world.observe(name), to))

    def _while_present(self, name: str, world: World, deliberation: Deliberation) -> Deliberation:
        return while_present(world, name, deliberation) if name in self._made_by else deliberation

    def _factory_of(self, kind: type[Entity]) -> AgentFactory | None:
        return next((self._factories[each] for each in kind.__mro__ if each in self._factories), None)


def _at_a_glance(agent: Agent, seen: Any) -> Deliberation:
    """Deliberate on what is seen at one moment, which is over when the agent has chosen a cell."""
    try:
        code = agent.chosen_cell(seen)
    finally:
        if isinstance(seen, Glance):
            seen.close()
    if code:
        agent.feedback((yield Cell(code)))


def while_present(world: World, name: str, deliberation: Deliberation) -> Deliberation:
    """Deliberate for as long as an entity is in the world: another agent may remove it between two cells."""
    answer = None
    while name in world:
        try:
            request = deliberation.send(answer)
        except StopIteration:
            return
        answer = yield request
    deliberation.close()
