"""Gifts: variables that the program gives an agent or takes from it, as opposed to what the agent's cells leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from cave_sim.world.state import WorldState


@dataclass(frozen=True, slots=True)
class Gift:
    """What a program did to one agent's variables between two turns.

    Attributes:
        agent: whose they are.
        after: the number of the last turn before it.
        bound: variables as plain data, by name.
        gone: names of those that were taken away.
    """

    agent: str
    after: int
    bound: Mapping[str, Any]
    gone: Collection[str] = ()


def give(world: WorldState, agent: str, bound: Mapping[str, Any], gone: Collection[str] = ()) -> None:
    """Give an agent variables as plain data, and take others away, wherever its cells run; whoever follows is told.

    Raises:
        Malformed: a name or the data is none that a cell can leave.
    """
    namespace = world.interpreter.namespace(agent)
    namespace.drop(gone)
    namespace.put(bound)
    if world.host is not None:
        world.host.give(agent, bound, gone)
    tell(world, agent, bound, gone)


def tell(world: WorldState, agent: str, bound: Mapping[str, Any], gone: Collection[str] = ()) -> None:
    """Tell whoever follows the world of a gift; what a cell gives is part of its turn, and will come of it again."""
    turns = world.turns
    if turns.on_gift is not None and not turns.nesting and (bound or gone):
        turns.on_gift(Gift(agent, turns.last_id, bound, sorted(gone)))
