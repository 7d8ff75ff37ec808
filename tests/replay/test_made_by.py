"""A run that is gone on with by other code says so, in a line and in its journal, and verify knows it."""

import pytest

from cave_sim import open_run
from cave_sim.replay.fork import fork
from cave_sim.replay.made_by import MADE_OTHERWISE
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume


@pytest.fixture
def run(tmp_path):
    simulation = Recipe("storm_warning", {"seed": 5}).make(tmp_path / "run")
    simulation.run(until=2)
    simulation.close()
    return tmp_path / "run"


def noted(folder):
    with open_run(folder) as opened:
        return opened.query("SELECT data FROM events WHERE kind = ?", MADE_OTHERWISE)


def go_on(way, run):
    simulation = resume(run) if way == "resume" else fork(run, 1, run.with_name("branch"))
    simulation.run(until=3)
    simulation.close()
    return run if way == "resume" else run.with_name("branch")


@pytest.mark.long
@pytest.mark.parametrize("way", ["resume", "fork"])
@pytest.mark.parametrize("what", ["code_revision", "_version"])
def test_other_code_or_libraries_are_said_and_written_down(run, way, what, monkeypatch, caplog):
    monkeypatch.setattr(f"cave_sim.replay.made_by.{what}", lambda *_: "another")
    folder = go_on(way, run)
    assert [record.getMessage().count("\n") for record in caplog.records] == [0]
    assert "another" in noted(folder)[0][0]


@pytest.mark.long
@pytest.mark.parametrize("way", ["resume", "fork"])
def test_the_same_code_is_not_worth_a_word(run, way, caplog):
    assert noted(go_on(way, run)) == []
    assert not caplog.records


@pytest.mark.long
def test_of_many_branches_of_a_run_other_code_is_said_once_and_written_into_each(run, monkeypatch, caplog):
    monkeypatch.setattr("cave_sim.replay.made_by.code_revision", lambda: "another")
    for name in ("one", "two"):
        with fork(run, 1, run.with_name(name)) as branch:
            branch.run(steps=1)
        assert len(noted(run.with_name(name))) == 1
    assert len(caplog.records) == 1
