"""Agents take part in what another one deliberates: under their own names, at once, and it learns what they came to."""

import pytest

from cave_sim import Agent, Entity, Simulation, World, WorldError, field
from cave_sim.simulation.deliberation import Cell, Others, together
from cave_sim.simulation.schedulers import Only


class Counter(Entity):
    """Counts."""

    seen: list[str] = field([])


def counting(name, times):
    for _ in range(times):
        yield Cell(f"counter.seen.append({name!r})")
    return f"{name} {times}"


def step_of(parts):
    """Let a host have others take part, one group after another; returns what was seen, and what the host was sent."""
    came = []

    class Host(Agent):
        def deliberate(self, observation):
            for part in parts:
                sent = yield Others({name: counting(name, times) for name, times in part.items()})
                came.append(sent)

    class Guest(Agent):
        def act(self, observation):
            return "1"

    world = World(seed=7)
    world.add("counter", Counter())
    for name in ("ann", "bob"):
        world.grant(name, "counter")
    agents = {"host": Host, "ann": Guest, "bob": Guest}
    Simulation(world, agents, scheduler=Only(("host",)), host="local").step()
    return world["counter"].seen, came


def test_they_go_on_side_by_side_and_all_are_waited_for():
    seen, came = step_of([{"ann": 2, "bob": 1}, {"ann": 1}])
    assert seen == ["ann", "bob", "ann", "ann"]
    assert came == [{"ann": "ann 2", "bob": "bob 1"}, {"ann": "ann 1"}]


def test_nobody_is_waited_for_where_nobody_takes_part():
    assert step_of([{}, {"bob": 0}]) == ([], [{}, {"bob": "bob 0"}])


def test_who_deliberates_already_cannot_take_part():
    def host():
        yield Others({"ann": counting("ann", 1)})

    with pytest.raises(WorldError, match="ann: deliberates already, and cannot take part in what host does"):
        list(together([("host", host()), ("ann", counting("ann", 1))], lambda cells: iter(())))
