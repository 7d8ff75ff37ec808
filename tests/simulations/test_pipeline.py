"""The pipeline: native objects go from one mind to the next, on every host alike, for a fraction of the tokens."""

import signal
import subprocess
import sys

import pytest

from cave_sim import open_run
from cave_sim.hosts.placement import isolated
from cave_sim.journal.integrity import problems
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulations import pipeline
from cave_sim.simulations.pipeline.script import reply
from cave_sim.simulations.pipeline.summary import tokens

HASH = "ab0c7020ee5d977b376fcd0e1ee879da78cafac8e6c033316dfe6204e907fbd0"
RECIPE = Recipe("pipeline", {"seed": 7})
DIES = """
import os, signal, sys
from cave_sim.models import ScriptedModel
from cave_sim.simulations import pipeline
from cave_sim.simulations.pipeline.script import reply

asked = []

def mortal(request):
    asked.append(request)
    if len(asked) > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return reply(request)

pipeline.create(seed=7, out=sys.argv[1], llm=ScriptedModel(mortal)).run(until=pipeline.STEPS).close()
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "pipeline"
    simulation = RECIPE.make(folder)
    simulation.run(until=pipeline.STEPS).close()
    assert simulation.state_hash == HASH
    return folder


def test_objects_arrive_as_what_they_are_and_texts_as_dicts():
    world = pipeline.create(seed=7).run(until=pipeline.STEPS).world
    here, there = world["by_reference"], world["by_text"]
    assert here.types == ["DataFrame", "LeastSquares", "Figure"]
    assert there.types == ["dict", "dict", "dict"]
    assert (here.rows, here.slope, here.points) == (there.rows, there.slope, there.points)
    assert 0 < here.rows < 100
    assert here.slope == pytest.approx(-2.5, abs=0.2)
    figure = world.retrieve("figure", agent="reporter")
    assert world.retrieve("model", agent="reporter").predict(0) == pytest.approx(140, abs=5)
    assert "layout" in figure


def test_by_reference_takes_less_than_a_third_of_the_tokens(recorded):
    with open_run(recorded) as run:
        spent, told = tokens(run), pipeline.summary(run)
    assert sum(spent["by reference"]) * 3 < sum(spent["by text"])
    assert "by reference: 1,951 tokens (1,846 read, 105 written)" in told
    assert "by reference took 89% fewer tokens than by text" in told


@pytest.mark.long
def test_the_difference_grows_with_the_data(tmp_path):
    spent = {}
    for days in (20, 150):
        pipeline.create(seed=7, days=days, out=tmp_path / str(days)).run(until=pipeline.STEPS).close()
        with open_run(tmp_path / str(days)) as run:
            spent[days] = {way: sum(both) for way, both in tokens(run).items()}
    assert spent[150]["by reference"] == pytest.approx(spent[20]["by reference"], rel=0.01)
    assert spent[150]["by text"] > 3 * spent[20]["by text"]


@pytest.mark.long
def test_one_hash_in_sandboxed_processes_and_when_its_cells_are_run_again(tmp_path, recorded):
    simulation = RECIPE.make(tmp_path / "jailed")
    with isolated(simulation, RECIPE, require="guarded"):
        simulation.run(until=pipeline.STEPS).close()
    assert simulation.state_hash == HASH
    with open_run(recorded) as here, open_run(tmp_path / "jailed") as there:
        told = "SELECT turn, agent, status, output, error, parent FROM turns"
        assert here.query(told) == there.query(told)
    with open_run(recorded) as run:
        assert verify(run, lambda: pipeline.create(seed=7, llm=ScriptedModel(nobody))).holds


def nobody(request):
    raise AssertionError(f"{request.key} was asked")


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("answered", [2, 5, 9, 13])
def test_a_run_that_is_killed_goes_on_and_asks_nobody_twice(tmp_path, answered):
    folder, asked = tmp_path / "killed", []
    ended = subprocess.run([sys.executable, "-c", DIES, str(folder), str(answered)], check=False)
    assert ended.returncode == -signal.SIGKILL
    simulation = pipeline.create(seed=7, llm=ScriptedModel(lambda request: asked.append(request.key) or reply(request)))
    resume(folder, simulation=simulation).run(until=pipeline.STEPS).close()
    assert simulation.state_hash == HASH
    with open_run(folder) as run:
        assert list(problems(run)) == []
        keys = run.query("SELECT agent, step, attempt FROM calls")
    assert len(keys) == len(set(keys)) == answered + len(asked)
