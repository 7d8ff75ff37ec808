"""The journal: what a run leaves behind, whatever happens to it."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cave_sim import Agent, JournalError, Simulation, open_run
from cave_sim.journal.hash_chain import GENESIS, chain
from cave_sim.simulation.observers import Observer
from cave_sim.version import code_revision
from tests.world.market import make_market


class Shopper(Agent):
    def act(self, observation):
        chance = self.rng.random()
        if chance < 0.2:
            return "me.mood = 7"
        return "me.diary.append(clock.text)\nme.mood = 0.25" if chance < 0.8 else "stall.sell(me)"


def make_run(folder, seed=7, **options):
    return Simulation(
        make_market(seed),
        [(Shopper, name) for name in ("ann", "bob", "cem")],
        out=folder,
        measures={"apples": lambda world: world["stall"].apples},
        **options,
    )


def test_ctrl_c_while_a_step_is_committed_waits_until_it_is_written(tmp_path, monkeypatch):
    def interrupted(*parts):
        signal.raise_signal(signal.SIGINT)
        return chain(*parts)

    simulation = make_run(tmp_path / "run").run(until=2)
    monkeypatch.setattr("cave_sim.journal.writer.chain", interrupted)
    with pytest.raises(KeyboardInterrupt):
        simulation.journal.commit(3, 3.0, simulation.state_hash, {})
    with open_run(tmp_path / "run") as opened:
        assert opened.last_step == 3


@pytest.fixture
def run(tmp_path):
    simulation = make_run(tmp_path / "run")
    simulation.run(until=10)
    simulation.close()
    with open_run(tmp_path / "run") as opened:
        yield opened


def test_a_run_says_what_it_is(run):
    assert run.manifest["seed"] == 7
    assert run.manifest["finished"] is True
    assert run.manifest["steps"] == 10
    assert run.manifest["code"] == code_revision()
    assert run.manifest["parents"] == []
    assert set(run.manifest["versions"]) >= {"mesa", "pydantic"}
    assert json.loads((run.folder / "manifest.json").read_text())["seed"] == 7


def test_every_turn_is_kept_with_its_cell(run):
    turns = list(run.turns())
    assert [turn.turn for turn in turns] == sorted(turn.turn for turn in turns)
    cells = [turn for turn in turns if turn.kind == "cell"]
    assert len(cells) == 30
    assert {turn.status for turn in cells} == {"committed", "failed"}
    assert all(turn.error for turn in cells if turn.status == "failed")
    assert {turn.code for turn in run.turns(agent="ann", status="failed")} == {"me.mood = 7"}


def test_the_changes_fold_from_nothing_into_the_final_state(run):
    from cave_sim import Change, World
    from cave_sim.entity.builtin_entities import SYSTEM
    from cave_sim.world.apply_changes import apply_change

    world = World(seed=7, start="2012-06-01T06:00")
    world.registry.displace(SYSTEM)
    for row in run.changes():
        apply_change(world, Change(row.entity, row.path, row.op, row.old, row.new))
    world.turns.state_hash.touch_all(world.undo_log.entities)
    assert world.state_hash() == run.steps()[-1].state_hash == run.manifest["state_hash"]


def test_a_snapshot_of_the_first_step_restores(run):
    import zlib

    from cave_sim import World

    [(step, state)] = run.query("SELECT step, state FROM snapshots")
    assert World.restore(zlib.decompress(state)).state_hash() == run.steps()[step].state_hash


def test_each_step_is_chained_to_the_one_before(run):
    previous = GENESIS
    first = 0
    for step, state_hash, last, hashed in run.query(
        "SELECT step, state_hash, last_turn, hash FROM steps ORDER BY step"
    ):
        rows = run.query("SELECT * FROM turns WHERE turn > ? AND turn <= ? ORDER BY turn", first, last)
        changes = run.query("SELECT * FROM changes WHERE turn > ? AND turn <= ? ORDER BY turn, position", first, last)
        assert chain(previous, step, state_hash, rows, changes) == hashed
        previous, first = hashed, last


def test_measures_are_in_the_journal_and_in_mesas_collector(tmp_path):
    simulation = make_run(tmp_path / "run")
    simulation.run(until=5)
    collected = simulation.datacollector.get_model_vars_dataframe()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert list(run.measures()["apples"]) == list(collected["apples"])


def test_changes_can_be_asked_for_by_entity_and_field(run):
    moods = list(run.changes(entity="ann", field="mood"))
    assert moods
    assert {change.path for change in moods} == {("mood",)}


def test_two_runs_with_one_seed_have_equal_journals(tmp_path):
    found = []
    for name in ("one", "two"):
        simulation = make_run(tmp_path / name)
        simulation.run(until=6)
        simulation.close()
        with open_run(tmp_path / name) as run:
            found.append([step.hash for step in run.steps()])
    assert found[0] == found[1]


def test_a_folder_that_holds_a_run_is_not_overwritten(tmp_path):
    make_run(tmp_path / "run").close()
    with pytest.raises(JournalError, match="holds a run already; choose another folder"):
        make_run(tmp_path / "run")


def test_what_is_no_run_is_said_so(tmp_path):
    with pytest.raises(JournalError, match="holds no run"):
        open_run(tmp_path)
    (tmp_path / "run.sqlite").write_bytes(b"not a database at all, but long enough to look at" * 100)
    with pytest.raises(JournalError, match="is no journal"):
        open_run(tmp_path)


def test_a_full_disk_is_one_clear_error_and_keeps_what_was_committed(tmp_path):
    simulation = make_run(tmp_path / "run")
    simulation.run(until=3)
    simulation.journal.file.execute("PRAGMA max_page_count = 1")
    with pytest.raises(JournalError, match=r"could not be written .*Everything before it is safe"):
        simulation.run(until=200)
    with pytest.raises(JournalError):
        simulation.close()
    with open_run(tmp_path / "run") as run:
        assert run.steps()[-1].step >= 3


def test_a_fork_of_the_process_writes_no_step_into_the_run_of_its_parent(tmp_path):
    simulation = make_run(tmp_path / "run")
    simulation.run(until=2)
    if (child := os.fork()) == 0:
        said = 1
        try:
            simulation.step()
        except JournalError as error:
            said = 0 if "this is a fork of that process" in str(error) else 2
            with pytest.raises(JournalError, match="fork"):
                simulation.close()
            said += 0 if simulation.fork().run(until=5).world.clock.step == 5 else 3
        finally:
            os._exit(said)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    simulation.run(until=4)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert [step.step for step in run.steps()] == [0, 1, 2, 3, 4]


def test_an_observer_that_raises_is_removed_and_the_journal_says_so(tmp_path):
    class Clumsy(Observer):
        def on_step(self, simulation):
            raise RuntimeError("dropped it")

    simulation = make_run(tmp_path / "run", observers=[Clumsy()])
    simulation.run(until=2)
    assert simulation.observers == []
    simulation.close()
    with open_run(tmp_path / "run") as run:
        [(kind, data)] = run.query("SELECT kind, data FROM events")
    assert (kind, json.loads(data)) == ("observer_failed", {"observer": "Clumsy", "error": "RuntimeError: dropped it"})


KILLED = """
import sys
from tests.journal.test_writer import make_run
simulation = make_run(sys.argv[1])
while True:
    simulation.step()
    print(simulation.world.clock.step, simulation.world.state_hash(), flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("lines", [1, 7, 23])
def test_kill_9_loses_nothing_that_was_committed(tmp_path, lines):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", KILLED, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}) as process:
        told = [process.stdout.readline().split() for _ in range(lines)]
        process.send_signal(signal.SIGKILL)
    with open_run(folder) as run:
        steps = {step.step: step.state_hash for step in run.steps()}
        assert all(steps[int(step)] == state_hash for step, state_hash in told)
        assert run.query("PRAGMA integrity_check") == [("ok",)]


def test_a_running_run_can_be_read(tmp_path):
    simulation = make_run(tmp_path / "run")
    simulation.run(until=4)
    with open_run(tmp_path / "run") as run:
        assert len(run.steps()) == 5
    simulation.run(until=6)
    simulation.close()


def test_plain_sqlite_reads_the_file(run):
    connection = sqlite3.connect(run.folder / "run.sqlite")
    [(count,)] = connection.execute("SELECT count(*) FROM turns WHERE agent = 'ann'")
    connection.close()
    assert count == 10


@pytest.mark.parametrize("another", [False, True])
def test_a_run_whose_folder_is_moved_ends_with_the_next_step_and_is_whole_where_it_is(tmp_path, another):
    there, moved = tmp_path / "there", tmp_path / "moved"
    simulation = make_run(there)
    simulation.run(until=2)
    there.rename(moved)
    if another:
        make_run(there, seed=8).close()
    with pytest.raises(JournalError, match=r"step 3 could not be written .*moved or deleted.* resumed where it is now"):
        simulation.step()
    with pytest.raises(JournalError, match="moved or deleted"):
        simulation.close()
    if another:
        with open_run(there) as run:
            assert run.manifest["seed"] == json.loads((there / "manifest.json").read_text())["seed"] == 8
    with open_run(moved) as run:
        assert [step.step for step in run.steps()] == [0, 1, 2]


@pytest.mark.long
def test_a_program_that_holds_the_file_for_longer_than_sqlite_waits_costs_no_run(tmp_path):
    with make_run(tmp_path / "run") as simulation, ThreadPoolExecutor(1) as background:
        holder = sqlite3.connect(simulation.journal.path, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN EXCLUSIVE")
        step = background.submit(simulation.run, until=2)
        time.sleep(7)  # SQLite's own five seconds are over
        assert not step.done()
        holder.close()
        assert step.result().world.clock.step == 2
