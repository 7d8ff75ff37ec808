"""A run takes less room when it is compacted, and nothing else about it is another."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.journal.compaction import compact
from cave_sim.journal.integrity import problems
from cave_sim.journal.rebuild import entities_at, state_hash
from cave_sim.journal.repair import repair
from cave_sim.journal.step_order import OF_STEP, SORTED_FIRST
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation import run_journal

STORM = Recipe("storm_warning", {"seed": 7, "residents": 3, "storm_h": "10.5", "hours": "0.5"}, ModelChoice())
TOWN = Recipe("town_day", {"seed": 5, "residents": 3})
UNTIL = 24
FLIPS = int(os.environ.get("FLIPS", "40"))
KILLER = """
import os, random, shutil, signal, sys, time
from pathlib import Path
from cave_sim.journal.compaction import compact

whole, folder, dice = Path(sys.argv[1]), Path(sys.argv[2]), random.Random(3)
for number in range(12):
    shutil.copytree(whole, folder / str(number))
    child = os.fork()
    if not child:
        compact(folder / str(number))
        os._exit(0)
    time.sleep(dice.uniform(0.0, 0.06))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of a run of minds that was never compacted."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    STORM.make(folder).run(until=UNTIL).close()
    return folder


@pytest.mark.long(cases=0)
def test_no_table_is_searched_through_for_each_step(whole):
    assert set(OF_STEP).isdisjoint(SORTED_FIRST)
    with closing(sqlite3.connect(whole / "run.sqlite")) as file:
        bounds = dict.fromkeys(("step", "turn", "last_turn", "call", "last_call"), 1)
        for table, rows in OF_STEP.items():
            plan = file.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE {rows}".replace("run.", ""), bounds)
            assert not [line for *_, line in plan if line.startswith("SCAN")], table


@pytest.fixture
def packed(whole, tmp_path):
    """Return the folder of the same run, compacted."""
    shutil.copytree(whole, tmp_path / "run")
    compact(tmp_path / "run")
    return tmp_path / "run"


def told(folder):
    """Return everything that a run says: steps with their hashes, turns, changes, calls and sessions."""
    with open_run(folder) as run:
        assert list(problems(run)) == []
        return run.steps(), list(run.turns()), list(run.changes()), list(run.calls()), run.sessions()


def test_it_takes_less_room_and_says_the_same(whole, packed):
    assert told(packed) == told(whole)
    before, after = ((folder / "run.sqlite").stat().st_size for folder in (whole, packed))
    assert after < 0.9 * before


def test_doing_it_again_changes_nothing(packed):
    first = told(packed)
    again = compact(packed)
    assert again.after_bytes == again.before_bytes
    assert told(packed) == first


def test_its_cells_come_out_the_same_when_they_are_run_again(packed):
    with open_run(packed) as run:
        assert verify(run, Recipe.of(run.manifest).without_model().make).holds


@pytest.mark.long
def test_it_goes_on_to_the_end_that_it_would_have_had(tmp_path):
    for name in ("straight", "packed"):
        STORM.make(tmp_path / name).run(until=UNTIL).close()
        if name == "packed":
            compact(tmp_path / name)
        resume(tmp_path / name).run(until=UNTIL + 6).close()
    assert told(tmp_path / "packed")[0] == told(tmp_path / "straight")[0]
    assert told(tmp_path / "packed")[3:] == told(tmp_path / "straight")[3:]


@pytest.mark.long
def test_a_branch_of_it_asks_nobody_what_the_run_has_asked(packed, tmp_path):
    fork(packed, 4, tmp_path / "branch").run(until=UNTIL).close()
    with open_run(tmp_path / "branch") as branch, open_run(packed) as parent:
        assert {reused for (reused,) in branch.query("SELECT reused FROM calls")} == {1}
        assert branch.manifest["state_hash"] == parent.manifest["state_hash"]


@pytest.mark.long
def test_packed_texts_can_be_asked_for_in_sql(packed):
    with open_run(packed) as run:
        kinds = dict(run.query("SELECT typeof(text), count(*) FROM texts GROUP BY 1"))
        assert kinds["blob"] > kinds.get("text", 0)
        assert all(isinstance(text, str) for (text,) in run.query("SELECT plain(text) FROM texts"))


def test_snapshots_that_others_can_stand_for_go_and_no_state_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(run_journal, "SNAPSHOT_EVERY_CHANGES", 1)
    monkeypatch.setattr(run_journal, "SNAPSHOT_EVERY_ENTITIES", 0)
    TOWN.make(tmp_path / "run").run(until=34).close()
    first = told(tmp_path / "run")
    compact(tmp_path / "run")
    assert told(tmp_path / "run") == first
    with open_run(tmp_path / "run") as run:
        kept = [step for (step,) in run.query("SELECT step FROM snapshots WHERE length(state) > 32 ORDER BY step")]
        assert kept == [0, 10, 20, 30, 34]
        assert all(state_hash(entities_at(run, step.step)) == step.state_hash for step in run.steps())
    resume(tmp_path / "run").run(until=40).close()
    TOWN.make(tmp_path / "straight").run(until=40).close()
    assert told(tmp_path / "run")[0] == told(tmp_path / "straight")[0]


def test_the_first_snapshot_may_not_go(packed):
    with closing(sqlite3.connect(packed / "run.sqlite")) as file:
        file.execute("UPDATE snapshots SET state = zeroblob(32)")
        file.commit()
    with open_run(packed) as run:
        assert list(problems(run))
    assert main(["resume", str(packed)]) == 1


@pytest.mark.long
def test_flipped_bytes_of_a_compacted_file_are_found_or_mean_nothing(packed):
    path, whole, dice = packed / "run.sqlite", told(packed), random.Random(FLIPS)
    content, missed = path.read_bytes(), []
    for _ in range(FLIPS):
        at, bit = dice.randrange(len(content)), 1 << dice.randrange(8)
        changed = bytearray(content)
        changed[at] ^= bit
        path.write_bytes(changed)
        try:
            with open_run(packed) as run:
                found = bool(list(problems(run)))
        except JournalError:
            found = True
        if not found and told(packed) != whole:
            missed.append((at, bit))
    assert missed == []


def test_what_is_whole_of_a_torn_compacted_file_is_saved(packed):
    steps, file = told(packed)[0], packed / "run.sqlite"
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * 0.95)])
    assert repair(packed).last_step >= steps[-1].step / 2  # it lies there step by step, as a run writes it
    with open_run(packed) as run:
        saved = run.steps()
    assert saved == steps[: len(saved)]


@pytest.mark.long
def test_killed_at_any_moment_it_is_as_it_was_or_packed(whole, tmp_path):
    command = [sys.executable, "-c", KILLER, str(whole), str(tmp_path)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": "."}, check=True)
    first = told(whole)
    for folder in tmp_path.iterdir():
        assert told(folder) == first


def test_a_run_that_is_being_written_is_left_alone(tmp_path):
    running = TOWN.make(tmp_path / "run")
    with pytest.raises(JournalError, match="by this very process"):
        compact(tmp_path / "run")
    running.run(until=2).close()


def test_the_doctor_says_how_much_it_saved(whole, tmp_path, capsys):
    shutil.copytree(whole, tmp_path / "run")
    assert main(["doctor", str(tmp_path / "run"), "--compact"]) == 0
    assert re.search(r"^compacted: \d+% less; size: [\d,]+ bytes, [\d,]+ bytes a cell$", capsys.readouterr().out, re.M)
