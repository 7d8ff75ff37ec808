"""A run that its budget stops leaves out the step it was in, pays for nothing twice, and goes on to the same end."""

import json

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.models.budget import Budget, BudgetReached
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume

STORM = {"seed": 11, "residents": 3, "storm_h": "10.5", "hours": "0.5", "cafe_h": "11.25"}
UNTIL = 7


def recipe(**limits):
    return Recipe("storm_warning", STORM, ModelChoice(), Budget(**limits))


def play(simulation):
    simulation.run(until=UNTIL)
    simulation.close()
    return simulation


def told(folder):
    """Return the hashes of all steps of a run, and which questions it paid for."""
    with open_run(folder) as run:
        assert list(problems(run)) == []
        asked = run.query("SELECT agent, step, attempt, hash FROM calls ORDER BY agent, step, attempt")
        return [step.hash for step in run.steps()], asked


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    play(recipe().make(folder))
    return told(folder)


@pytest.mark.long
@pytest.mark.parametrize("first", [0, 1, 2, 3, 5, 8, 13])
def test_whatever_the_budget_was_the_end_is_that_of_a_run_without_one(first, whole, tmp_path):
    folder = tmp_path / "run"
    simulation = play(recipe(calls=first).make(folder))
    hashes, asked = told(folder)
    assert not simulation.running
    assert len(asked) == first
    assert hashes == whole[0][: len(hashes)]
    for more in (first + 1, first + 4, 10_000):
        play(resume(folder, recipe=recipe(calls=more)))
    assert told(folder) == whole


@pytest.mark.parametrize("limits", [{"tokens": 5_000}, {"calls": 9}])
def test_every_kind_of_limit_leaves_whole_steps(limits, whole, tmp_path):
    play(recipe(**limits).make(tmp_path / "run"))
    hashes, asked = told(tmp_path / "run")
    assert 1 <= len(hashes) < len(whole[0])
    assert (hashes, set(asked) <= set(whole[1])) == (whole[0][: len(hashes)], True)


def test_a_step_after_the_stop_is_refused_with_the_way_out(tmp_path):
    simulation = play(recipe(calls=1).make())
    with pytest.raises(BudgetReached, match="resume with a larger one"):
        simulation.step()


@pytest.mark.long
def test_the_command_line_says_what_was_reached_and_how_to_go_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["--residents", "3", "--steps", "4", "--max-calls", "6", "--out", "run"]
    assert main(["run", "storm_warning", *asked]) == 0
    said = capsys.readouterr().out
    assert "by the budget of run: 6 of calls=6 spent" in said
    assert "to go on: cave-sim resume run --steps 4 --max-calls N" in said
    assert main(["resume", "run", "--steps", "4", "--quiet", "--max-calls", "1000"]) == 0
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert (manifest["stopped"], manifest["limits"]) == (None, {"calls": 1000})
