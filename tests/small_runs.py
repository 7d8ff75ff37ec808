"""Small real runs, made once for the tests of all workers: half a day in a town, the same with another order of turns.

And the first steps of each simulation there is.
"""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cave_sim import open_run
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.schedulers import Sequential
from cave_sim.simulations import town_day
from cave_sim.worlds.town import Resident

STEPS = 60
FIRST_STEPS = 40


def live(folder, steps=STEPS, **options):
    """Live some steps in a small town and return the folder of the run."""
    simulation = town_day.create(out=folder, **{"seed": 7, "residents": 6, **options})
    simulation.run(until=steps)
    simulation.close()
    return folder


@pytest.fixture(scope="session")
def town_folder(shared_run):
    return shared_run("town", live)


@pytest.fixture(scope="session")
def other_folder(shared_run):
    return shared_run("sequential", lambda folder: live(folder, steps=48, scheduler=Sequential()))


def recipe_of(name: str, **options: str) -> Recipe:
    """Return how a simulation is made that is lived for everybody: small, where it can be."""
    few = {"residents": 5} if name in ("town_day", "village_day") else {}
    return Recipe(name, {"seed": 3, **few, **options})


@pytest.fixture(scope="session")
def shared_run(shared_folder) -> Callable[[str, Callable[[Path], object]], Path]:
    """Return what has a run made by the first who asks for it; it is to be read alone: other workers read it too."""
    shared = shared_folder / "lived"
    shared.mkdir(exist_ok=True)

    def folder_of(name: str, make: Callable[[Path], object]) -> Path:
        folder, is_whole = shared / name, shared / f"{name}.whole"
        with (shared / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_whole.exists():
                shutil.rmtree(folder, ignore_errors=True)  # of a worker that did not get to its end
                make(folder)
                is_whole.touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def lived(shared_run) -> Callable[[str], Path]:
    """Return what gives the folder of the first steps of a simulation, to be read alone."""
    return lambda name: shared_run(name, lambda folder: recipe_of(name).make(folder).run(until=FIRST_STEPS).close())


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
