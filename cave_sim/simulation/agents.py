"""Agent: whoever chooses cells. A mesa agent with a name, an observation to look at, and a cell to answer with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mesa

from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.random_streams import RandomStream
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Cell, Deliberation
from cave_sim.world.world import World


class Agent(mesa.Agent):  # type: ignore[misc]
    """Chooses what one name does.

    State lives in the world, where it is journaled and restored. What an agent must know beyond that from one step to
    the next goes through :meth:`keep` and :meth:`recall`, or a resumed run would take another course.

    Args:
        simulation: the model it belongs to.
        name: under which it acts; if an entity of the world has this name, that is its ``me``.

    Attributes:
        stage: its place in a :class:`~cave_sim.simulation.schedulers.Staged` schedule.
        session: what it said and heard, for agents that ask a model; kept in the journal.
    """

    stage = ""
    session: Session | None = None

    def __init__(self, simulation: mesa.Model, name: str) -> None:
        super().__init__(simulation)
        self.name = name

    @property
    def rng(self) -> RandomStream:
        """A random stream for choosing, apart from the world's own: it follows from seed, name and step."""
        world = self.model.world
        return RandomStream(world.seed, "policy", self.name, world.clock.step)

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run, or an empty text to let the moment pass."""
        raise NotImplementedError

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Get from an observation to cells: yield what is needed next, be sent it, until nothing more is.

        By default one cell, chosen by :meth:`act`. Agents that ask a model, or run several cells, override this.
        """
        code = self.act(observation)
        if code:
            self.feedback((yield Cell(code)))

    def feedback(self, turn: Turn) -> None:
        """Hear what became of the cell. Does nothing unless overridden."""

    def keep(self) -> Any:
        """Return what it must know when the run is resumed, as plain data; None if nothing."""
        return None

    def recall(self, kept: Any) -> None:
        """Take back what :meth:`keep` returned; None if it had nothing."""

    # ---- its variables in the world

    def inject(self, name: str, value: Any, about: str = "") -> None:
        """Make a native object one of this agent's own variables (CaveAgent §3.1.1)."""
        self.model.world.inject(name, value, about, agent=self.name)

    def retrieve(self, name: str) -> Any:
        """Return one of its variables as the native object that it is; KeyError if there is none of that name."""
        return self.model.world.retrieve(name, agent=self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


Role = Callable[[Any, str], Agent]
"""Makes the agent of an entity from a simulation and a name; an agent class is one."""


class Cast:
    """The roles of a simulation: entity class -> who acts for its entities.

    Args:
        roles: an entity takes the role of its own class, or else of the nearest class above that has one.
    """

    def __init__(self, roles: Mapping[type[Entity], Role]) -> None:
        self._roles = dict(roles)
        self._given: dict[str, Role] = {}

    def changes(self, world: World, agents: Mapping[str, Agent]) -> tuple[list[str], list[tuple[Role, str]]]:
        """Return the names that must leave and the roles and names that must join for the cast to be right.

        Args:
            world: who is there.
            agents: who acts now. Those that were not cast stay, and nobody is cast for them.
        """
        wanted = {name: role for name in world if (role := self._role_of(world[name]))}
        leaving = sorted(name for name, role in self._given.items() if wanted.get(name) is not role)
        joining = [
            (role, name)
            for name, role in sorted(wanted.items(), key=lambda found: found[0])
            if self._given.get(name) is not role and (name in self._given or name not in agents)
        ]
        self._given = {name: role for name, role in self._given.items() if name not in leaving}
        self._given.update({name: role for role, name in joining})
        return leaving, joining

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def _role_of(self, entity: Entity) -> Role | None:
        return next((self._roles[kind] for kind in type(entity).__mro__ if kind in self._roles), None)


def while_there(world: World, name: str, deliberation: Deliberation) -> Deliberation:
    """Deliberate as long as the entity that one acts for is in the world: others may remove it between two cells."""
    found = None
    while name in world:
        try:
            wish = deliberation.send(found)
        except StopIteration:
            return
        found = yield wish
    deliberation.close()
