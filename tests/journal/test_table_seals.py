"""Requests to tools, answers to surveys and the inbox of drivers are sealed, though they come between steps."""

import sqlite3
from contextlib import closing
from unittest.mock import Mock

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.journal.effect_answers import answer, waiting
from cave_sim.journal.integrity import problems
from cave_sim.journal.table_seals import BETWEEN_STEPS
from cave_sim.journal.tables import DATABASE, TABLES
from cave_sim.journal.writer import Journal

REQUEST = {"agent": "ann", "tool": "pay", "result": None, "error": None, "reused": False}
ANSWER = {"agent": "ann", "item": "mayor", "place": 1, "question": "Whom?", "value": "bob", "text": "Bob", "tries": 1}
EMPTY = sqlite3.connect(":memory:")
EMPTY.executescript(TABLES)
COLUMNS = {table: [name for _, name, *_ in EMPTY.execute(f"PRAGMA table_info({table})")] for table in BETWEEN_STEPS}


@pytest.fixture
def journal(tmp_path):
    journal = Journal.begin(tmp_path / "run", {"seed": 1})
    journal.commit(0, 0.0, "0" * 64, {})
    for number, status in enumerate(("waiting", "begun", "waiting")):
        asked = REQUEST | {"step": 0, "ticket": f"ann-{number}", "arguments": {"cents": number}}
        journal.note_effect(asked | {"status": "waiting"})
        journal.note_effect(asked | {"status": status})
    journal.add_answers([ANSWER | {"survey": survey, "step": step} for survey in ("a", "b") for step in (0, 1)])
    journal.add_answers([ANSWER | {"survey": "a", "step": 0, "text": "Bob!"}])
    journal.receive("driver", b"\xff\x00", at_once=True)
    journal.receive("other", b"", at_once=False)
    yield journal
    journal.abandon()


def found(folder):
    with open_run(folder) as run:
        return [str(each) for each in problems(run)]


def tampered(folder, statement, *parameters):
    with closing(sqlite3.connect(folder / DATABASE)) as file, file:
        return file.execute(statement, parameters).fetchall()


def put(folder, table, row):
    tampered(folder, f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", *row)


def test_what_is_written_between_steps_is_whole_at_any_moment(journal):
    assert found(journal.folder) == []
    journal.commit(1, 1.0, "0" * 64, {})
    assert found(journal.folder) == []
    journal.abandon()
    Journal.reopen(journal.folder, after=0).abandon()
    assert found(journal.folder) == []
    with open_run(journal.folder) as run:
        assert run.query("SELECT survey, step FROM answers") == [("a", 0), ("b", 0)]


@pytest.mark.parametrize(("table", "column"), [(table, each) for table in BETWEEN_STEPS for each in COLUMNS[table]])
def test_no_column_is_changed_unnoticed(journal, table, column):
    [*_, row] = tampered(journal.folder, f"SELECT * FROM {table}")
    tampered(journal.folder, f"DELETE FROM {table} WHERE {COLUMNS[table][0]} = ?", row[0])
    place = COLUMNS[table].index(column)
    put(journal.folder, table, [*row[:place], 77 if isinstance(row[place], int) else b"77", *row[place + 1 :]])
    assert f"rows in {table} were changed, added or taken away: the seal of the table does not hold" in found(
        journal.folder
    )


@pytest.mark.parametrize("table", BETWEEN_STEPS)
def test_no_row_comes_or_goes_unnoticed(journal, table):
    [*_, row] = tampered(journal.folder, f"SELECT * FROM {table}")
    rows = tampered(journal.folder, f"DELETE FROM {table} WHERE {COLUMNS[table][0]} = ? RETURNING *", row[0])
    assert f"rows in {table} were changed" in found(journal.folder)[0]
    for each in rows:
        put(journal.folder, table, each)
    assert found(journal.folder) == []


@pytest.mark.parametrize("seal", ["", "x", "-1", b"\x00", 7])
def test_a_seal_that_is_none_is_no_seal(journal, seal):
    tampered(journal.folder, "UPDATE table_seals SET seal = ? WHERE name = 'effects'", seal)
    assert "rows in effects were changed" in found(journal.folder)[0]


def test_nothing_is_decided_or_done_by_a_row_that_somebody_else_wrote(journal, capsys):
    folder = journal.folder
    forged = "arguments = '{\"cents\":9}', status = 'approved', result = '{}'"
    tampered(folder, f"UPDATE effects SET {forged} WHERE ticket = 'ann-0'")
    with pytest.raises(JournalError, match="is damaged: rows in effects were changed"):
        journal.received()
    journal.abandon()
    with pytest.raises(JournalError, match="is damaged: rows in effects were changed"):
        answer(folder, "ann-0", "approve")
    assert main(["doctor", str(folder)]) == 1
    assert "rows in effects were changed, added or taken away" in capsys.readouterr().out
    assert main(["doctor", str(folder), "--repair"]) == 0
    assert "1 approved request may have been changed, and will wait for people again" in capsys.readouterr().out
    assert found(folder) == []
    with open_run(folder) as run:
        assert [row["ticket"] for row in waiting(run)] == ["ann-0", "ann-2"]


def test_what_goes_wrong_in_reading_a_run_whose_seals_hold_is_told_in_one_line(journal, capsys, monkeypatch):
    folder = journal.folder
    journal.abandon()
    monkeypatch.delenv("CAVE_SIM_TRACEBACK", raising=False)
    fails = Mock(side_effect=KeyError("minds"))  # a line of this file may count as code of the user's own
    monkeypatch.setattr("cave_sim.cli.actions.doctor.report", fails)
    monkeypatch.setattr("cave_sim.cli.actions.doctor.problems", lambda run: iter(()))
    assert main(["doctor", str(folder)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"cave-sim: {folder} holds what is not understood, or cave_sim has a mistake: KeyError")
    assert told.count("\n") == 1
