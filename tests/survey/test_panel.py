"""A panel keeps its answers in the run, once, also after a crash; older runs have none."""

import sqlite3
from contextlib import closing

import pytest

from cave_sim import open_run
from cave_sim.history.dataframes import frame
from cave_sim.journal.integrity import problems
from cave_sim.journal.queries import answers
from cave_sim.journal.repair import repair
from cave_sim.journal.tables import DATABASE
from cave_sim.replay.resume import resume
from cave_sim.simulations import interview as story
from cave_sim.survey import Likert, Panel, Questionnaire

SURVEY = Questionnaire(name="mood", items=(Likert(name="well", question="I feel well."),))


def live(folder, until, every=2):
    simulation = story.create(seed=7, residents=3, whom="0", out=folder, observers=[Panel(SURVEY, every=every)])
    return simulation.run(until=until)


def test_each_wave_is_a_row_for_each_respondent_and_item(tmp_path):
    live(tmp_path, 6).close()
    with open_run(tmp_path) as run:
        table, rows = frame(run, "answers"), answers(run)
    assert sorted(table["step"].unique()) == [2, 4, 6]
    assert len(table) == 3 * 4
    assert all(1 <= value <= 5 for value in table["value"])
    assert set(rows[0]) == {"survey", "step", "agent", "item", "place", "question", "value", "text", "tries"}


@pytest.mark.long
def test_a_wave_that_is_asked_again_after_a_stop_is_kept_once(tmp_path):
    live(tmp_path / "whole", 6).close()
    simulation = live(tmp_path / "stopped", 4)
    simulation.journal.abandon()
    resumed = resume(tmp_path / "stopped", simulation=story.create(seed=7, residents=3, whom="0"))
    resumed.observers.append(Panel(SURVEY, every=2))
    resumed.run(until=6).close()
    with open_run(tmp_path / "whole") as whole, open_run(tmp_path / "stopped") as stopped:
        assert answers(whole) == answers(stopped)


def test_a_run_that_is_older_than_the_table_has_no_answers_and_can_go_on(tmp_path):
    live(tmp_path, 2, every=50).close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as file:
        file.execute("DROP TABLE answers")
        file.commit()
    with open_run(tmp_path) as run:
        assert answers(run) == []
        assert len(frame(run, "answers")) == 0
    resumed = resume(tmp_path, simulation=story.create(seed=7, residents=3, whom="0"))
    resumed.observers.append(Panel(SURVEY, every=4))
    resumed.run(until=4).close()
    with open_run(tmp_path) as run:
        assert {answer["step"] for answer in answers(run)} == {4}
        assert not list(problems(run))


def test_a_repair_keeps_the_answers_of_the_steps_it_keeps(tmp_path):
    live(tmp_path, 6).close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as file:
        file.execute("UPDATE steps SET seal = 'x' WHERE step = 5")
        file.commit()
    assert repair(tmp_path).last_step == 4
    with open_run(tmp_path) as run:
        assert {answer["step"] for answer in answers(run)} == {2, 4}


def test_a_panel_without_waves_is_refused():
    with pytest.raises(ValueError, match="at least 1 step"):
        Panel(SURVEY, every=0)
