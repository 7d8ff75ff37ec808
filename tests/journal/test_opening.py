"""Opening the file of a stranger: nothing is written, deleted or followed, and nothing goes on for ever."""

import json
import os
import shutil
import sqlite3
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.history.run_list import LISTED, glance
from cave_sim.journal.compaction import compact
from cave_sim.journal.lock import is_locked, lock
from cave_sim.journal.opening import Patience, open_to_read
from cave_sim.journal.repair import repair
from cave_sim.journal.sidecars import expect_harmless
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.writer import Journal
from cave_sim.replay.recipe import Recipe
from tests.journal.test_writer import make_run

LAST = 4
MAGIC = bytes.fromhex("d9d505f920a163d7")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("opening") / "run"
    simulation = Recipe("storm_warning", {"seed": 5}).make(folder)
    simulation.run(until=LAST)
    simulation.close()
    return folder


@pytest.fixture
def run(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


@pytest.fixture
def thesis(tmp_path):
    file = tmp_path / "thesis.txt"
    file.write_text("four years")
    return file


def hot_journal(pages, names):
    """Return a rollback journal with nothing to take back, which names a super-journal."""
    header = MAGIC + struct.pack(">IIIII", 0, 0, pages, 512, 4096)
    name = str(names).encode()
    record = struct.pack(">I", 0x40000000 // 4096 + 1) + name
    return header.ljust(512, b"\0") + record + struct.pack(">II", len(name), sum(name)) + MAGIC


def test_an_answer_that_would_fill_a_machine_is_refused_and_can_be_read_row_by_row(run, monkeypatch):
    monkeypatch.setattr("cave_sim.journal.opening.LARGEST_ANSWER", 1_000_000)
    many = "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 90) SELECT zeroblob(300000) FROM i"
    with open_run(run) as opened:
        most_mb = 4 * (run / DATABASE).stat().st_size / 1e6
        told = rf"its first \d+ rows hold more than {max(most_mb, 1):,.0f} MB; ask for less, or read them one by one"
        with pytest.raises(JournalError, match=told):
            opened.query(many)
        assert sum(1 for _ in opened.rows(many)) == 90
        with pytest.raises(JournalError, match=r"^the query cannot be run: a value of it has more than 100 MB$"):
            opened.query("SELECT zeroblob(100000001)")
        assert opened.query("SELECT count(*) FROM steps")[0][0] > LAST


def hold(run, thesis):
    """Put a journal beside a run that has SQLite delete a file elsewhere."""
    pages = (run / "run.sqlite").stat().st_size // 4096
    (run / "run.sqlite-journal").write_bytes(hot_journal(pages, thesis))


def content(folder):
    """Return name -> bytes of everything in a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def killed_in(run, folder):
    """Return a copy of a run as a kill leaves it: with a write-ahead log that holds its last steps."""
    simulation = Recipe("storm_warning", {"seed": 5}).make(run)
    simulation.run(until=LAST)
    shutil.copytree(run, folder)
    simulation.close()
    return folder


def test_sqlite_itself_would_delete_the_file_that_a_journal_names(run, thesis):
    hold(run, thesis)
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        file.execute("SELECT count(*) FROM steps").fetchall()
    assert not thesis.exists()


OPENINGS = {
    "open_run": open_run,
    "log": lambda run: main(["log", str(run)]),
    "blame": lambda run: main(["blame", str(run), "weather.kind"]),
    "diff": lambda run: main(["diff", str(run), str(run)]),
    "compare": lambda run: main(["compare", str(run), str(run)]),
    "doctor": lambda run: main(["doctor", str(run)]),
    "repair": lambda run: main(["doctor", str(run), "--repair"]),
    "resume": lambda run: main(["resume", str(run), "--quiet"]),
    "verify": lambda run: main(["verify", str(run)]),
    "fork": lambda run: main(["fork", str(run), "--at", "1", "--out", f"{run}-fork"]),
    "reopen": Journal.reopen,
    "compact": compact,
    "salvage": repair,
}


@pytest.mark.parametrize("opening", OPENINGS)
def test_no_command_deletes_what_a_journal_names(run, thesis, opening):
    hold(run, thesis)
    with suppress(JournalError):
        assert OPENINGS[opening](run) != 0
    assert thesis.read_text() == "four years"


def test_the_lock_of_a_stranger_deletes_nothing(run, thesis):
    shutil.copy(run / "run.sqlite", run / "run.lock")
    (run / "run.lock-journal").write_bytes(hot_journal((run / "run.lock").stat().st_size // 4096, thesis))
    assert not is_locked(run)
    with pytest.raises(JournalError, match="no lock of a run"):
        lock(run)
    assert thesis.exists()


@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
def test_what_leads_out_of_the_folder_is_not_followed(run, thesis, suffix):
    (run / f"run.sqlite{suffix}").symlink_to(thesis)
    with pytest.raises(JournalError, match="leads elsewhere"):
        expect_harmless(run / "run.sqlite")
    with pytest.raises(JournalError, match="leads elsewhere"):
        open_run(run)
    assert thesis.read_text() == "four years"


def test_a_pipe_beside_a_file_holds_up_nobody(run):
    os.mkfifo(run / "run.sqlite-wal")
    with pytest.raises(JournalError, match="leads elsewhere"):
        open_run(run)


def test_a_pipe_in_place_of_a_file_holds_up_nobody(tmp_path):
    os.mkfifo(tmp_path / "run.sqlite")
    with pytest.raises(JournalError, match="no file"):
        open_to_read(tmp_path / "run.sqlite")
    assert glance("pipe", tmp_path)["status"] == "unreadable"


FORGED = {
    "tags": [1],
    "notes": "a text",
    "config": 5,
    "create": [],
    "parents": [{"step": "first"}],
    "model": True,
    "measures": {"mood": 1},
    "narrations": {"Resident": "walks"},
    "simulation": ["town_day"],
    "start": 2012,
    "step_s": "long",
}


@pytest.mark.parametrize(("key", "value"), FORGED.items(), ids=FORGED)
def test_a_manifest_that_is_none_of_ours_is_refused_by_its_place(run, key, value):
    with closing(sqlite3.connect(run / "run.sqlite")) as file, file:
        file.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?)", (key, json.dumps(value)))
    with pytest.raises(JournalError, match=f"`{key}"):
        open_run(run)
    if key in LISTED:  # one such run does not take the table of all runs with it
        assert glance("forged", run)["status"] == "unreadable"


def test_a_finished_run_is_read_without_a_trace(run):
    before = content(run)
    with open_run(run) as opened:
        assert opened.last_step == LAST
        assert content(run) == before
    assert content(run) == before


def test_a_killed_run_is_read_to_its_end_without_a_trace(tmp_path):
    killed = killed_in(tmp_path / "live", tmp_path / "killed")
    before = content(killed)
    assert before["run.sqlite-wal"]
    with open_run(killed) as opened:
        assert (opened.last_step, opened.follows) == (LAST, False)
    assert content(killed) == before


def test_a_file_left_in_wal_mode_is_read_without_a_trace(run):
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        file.execute("PRAGMA journal_mode = WAL")
    before = content(run)
    with open_run(run) as opened:
        assert opened.last_step == LAST
    assert content(run) == before


def test_a_torn_write_is_taken_back_in_a_copy(run, tmp_path):
    writer = sqlite3.connect(run / "run.sqlite", isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN")
    writer.execute("DELETE FROM changes")
    writer.execute("DELETE FROM steps")
    torn = shutil.copytree(run, tmp_path / "torn")
    writer.close()
    before = content(torn)
    assert len(before["run.sqlite-journal"]) > 512
    with open_run(torn) as opened:
        assert opened.last_step == LAST
    assert content(torn) == before


def test_a_log_of_terabytes_that_holds_nothing_takes_no_room(run):
    """A file full of holes says that it has any size; a copy of it has the same holes."""
    log, free = run / f"{DATABASE}-wal", shutil.disk_usage(run).free
    with log.open("wb") as file:
        file.write(b"no log")
        file.truncate(2**41)
    with open_run(run) as opened:
        assert opened.last_step > 0
        assert free - shutil.disk_usage(run).free < 2**30
    with log.open("r+b") as file:
        file.seek(2**40)
        file.write(b"far away")
    with open_run(run) as opened:
        assert opened.last_step > 0


def test_a_journal_of_terabytes_is_asked_for_its_last_word_alone(run):
    with (run / f"{DATABASE}-journal").open("wb") as file:
        file.truncate(2**41)
    with open_run(run) as opened:
        assert opened.last_step > 0


def test_a_run_that_is_being_written_is_read_live(tmp_path):
    simulation = Recipe("storm_warning", {"seed": 5}).make(tmp_path / "run")
    simulation.run(until=1)
    with open_run(tmp_path / "run") as opened:
        assert (opened.last_step, opened.follows) == (1, True)
        simulation.run(until=LAST)
        assert opened.last_step == LAST
    simulation.close()


def test_a_view_in_place_of_a_table_is_refused_at_once(run):
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        file.executescript(
            "DROP TABLE manifest; CREATE VIEW manifest AS WITH RECURSIVE n(key) AS "
            "(SELECT 1 UNION ALL SELECT key + 1 FROM n) SELECT key, 1 AS value FROM n;"
        )
    computed_s = time.thread_time()
    with pytest.raises(JournalError, match="does not write"):
        open_to_read(run / "run.sqlite")
    assert time.thread_time() - computed_s < 1  # of computing: how long it waits for a processor is not its fault


def test_a_query_without_an_end_is_broken_off():
    with closing(sqlite3.connect(":memory:")) as connection:
        Patience(connection, 0.1)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
            ).fetchall()


def test_a_run_that_was_closed_or_opened_elsewhere_is_not_called_damaged(tmp_path):
    make_run(tmp_path / "run").close()
    with (
        open_run(tmp_path / "run") as run,
        ThreadPoolExecutor(1) as pool,
        pytest.raises(JournalError, match="was opened in another thread"),
    ):
        pool.submit(run.steps).result()
    for ask in (run.steps, lambda: list(run.turns()), lambda: run.frame("measures"), lambda: run.query("SELECT 1")):
        with pytest.raises(JournalError, match="is closed: ask within"):
            ask()


def test_a_pipe_in_place_of_the_manifest_holds_up_nobody_who_goes_on(run, capsys):
    (run / "manifest.json").unlink(missing_ok=True)
    os.mkfifo(run / "manifest.json")
    assert main(["resume", str(run), "--quiet"]) == 1
    assert "manifest.json is no file there; remove it" in capsys.readouterr().err


def test_results_that_are_kept_beside_a_run_are_told_from_runs(run):
    results = run.with_name(f"{run.name}-why")
    results.mkdir()
    with pytest.raises(JournalError, match=rf"It lies beside the run .*{run.name}, .*leave it out"):
        open_run(results)
