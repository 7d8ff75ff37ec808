"""Verifying compares agents' variables after every step, and does again what the program did to them."""

import itertools
from contextlib import nullcontext

import pytest

from cave_sim import Agent, Simulation, open_run
from cave_sim.replay.reexecute import reexecute
from cave_sim.replay.verify import verify
from cave_sim.simulation.run_state import AgentState
from tests.hosts.process.conftest import market_host
from tests.world.market import make_market

__all__ = ["market_host"]
CELLS = ("def twice(x):\n    return 2 * x\nplan = {'stalls': [{'price': 1}]}", "seen = clock.step", "seen = seen + 1")


class Thinker(Agent):
    """Has variables, and writes nothing that anybody else sees."""

    acts = 0

    def act(self, observation):
        self.acts += 1
        return CELLS[min(self.acts, len(CELLS)) - 1]


class Counter(Agent):
    """Adds up what the program gave it."""

    def act(self, observation):
        return "me.mood = sum(seats) / 10 % 1\nseats.append(clock.step)"


def market(folder=None, kind=Thinker, names=("ann", "bob"), tool=None):
    world = make_market(7)
    if tool is not None:
        world.inject("draw", tool)
    return Simulation(world, [(kind, name) for name in names], out=folder)


def recorded(folder, simulation, until=4, act=lambda simulation: None):
    for _ in range(until):
        simulation.step()
        act(simulation)
    simulation.close()
    return folder


def verdict(folder, make):
    with open_run(folder) as run:
        return verify(run, make)


@pytest.mark.parametrize(
    ("cell", "path"),
    [
        ("seen = draw()", "seen"),
        ("notes = [1, {'at': draw()}]", "notes.1.at"),
        ("class Place:\n    pass\nhere = Place()\nhere.number = draw()", "here.number"),
        ("def price(of=draw()):\n    return of", "price.defaults.0"),
        ("pair = (1, 2)\nother = [pair, draw()]", "other.1"),
        ("found = {(1, 2): draw()}", "found.(1, 2)"),
    ],
)
def test_a_variable_that_came_out_otherwise_is_named_with_its_agent(cell, path, tmp_path):
    class Drawer(Thinker):
        def act(self, observation):
            self.acts += 1
            return cell if (self.name, self.acts) == ("bob", 3) else "mine = 1"

    numbers = itertools.count()
    make = lambda folder=None: market(folder, Drawer, tool=lambda: next(numbers))  # noqa: E731
    found = verdict(recorded(tmp_path / "run", make(tmp_path / "run")), make)
    assert (found.difference.step, found.difference.what) == (3, f"variable {path} of bob")
    assert found.difference.recorded != found.difference.now


def test_variables_that_come_out_the_same_hold(tmp_path):
    assert verdict(recorded(tmp_path / "run", market(tmp_path / "run")), market).holds


def give_anew(simulation):
    step = simulation.world.clock.step
    simulation.world.inject("seats", [step, step], agent="ann")


def give_between_two_cells(simulation):
    world = simulation.world
    world.inject("seats", [1], agent="ann")
    world.execute("seats.append(2)\nme.mood = len(seats) / 100", agent="ann")
    world.inject("seats", {"a", "b"}, agent="ann")
    world.execute("me.mood = len(seats) / 10\nseats = [5]", agent="ann")


@pytest.mark.long
@pytest.mark.parametrize("act", [give_anew, give_between_two_cells])
def test_what_the_program_gave_is_given_again_where_it_was_given(act, tmp_path, market_host):
    simulation = market(tmp_path / "run", Counter, ["ann"])
    simulation.world.inject("seats", [1, 2], agent="ann")
    recorded(tmp_path / "run", simulation, act=act)
    with open_run(tmp_path / "run") as run:
        assert {turn.status for turn in run.turns(agent="ann")} == {"committed"}
        for place in (None, lambda again: nullcontext(market_host.attach(again.world))):
            assert reexecute(run, market(None, Counter, ["ann"]), place=place) is None


def test_what_a_meta_agent_gives_is_part_of_its_turn_and_no_gift(tmp_path):
    simulation = market(tmp_path / "run", Thinker, ["bob"])
    simulation.world.grant("bob", "*")
    simulation.step()
    simulation.world.execute("team['ann'].inject('seats', [1, 2])", agent="bob")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT count(*) FROM events WHERE kind = 'gift'") == [(0,)]
        assert run.private_data(2)["ann", "variables"] == {"seats": [1, 2]}

    def make():
        return market(None, Thinker, ["bob"])

    assert verdict(tmp_path / "run", make).holds


def test_variables_of_one_who_moved_in_are_given_again_with_their_functions(tmp_path):
    home, there = market(None, names=["ann"]), market(tmp_path / "run", Counter, ["ann"])
    home.world.execute("seats = [3]\ndef more(n):\n    return n + len(seats)", agent="ann")
    AgentState.of(home.world, "ann", None).put_into_agent(there.world, "ann", None)
    there.world.execute("me.mood = more(0) / 10", agent="ann")
    there.step()
    AgentState.forget(there.world, "ann")
    there.world.execute("seats = []", agent="ann")
    there.step()
    there.close()
    with open_run(tmp_path / "run") as run:
        assert {turn.status for turn in run.turns(agent="ann")} == {"committed"}
        assert reexecute(run, market(None, Counter, ["ann"])) is None
