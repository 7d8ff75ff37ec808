"""A run that is killed at any moment goes on to the end that it would have had.

``KILLS=200`` asks for more kills than the handful that every test run makes.
"""

import os
import re
import subprocess
import sys

import pytest

from cave_sim import JournalError, open_run
from cave_sim.journal.integrity import problems
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume

KILLS = int(os.environ.get("KILLS", "12"))
UNTIL = 60
RECIPES = {
    "town": Recipe("town_day", {"seed": 11, "residents": 6}),
    "town, events": Recipe("town_day", {"seed": 11, "residents": 6, "scheduler": "events"}),
    "a Mesa model": Recipe("mesa:boltzmann_wealth", {"seed": 11}),
    "village at once": Recipe("village_day", {"seed": 11, "residents": 6, "scheduler": "simultaneous"}),
}
KILLER = """
import os, random, signal, sys, time
from pathlib import Path
from tests.replay.test_kill import go_on

name, kills, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
dice = random.Random(name)
while kills:
    child = os.fork()
    if not child:
        go_on(name, folder)
        os._exit(0)
    time.sleep(dice.uniform(0.0, 0.4))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        kills -= 1
    else:
        assert os.WEXITSTATUS(status) == 0, "going on failed"
        folder.rename(folder.with_name(f"ended-{len(os.listdir(folder.parent))}"))
"""
"""Begins a run, kills it, goes on, kills it again, in a process that has the imports behind it."""


def go_on(name, folder):
    """Begin a run, or go on with it, and bring it to its end."""
    try:
        simulation = resume(folder)
    except JournalError as error:
        if not re.search("holds no run|stopped before it began", str(error)):
            raise
        simulation = RECIPES[name].make(folder)
    simulation.run(until=UNTIL)
    simulation.close()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """Return the hash of every step of each run that nobody stops."""
    found = {}
    for name, recipe in RECIPES.items():
        folder = tmp_path_factory.mktemp("whole") / "run"
        simulation = recipe.make(folder)
        simulation.run(until=UNTIL)
        simulation.close()
        with open_run(folder) as run:
            found[name] = [step.hash for step in run.steps()]
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", RECIPES)
def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(name, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    kills = str(max(1, KILLS // len(RECIPES)))
    command = [sys.executable, "-c", KILLER, name, kills, str(folder)]
    killed = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": "."}, stderr=subprocess.PIPE, text=True, check=False
    )
    assert killed.returncode == 0, killed.stderr
    go_on(name, folder)
    for each in tmp_path.iterdir():
        with open_run(each) as run:
            assert [step.hash for step in run.steps()] == uninterrupted[name]
            assert list(problems(run)) == []


@pytest.mark.long
@pytest.mark.parametrize("step", [0, 1, 17, 59, 60])
def test_a_run_that_ended_at_any_step_goes_on_to_the_same_end(step, tmp_path, uninterrupted):
    RECIPES["town"].make(tmp_path / "run").run(until=step).close()
    simulation = resume(tmp_path / "run")
    assert simulation.world.clock.step == step
    simulation.run(until=UNTIL)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert [each.hash for each in run.steps()] == uninterrupted["town"]
