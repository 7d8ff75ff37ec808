"""Disks that are full, files that cannot be written, processes that meet: one clear line, and nothing is lost."""

import errno
import importlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from cave_sim import JournalError, WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.journal.lock import lock
from cave_sim.journal.writer import Journal
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulation.treatment import Intervention

TOWN = Recipe("town_day", {"seed": 5, "residents": 4})


@pytest.fixture
def run(tmp_path):
    """Return the folder of a run of twelve steps."""
    TOWN.make(tmp_path / "run").run(until=12).close()
    return tmp_path / "run"


def test_a_full_disk_loses_no_step_and_the_run_goes_on_when_there_is_room(tmp_path, run):
    simulation = resume(run)
    simulation.journal.file.execute("PRAGMA max_page_count = 1")
    with pytest.raises(JournalError, match="Everything before it is safe"):
        simulation.run(until=400)
    simulation.journal.file.execute("PRAGMA max_page_count = 100000")
    with pytest.raises(JournalError, match="lacks a step that could not be written: close the run, and resume it"):
        simulation.step()
    simulation.close()
    resume(run).run(until=30).close()
    TOWN.make(tmp_path / "whole").run(until=30).close()
    with open_run(run) as one, open_run(tmp_path / "whole") as other:
        assert [step.hash for step in one.steps()] == [step.hash for step in other.steps()]
        assert list(problems(one)) == []


@pytest.mark.long
def test_two_processes_cannot_write_one_run(run):
    simulation = resume(run)
    command = [sys.executable, "-m", "cave_sim.cli.main", "resume", str(run), "--quiet"]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert second.stderr == f"cave-sim: {run} is being written by another process; wait for it, or stop it\n"
    simulation.run(until=14)
    simulation.close()
    assert main(["resume", str(run), "--steps", "15", "--quiet"]) == 0


def test_a_file_system_without_locks_is_not_taken_for_another_writer(run, monkeypatch):
    def refuse(file, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.lockf", refuse)
    with closing(lock(run)), pytest.raises(JournalError, match=r"has no file locks, .* move it to another one"):
        resume(run)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everything")
def test_a_file_that_cannot_be_written_is_read_and_not_resumed(run):
    run.chmod(0o500)
    (run / "run.sqlite").chmod(0o400)
    with pytest.raises(JournalError, match="cannot be written"):
        resume(run)
    with open_run(run) as opened:
        assert opened.last_step == 12
    run.chmod(0o700)


def test_a_path_that_is_too_long_for_sqlite_is_one_clear_line(tmp_path, capsys):
    deep = tmp_path.joinpath(*["y" * 200] * 3)
    assert main(["run", "town_day", "--steps", "1", "--quiet", "--out", str(deep / "run")]) == 1
    told = capsys.readouterr().err
    assert "and SQLite takes 512" in told
    assert "Traceback" not in told


def test_a_file_that_sqlite_may_not_write_is_one_clear_line(run, monkeypatch):
    def read_only(path, **options):
        return connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, **options)

    connect = sqlite3.connect
    monkeypatch.setattr("cave_sim.journal.journal_file.sqlite3.connect", read_only)
    with pytest.raises(JournalError, match=r"cannot be (written|continued): attempt to write a readonly database"):
        Journal.reopen(run)


@pytest.mark.long
def test_a_clock_that_jumps_changes_nothing(tmp_path, run, monkeypatch):
    jumps = iter(range(10**9, 0, -(10**4)))
    monkeypatch.setattr("time.time", lambda: float(next(jumps)))
    resume(run).run(until=20).close()
    TOWN.make(tmp_path / "whole").run(until=20).close()
    with open_run(run) as one, open_run(tmp_path / "whole") as other:
        assert [step.hash for step in one.steps()] == [step.hash for step in other.steps()]


def test_what_a_process_was_writing_when_it_was_killed_is_taken_back(tmp_path, run):
    writer = sqlite3.connect(run / "run.sqlite", isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE turns SET output = 'half written'")
    shutil.copytree(run, tmp_path / "killed")
    writer.close()
    assert (tmp_path / "killed" / "run.sqlite-journal").exists()
    with open_run(tmp_path / "killed") as opened:
        assert list(problems(opened)) == []


def test_a_run_that_does_not_say_how_it_was_made_asks_for_its_simulation(tmp_path, run):
    from cave_sim.simulations import town_day

    town_day.create(seed=5, residents=4, out=tmp_path / "mine").run(until=12).close()
    with pytest.raises(JournalError, match=r"does not say how it was made.*resume\(folder, simulation=\.\.\.\)"):
        resume(tmp_path / "mine")
    going_on = resume(tmp_path / "mine", simulation=town_day.create(seed=5, residents=4))
    going_on.run(until=13)
    going_on.close()


def test_a_run_of_another_world_is_not_taken_for_this_one(run):
    from cave_sim.simulations import village_day

    with pytest.raises(JournalError, match="does not fit the world that its simulation makes now"):
        resume(run, simulation=village_day.create(seed=5))


def test_a_module_that_only_the_file_names_is_not_imported(tmp_path, capsys):
    Recipe("town_day", {"seed": 5, "residents": 4}).make(tmp_path / "run", module="antigravity").close()
    for command in ("resume", "verify", "replay"):
        assert main([command, str(tmp_path / "run")]) == 1
        assert "to run its code, say --module antigravity" in capsys.readouterr().err
    assert "antigravity" not in sys.modules


def test_a_server_that_only_the_file_names_is_sent_nothing(tmp_path, capsys):
    model = {"name": "openai/any", "api_base": "http://stranger.example"}
    TOWN.make(tmp_path / "run", model=model).close()
    assert main(["resume", str(tmp_path / "run")]) == 1
    assert "to ask it there again, say --api-base http://stranger.example" in capsys.readouterr().err


def test_an_intervention_that_does_not_land_leaves_no_branch(tmp_path, run):
    with pytest.raises(WorldError, match=r"the cell of mayor did not land \(failed\), so there is no branch"):
        fork(run, 5, tmp_path / "branch", interventions=[Intervention("me.mood = 99", "mayor")])
    assert not (tmp_path / "branch").exists()


def test_a_step_that_a_run_does_not_have_is_said_so(tmp_path, run):
    with pytest.raises(JournalError, match="has no step 99; it has the steps from 0 to 12"):
        fork(run, 99, tmp_path / "branch")


@pytest.mark.parametrize(
    "command",
    [["blame", "weather.kind"], ["story", "mayor"], ["bisect", "True"], ["diff"], ["export", "--format", "csv"]],
    ids=" ".join,
)
def test_a_mistake_of_ours_is_not_called_a_damaged_file(command, tmp_path, monkeypatch, capsys):
    TOWN.make(tmp_path / "run").run(until=2).close()
    name, *arguments = command
    module = importlib.import_module(f"cave_sim.cli.actions.{name}")
    monkeypatch.setattr(module, "_written" if name == "export" else name, None)
    others = [str(tmp_path / "run")] if name == "diff" else []
    assert main([name, str(tmp_path / "run"), *others, *arguments]) == 1
    told = capsys.readouterr().err
    assert "cave_sim has a mistake: TypeError: 'NoneType' object is not callable" in told
    assert "damaged" not in told
    with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as file:
        file.execute("UPDATE changes SET new = '{'")
        file.commit()
    assert main([name, str(tmp_path / "run"), *others, *arguments]) == 1
    told = capsys.readouterr().err
    assert "is damaged" in told
    assert told.count("\n") == 1
