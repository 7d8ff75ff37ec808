"""A few conversations on a handset, and the training data of them, made once."""

import shutil

import pytest

from cave_sim.simulations import handset
from cave_sim.training_data.data_set import write_training_data
from cave_sim.training_data.manifest import Settings
from cave_sim.training_data.mix import PAPER

CONVERSATIONS = {"multi": 4, "mixed": 3, "conversational": 3, "single": 3, "cloud": 3}


def talk(folder, seed, category, **options):
    """Let an owner and an assistant talk to their end, and return the folder of the run."""
    simulation = handset.create(seed=seed, category=category, out=folder, **{"troubles": 1, **options})
    simulation.run(until=10)
    simulation.close()
    return folder


def settings(**other):
    kinds = {"trouble": 15.0, "no_update": 10.0}
    return Settings(**{"mix": dict(PAPER), "tracker_kinds": kinds, "validation": 0.3, **other})


@pytest.fixture(scope="session")
def talks(tmp_path_factory):
    """Finished runs in the categories of the paper."""
    place = tmp_path_factory.mktemp("talks")
    return [
        talk(place / f"{category}-{seed}", seed, category)
        for category, number in CONVERSATIONS.items()
        for seed in range(number)
    ]


@pytest.fixture(scope="session")
def written(talks, tmp_path_factory):
    """What they teach: manifest and folder, which nobody changes."""
    folder = tmp_path_factory.mktemp("written") / "training"
    return write_training_data(talks, folder, settings()), folder


@pytest.fixture
def copied(written, tmp_path):
    """A copy of the training data, to be spoiled."""
    return shutil.copytree(written[1], tmp_path / "copy")
