"""A byte of a run that was changed is found out, or makes no difference to what is read.

``FLIPS=1000`` asks for more flips than every test run makes.
"""

import os
import random
import sqlite3
from contextlib import closing

import pytest

from cave_sim import CaveSimError, JournalError, open_run
from cave_sim.journal.integrity import problems
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_at
from cave_sim.journal.rows import row_of_call
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.verify import verify

FLIPS = int(os.environ.get("FLIPS", "60"))


@pytest.fixture(scope="module")
def run_bytes(tmp_path_factory):
    """Return the file of a run that has rows in every table."""
    folder = tmp_path_factory.mktemp("flips") / "run"
    simulation = Recipe("town_day", {"seed": 5, "residents": 4}).make(folder)
    simulation.journal.add_session({"about": {"id": "ann", "agent": "ann", "parents": []}, "rows": [{"text": "hello"}]})
    simulation.journal.add_call(a_call())
    simulation.world.execute("x = [1, 2, 3]", agent="mayor")
    simulation.note("noted", {"by": "hand"})
    simulation.run(until=20)
    simulation.close()
    return (folder / "run.sqlite").read_bytes()


def a_call():
    message = {"role": "user", "text": "What next?"}
    key = {"run": "", "agent": "ann", "step": 0, "attempt": 0, "retry": 0, "hash": "ab" * 32}
    answer = {"reply": {"text": "Nothing."}, "error": None}
    return {**key, "model": {"name": "m"}, "request": {"messages": [message]}, **answer}


def everything_readable(path):
    """Return all that can be read from a file by SQL, or None if it cannot be."""
    try:
        with sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True) as file:
            tables = file.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
            rows = [
                file.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2').fetchall()
                for name, sql in tables
                if sql and sql.startswith("CREATE TABLE")
            ]
            indexed = file.execute("SELECT turn FROM turns WHERE step = 3").fetchall()
            return repr((tables, rows, indexed))
    except (sqlite3.Error, ValueError):
        return None


def found(folder):
    """Return whether checking a file finds it changed; nothing but our own errors may come of it."""
    try:
        with open_run(folder) as run:
            return bool(list(problems(run)))
    except CaveSimError:
        return True


@pytest.mark.long
def test_flipped_bytes_are_found_or_mean_nothing(tmp_path, run_bytes):
    path = tmp_path / "run.sqlite"
    path.write_bytes(run_bytes)
    whole, dice, missed = everything_readable(path), random.Random(FLIPS), []
    assert whole is not None
    for _ in range(FLIPS):
        at, bit = dice.randrange(len(run_bytes)), 1 << dice.randrange(8)
        changed = bytearray(run_bytes)
        changed[at] ^= bit
        path.write_bytes(changed)
        if not found(tmp_path) and everything_readable(path) != whole:
            missed.append((at, bit))
    assert missed == []


STATEMENTS = [
    "UPDATE turns SET output = 'nothing' WHERE turn = 5",
    "UPDATE turns SET duration_s = 9.0 WHERE turn = 5",
    "UPDATE changes SET new = '0.5' WHERE turn = 5 AND position = 0",
    "DELETE FROM changes WHERE turn = 5",
    "INSERT INTO changes VALUES (900, 0, 'town', '[\"x\"]', 'set', NULL, '1')",
    "UPDATE cells SET code = code || ' '",
    "INSERT INTO cells VALUES ('0123', 'pass')",
    "UPDATE steps SET state_hash = previous WHERE step = 7",
    "UPDATE steps SET time_s = 1 WHERE step = 7",
    "DELETE FROM steps WHERE step = 7",
    "UPDATE measures SET value = 1e9 WHERE step = 4",
    "UPDATE events SET data = '{}'",
    "DELETE FROM events",
    "UPDATE kept SET data = '{}'",
    "UPDATE sessions SET rows = '[]'",
    'UPDATE calls SET reply = \'{"text": "Everything."}\'',
    "UPDATE texts SET text = 'What then?'",
    "UPDATE manifest SET value = '8' WHERE key = 'seed'",
    "UPDATE snapshots SET state = X'00'",
    "INSERT INTO kept VALUES (99, 'ann', 'agent', '{}')",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_table_is_sealed(statement, tmp_path, run_bytes):
    path = tmp_path / "run.sqlite"
    path.write_bytes(run_bytes)
    with sqlite3.connect(path) as file:
        assert file.execute(statement).rowcount > 0
    file.close()
    assert found(tmp_path)


HOSTILE = [
    "CREATE VIEW extra AS SELECT * FROM turns",
    "CREATE TRIGGER extra AFTER INSERT ON turns BEGIN DELETE FROM turns; END",
    "CREATE VIRTUAL TABLE extra USING fts5(text)",
    "DROP TABLE changes; CREATE VIEW changes AS SELECT 1 AS turn",
    "DROP TABLE steps",
    "UPDATE manifest SET value = '[' || value WHERE key = 'seed'",
    f"UPDATE manifest SET value = '{'[' * 9000}' WHERE key = 'create'",
    "UPDATE manifest SET value = '{\"seed\": {}}' WHERE key = 'create'",
    "UPDATE manifest SET value = '7' WHERE key = 'module'",
    "UPDATE manifest SET value = '\"os.path\"' WHERE key = 'module'",
    "UPDATE changes SET path = '[[]]'",
    'UPDATE changes SET path = \'["mood", "a", "b"]\' WHERE turn > 3',
    "UPDATE changes SET path = 'null'",
    "UPDATE changes SET new = '{}', op = 'splice' WHERE turn > 3",
    "UPDATE changes SET new = '{\"at\": [9]}', op = 'patch' WHERE turn > 3",
    f"UPDATE changes SET new = '{'[' * 5000}'",
    "UPDATE changes SET entity = X'FF'",
    "UPDATE changes SET entity = CAST(X'FF' AS TEXT)",
    "UPDATE snapshots SET state = 'text'",
    "UPDATE snapshots SET state = X'789C03000000000001'",
    "UPDATE events SET kind = 'together', data = '[1]'",
    "UPDATE steps SET last_turn = 9223372036854775807",
    "UPDATE steps SET step = step + 4611686018427387904",
    "UPDATE turns SET cell = 'missing'",
    "UPDATE turns SET kind = 'cell', cell = NULL",
    "UPDATE turns SET parent = turn",
]


@pytest.mark.parametrize("statement", HOSTILE)
def test_a_hostile_file_is_one_clear_line_at_most(statement, tmp_path, run_bytes):
    path = tmp_path / "run.sqlite"
    path.write_bytes(run_bytes)
    file = sqlite3.connect(path)
    file.executescript(statement)
    file.close()
    assert found(tmp_path)
    told = ""
    try:
        with open_run(tmp_path) as run:
            assert not verify(run, lambda: Recipe.of(run.manifest).without_model().make()).holds
            entities_at(run, 20)
            list(run.turns()), list(run.changes()), list(run.calls()), run.private_data(20), run.sessions()
    except CaveSimError as error:
        told = str(error)
    assert len(told.splitlines()) <= 1


@pytest.mark.parametrize(
    ("statement", "read"),
    [("UPDATE turns SET agent = x'ff'", Run.turns), ("UPDATE changes SET op = x'ff'", Run.changes)],
)
def test_bytes_where_a_text_belongs_are_damage(statement, read, tmp_path, run_bytes):
    (tmp_path / "run.sqlite").write_bytes(run_bytes)
    with closing(sqlite3.connect(tmp_path / "run.sqlite")) as file, file:
        file.execute(statement)
    with open_run(tmp_path) as run, pytest.raises(JournalError, match=r"is damaged: .*bytes"):
        list(read(run))


def test_a_call_row_names_its_texts():
    row, texts = row_of_call(a_call(), reused=False)
    assert list(texts.values()) == ["What next?"]
    assert "What next?" not in str(row)
