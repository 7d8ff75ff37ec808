"""Casting: who acts for whom follows from who is in the world.

So whoever comes into a running world gets an agent that acts from the next step on, whoever leaves it takes theirs
along, and a run that is resumed, forked or replayed has the same agents without being told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.agent import Agent
from cave_sim.deliberation import Deliberation
from cave_sim.entity import Entity
from cave_sim.world import World

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
