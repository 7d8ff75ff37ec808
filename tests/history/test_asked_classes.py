"""Expressions that ask for a class by a slip are refused, and those that ask for one who comes later are not."""

import pytest

from cave_sim import Entity, Simulation, World, open_run
from cave_sim.analysis.norms import adherence
from cave_sim.errors import WorldError
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.bisect import bisect
from cave_sim.history.rewards import trajectories
from cave_sim.simulation.control import Control


class Resident(Entity):
    """Lives somewhere."""

    mood: int = 5


class Residence(Entity):
    """Where somebody lives; none is there at first, and its name is nearly that of who is."""

    rooms: int = 2


def build(world):
    if world.clock.step == 2:
        world.add("home", Residence())


SLIP = "len(world.all(Residnt)) < 3"
LATER = "len(world.all(Residence)) < 3"


@pytest.fixture
def simulation(tmp_path):
    world = World(seed=1)
    world.add("ann", Resident())
    world.dynamics(build)
    with Simulation(world, {"ann": lambda _: "me.mood += 1"}, out=tmp_path / "run", control=Control()) as made:
        yield made


def test_a_watch_point_with_a_class_by_a_slip_is_told_of_and_taken_away(simulation, tmp_path):
    simulation.control.watch("slip", SLIP.replace("<", ">"))
    simulation.control.watch("later", LATER.replace("< 3", "> 0"))
    simulation.run(until=2)
    simulation.control.play()
    simulation.run(until=4)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        events = dict(run.query("SELECT kind, data FROM events WHERE kind LIKE 'watch_%'"))
    assert "slip" in events["watch_failed"]
    assert "Did you mean 'Resident'?" in events["watch_failed"]
    assert "later" in events["watch_reached"]


def test_norms_rewards_and_bisect_refuse_a_slip_and_take_a_class_that_comes_later(simulation, tmp_path):
    simulation.run(until=4)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        for ask in (adherence, bisect, lambda run, text: list(trajectories(run, f"1 if {text} else 0"))):
            with pytest.raises(WorldError, match=r"'Residnt'\. Did you mean 'Resident'\?"):
                ask(run, SLIP)
            ask(run, LATER)


def test_a_class_that_is_declared_is_no_slip_in_a_live_world(simulation):
    expect_heard(LATER, simulation.world)
    with pytest.raises(WorldError, match="Did you mean 'Resident'"):
        expect_heard(SLIP, simulation.world)
