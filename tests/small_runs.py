"""Small real runs, made once for everybody: half a day in a town, the same with another order of turns, a live one."""

import pytest

from cave_sim import open_run
from cave_sim.simulation.schedulers import Sequential
from cave_sim.simulations import town_day
from cave_sim.worlds.town import Resident

STEPS = 60


def live(folder, steps=STEPS, **options):
    """Live some steps in a small town and return the folder of the run."""
    simulation = town_day.create(out=folder, **{"seed": 7, "residents": 6, **options})
    simulation.run(until=steps)
    simulation.close()
    return folder


@pytest.fixture(scope="session")
def town_folder(tmp_path_factory):
    return live(tmp_path_factory.mktemp("time_machine") / "town")


@pytest.fixture(scope="session")
def other_folder(tmp_path_factory):
    return live(tmp_path_factory.mktemp("time_machine") / "sequential", steps=48, scheduler=Sequential())


@pytest.fixture
def town(town_folder):
    with open_run(town_folder) as run:
        yield run


@pytest.fixture
def other_town(other_folder):
    with open_run(other_folder) as run:
        yield run


def people(world):
    """A measure: how many live in a town, its mayor among them."""
    return float(len(world.all(Resident)))
