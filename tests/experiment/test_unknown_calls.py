"""What an agent called that there is not: told from its session, whichever way it acts."""

import pytest

from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.task import Query, Task, call, rounds
from cave_sim.experiment.trial import Trial
from cave_sim.experiment.unknown_calls import unknown_calls

CELLS = {
    "fly(1)": ["fly"],
    "print(fly (1))": ["fly"],
    "_fly()": ["_fly"],
    "def fly(): return 1\nfly()": [],
    "fly": [],
    "fly.high()": [],
    "walk(1)": [],
    "walk(fly)": [],
    "walk('NameError: name')": [],
    "raise ValueError(\"NameError: name 'fly' is not defined, as in fly(1)\")": [],
}


def seen(paradigm, **script):
    task = Task("way", "ways", (Query("Go.", **script),), build=lambda world: world.inject("walk", lambda far: far))
    trial = Trial(task, find("data_tasks")[1][paradigm], seed=7, llm=Player(task, paradigm))
    trial.run()
    return unknown_calls(trial.rows, trial.simulation.world.tools)


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_that_called_what_there_is_not_is_told_by_how_it_failed(cell):
    assert seen("cave", cave=cell) == CELLS[cell]


def test_calls_by_json_are_told_by_their_names():
    assert seen("json", calls=rounds([call("walk", far=1), call("fly", far=1)])) == ["fly"]
