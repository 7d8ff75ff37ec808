"""The doctor says how a run's file is, and saves what is whole of a torn one."""

import random
import sqlite3

import pytest

from cave_sim import Simulation, World, open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.journal.queries import last_turns
from cave_sim.replay.recipe import Recipe
from tests.long_cases import cases

TOWN = Recipe("town_day", {"seed": 5, "residents": 4})


@pytest.fixture
def run(tmp_path):
    """Return the folder of a run of sixty steps."""
    TOWN.make(tmp_path / "run").run(until=60).close()
    return tmp_path / "run"


def steps_of(folder):
    with open_run(folder) as run:
        return [step.hash for step in run.steps()]


def test_a_healthy_run_is_described(run, capsys):
    assert main(["doctor", str(run)]) == 0
    told = capsys.readouterr().out
    assert "steps 0 to 60" in told
    assert "bytes a cell" in told


def test_a_run_that_is_written_on_meanwhile_is_not_called_damaged(tmp_path, monkeypatch):
    simulation = Simulation(World(seed=1), out=tmp_path / "run")
    simulation.run(until=2)

    def meanwhile(run):
        found = last_turns(run)
        simulation.step()
        return found

    monkeypatch.setattr("cave_sim.journal.rebuild.last_turns", meanwhile)
    with open_run(tmp_path / "run") as run:
        assert list(problems(run)) == []
        assert run.last_step == 3
        assert list(problems(run)) == []
    simulation.close()


@pytest.mark.long
def test_a_torn_file_says_how_to_repair_it(run, capsys):
    file = run / "run.sqlite"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert main(["doctor", str(run)]) == 1
    assert capsys.readouterr().out.count(f"cave-sim doctor {run} --repair") == 1
    for command in (["log", str(run)], ["resume", str(run)], ["verify", str(run)]):
        assert main(command) == 1
        assert f"cave-sim doctor {run} --repair" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("share", cases([0.3, 0.6, 0.9, 0.99], lambda share: share > 0.6))
def test_a_file_that_was_cut_off_keeps_its_first_steps_and_goes_on(share, run, capsys):
    whole, file = steps_of(run), run / "run.sqlite"
    torn = file.read_bytes()[: int(file.stat().st_size * share)]
    file.write_bytes(torn)
    if main(["doctor", str(run), "--repair"]) == 0:
        saved = steps_of(run)
        assert saved == whole[: len(saved)]
        assert main(["resume", str(run), "--steps", "60", "--quiet"]) == 0
        assert steps_of(run) == whole
        with open_run(run) as opened:
            assert list(problems(opened)) == []
        file = run / "torn-run.sqlite"
    assert file.read_bytes() == torn


@pytest.mark.long
def test_a_scratched_page_costs_no_step_before_it(run, capsys):
    whole, file, dice = steps_of(run), run / "run.sqlite", random.Random(3)
    content = bytearray(file.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = dice.randbytes(4096)
    file.write_bytes(content)
    main(["doctor", str(run), "--repair"])
    saved = steps_of(run)
    assert saved
    assert saved == whole[: len(saved)]


@pytest.mark.long
def test_a_step_that_follows_another_one_is_told_from_one_that_was_changed(run):
    with sqlite3.connect(run / "run.sqlite") as file:
        file.execute("UPDATE steps SET previous = hash WHERE step = 40")
    file.close()
    with open_run(run) as opened:
        first = next(problems(opened))
    assert (first.step, first.what) == (40, "it does not follow the step before: its `previous` is another hash")


@pytest.mark.long
def test_nothing_of_a_step_whose_hash_does_not_hold_is_saved_nor_of_those_after_it(run):
    with sqlite3.connect(run / "run.sqlite") as file:
        file.execute("UPDATE steps SET hash = previous WHERE step = 40")
    file.close()
    main(["doctor", str(run), "--repair"])
    with open_run(run) as repaired:
        assert repaired.last_step == 39
        last_turn = repaired.query("SELECT last_turn FROM steps WHERE step = 39")[0][0]
        assert repaired.query("SELECT max(turn) FROM turns")[0][0] == last_turn
        assert list(problems(repaired)) == []
