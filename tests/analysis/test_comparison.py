"""Runs beside each other: replicates are found by what they were made with; without them nothing has an interval."""

import json
import re
import shlex
import sqlite3

import pytest

from cave_sim import JournalError, open_run
from cave_sim.analysis.comparison import compare
from cave_sim.cli.main import main
from cave_sim.replay.fork import Intervention, fork
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.treatment import Intervention as Planned

STEPS = 8


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a folder of runs: a town under two seeds, branches of both that lose heart, a town with more people."""
    folder = tmp_path_factory.mktemp("runs")
    for seed in (1, 2):
        Recipe("town_day", {"seed": seed, "residents": 3}).make(folder / f"town-{seed}").run(until=STEPS).close()
        loss = [Intervention("for each in world.all(Resident): each.mood = 0.0")]
        fork(folder / f"town-{seed}", 3, folder / f"sad-{seed}", interventions=loss).run(until=STEPS).close()
    Recipe("town_day", {"seed": 1, "residents": 4}).make(folder / "more-1").run(until=STEPS - 1).close()
    return folder


def compared(folder, *names):
    opened = [open_run(folder / name) for name in names]
    try:
        return compare(opened)
    finally:
        for run in opened:
            run.close()


def row(rows, measure):
    return next(each for each in rows if each["measure"] == measure)


def test_runs_that_differ_by_seed_alone_are_replicates_and_compared_in_pairs(runs):
    found = compared(runs, "town-1", "sad-2", "town-2", "sad-1")
    data = found.to_data()
    assert [each["seeds"] for each in data["conditions"].values()] == [[1, 2], [2, 1]]
    sad = row(data["differences"]["mean over time"], "mood")
    assert sad["method"] == "paired t"
    assert sad["low"] < sad["mean"] < -0.1
    assert found.has_replicates


def test_branches_with_another_cell_are_another_condition(runs):
    names = list(compared(runs, "town-1", "sad-1").conditions)
    assert names == ["as it is", "for each in world.all(Resident): each.mood = 0.0 (step 3)"]


@pytest.mark.long
def test_trials_of_a_condition_are_replicates_that_share_steps_and_that_share_none(runs):
    lost = Planned("for each in world.all(Resident):\n    each.mood = 0.0", agent="mayor", at=1)
    for seed in (1, 2):
        sad = Recipe("town_day", {"seed": seed, "residents": 3}, interventions=(lost,))
        sad.make(runs / f"trial-{seed}").run(until=4).close()
    shared = fork(runs / "trial-1", 2, runs / "shared-1").run(until=4)
    shared.journal.describe({"trial": {"shared": 2}})
    shared.close()
    name = "for each in world.all(Resident): each.mood = 0.0 (mayor, st…"
    assert list(compared(runs, "town-1", "shared-1", "trial-2").conditions) == ["as it is", name]


@pytest.mark.long
def test_one_pair_has_a_difference_no_interval_and_the_commands_for_more(runs):
    found = compared(runs, "town-1", "sad-1")
    data = found.to_data()
    sad = row(data["differences"]["mean over time"], "mood")
    assert sad["mean"] < -0.1
    assert (sad["low"], sad["high"], sad["p_value"]) == (None, None, None)
    assert not found.has_replicates
    lines = found.more_seeds()
    assert lines[0] == "for seed in 2 3 4 5; do"
    assert lines[-1] == "done"


@pytest.mark.long
def test_the_commands_for_more_seeds_make_replicates(runs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _, *lines, _ = compared(runs, "town-1", "sad-1").more_seeds()
    for line in lines:
        assert main([word.replace("$seed", "2") for word in shlex.split(line)][1:]) == 0
    capsys.readouterr()
    again = compared(tmp_path / "runs", "town-1-seed-2", "sad-1-seed-2")
    before = compared(runs, "town-2", "sad-2")
    assert [run.key for runs in again.conditions.values() for run in runs] == [
        run.key for runs in before.conditions.values() for run in runs
    ]
    assert again.to_data()["measures"] == before.to_data()["measures"]


def test_runs_of_other_lengths_are_compared_up_to_the_step_that_all_have(runs):
    found = compared(runs, "town-1", "more-1")
    assert found.steps == (0, STEPS - 1)
    assert found.settings == {"residents": ["3", "4"]}


def test_an_option_that_is_not_given_is_its_default_and_one_given_at_its_default_is_no_other_condition(runs, tmp_path):
    for name, given in (("usual", {"step_s": 600.0}), ("fast", {"step_s": 300.0}), ("fed", {"feed": "latest"})):
        Recipe("town_day", {"seed": 2, "residents": 3, **given}).make(tmp_path / name).run(until=2).close()
    found = compared(runs, "town-1", tmp_path / "usual", tmp_path / "fast", tmp_path / "fed")
    assert list(found.conditions) == ["as it is", "step_s = 300.0", "feed = latest"]
    assert found.settings == {"step_s": ["600.0", "300.0", "600.0"], "feed": ["none", "none", "latest"]}


@pytest.mark.long
def test_the_same_run_twice_is_no_replicate(runs):
    found = compared(runs, "town-1", "town-1", "more-1")
    assert found.left_out == ["town-1"]
    assert not row(found.to_data()["measures"]["at the end"], "mood")["high"]


def test_one_run_is_not_compared(runs):
    with pytest.raises(JournalError, match="two runs or more"):
        compared(runs, "town-1")


@pytest.mark.long(cases=0)
def test_the_command_prints_tables_and_where_the_intervals_come_from(runs, capsys):
    assert main(["compare", *(str(runs / name) for name in ("town-1", "town-2", "sad-1", "sad-2"))]) == 0
    said = capsys.readouterr().out
    assert "as it is: town-1, town-2 (seed 1, 2)" in said
    assert re.search(r"mood +[\d.,]+ \[.*\] +[\d.,]+ \[.*\] +-0.[\d]+ \[.*\]", said)
    assert "95 % t intervals over seeds" in said


@pytest.mark.long
def test_the_command_offers_more_seeds_where_there_is_one_run_of_a_kind(runs, capsys):
    assert main(["compare", str(runs / "town-1"), str(runs / "sad-1")]) == 0
    said = capsys.readouterr().out
    assert "[" not in said
    assert "no interval" in said
    assert "  cave-sim run town_day --residents 3 --steps 8 --seed $seed --out runs/town-1-seed-$seed --quiet" in said


def test_the_command_prints_json(runs, capsys):
    assert main(["compare", str(runs / "town-1"), str(runs / "sad-1"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == [3, STEPS]


def test_a_run_that_says_nothing_of_how_it_was_made_is_compared_all_the_same(tmp_path):
    from tests.dashboards.small_town import SmallTown

    for name in ("one", "other"):
        SmallTown(steps=3).write(tmp_path / name)
    found = compared(tmp_path, "one", "other")
    assert found.left_out == ["other"]
    assert found.more_seeds() == []


def test_commands_for_more_seeds_do_not_run_what_a_strangers_run_says(tmp_path):
    Recipe("town_day", {"seed": 1, "residents": 3}).make(tmp_path / "one").run(until=1).close()
    with sqlite3.connect(tmp_path / "one" / "run.sqlite") as db:
        made = json.dumps({"seed": 1, "start": "$(touch pwned)"})
        db.execute("UPDATE manifest SET value = ? WHERE key = 'create'", (made,))
    db.close()
    found = compared(tmp_path, "one", "one")
    assert "--set 'start=$(touch pwned)' --steps" in found.more_seeds()[1]
