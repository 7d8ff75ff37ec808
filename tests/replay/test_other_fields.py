"""A run whose classes got fields with defaults goes on; with other fields, it is answered with them and the way out."""

import importlib
import multiprocessing
import os
import signal
import sqlite3
import sys
from contextlib import closing

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.dashboards import write_report
from cave_sim.history.blame import blame
from cave_sim.journal.integrity import problems
from cave_sim.journal.queries import state_hashes
from cave_sim.journal.rebuild import entities_at
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import continue_run, resume
from cave_sim.replay.verify import verify

MODULE = "other_fields.teahouse"
TEAHOUSE = """
from cave_sim import Agent, Entity, Simulation, World, field

STEPS = 3

class Pot(Entity):
    {first}
    cups: int = field(3)
    {more}

class Host(Agent):
    def act(self, observation):
        return "pot.cups += 1; kept = pot.cups; print(pot.cups)"

def create(*, seed, out=None, manifest=None, observers=()):
    world = World(seed=seed)
    for name in ("pot", "urn"):
        world.add(name, Pot({given}))
    world.grant("host", "pot")

    @world.dynamics
    def brew(world):
        world["urn"].cups += 2
        if world.clock.step == 5:
            world.add("late", Pot({given}))

    return Simulation(world, [(Host, "host")], out=out, manifest=manifest, observers=observers)
"""
LID = "lid: str = field('on')"
MILK = "milk: list[str] = field(['oat'])"
TEAHOUSES = Recipe(MODULE, {"seed": 7})


NAMES = ("pot", "urn")


@pytest.fixture
def teahouse(monkeypatch, tmp_path):
    """Return what declares the class of pots anew, with more fields."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # an edit within one second looks the same to its cache
    package = tmp_path / "other_fields"
    package.mkdir()

    def declare(more="", first="", given=""):
        (package / "teahouse.py").write_text(TEAHOUSE.format(more=more, first=first, given=given))
        _forget()
        importlib.invalidate_caches()

    declare()
    yield declare
    _forget()


def _forget():
    for name in (MODULE, "other_fields"):
        sys.modules.pop(name, None)


@pytest.fixture
def run(teahouse, tmp_path):
    """Return the folder of a run of three steps, whose pots have cups alone."""
    TEAHOUSES.make(tmp_path / "run").run(until=3).close()
    return tmp_path / "run"


def gone_on(folder, until):
    simulation = resume(folder)
    simulation.run(until=until).close()
    return simulation.state_hash


def scripted(defaults, until):
    """Return the last hash of a world that had fields all along, whose defaults a script writes behind steps."""
    simulation = TEAHOUSES.make()
    for at, values in defaults.items():
        simulation.run(until=at)
        for name in NAMES:
            for field, value in values.items():
                setattr(simulation.world[name], field, value)
    return simulation.run(until=until).state_hash


def verdict_of(folder):
    with open_run(folder) as run:
        return verify(run, TEAHOUSES.make)


def writes_of(folder, field):
    sql = "SELECT steps.step, kind, agent, entity, op, old, new FROM changes JOIN turns USING (turn)"
    sql += " JOIN steps ON steps.last_turn = (SELECT min(last_turn) FROM steps WHERE last_turn >= turns.turn)"
    with open_run(folder) as run:
        assert list(problems(run)) == []
        return run.query(f"{sql} WHERE path = ? ORDER BY turn, position", f'["{field}"]')


@pytest.mark.parametrize("where", ["first", "more"])
def test_a_field_with_a_default_begins_as_if_a_script_wrote_it(teahouse, run, where):
    teahouse(**{where: LID})
    assert gone_on(run, 7) == scripted({0: {"lid": ""}, 3: {"lid": "on"}}, 7)
    assert writes_of(run, "lid") == [(4, "outside", "operator", name, "set", None, '"on"') for name in NAMES]
    with open_run(run) as opened:
        assert entities_at(opened, 3)["pot"]["fields"] == {"cups": 6}
        assert entities_at(opened, 4)["pot"]["fields"] == {"cups": 7, "lid": "on"}
        assert opened.query("SELECT step, data FROM events WHERE kind = 'new_fields'") == [
            (4, '{"fields": ["Pot.lid"]}')
        ]
    verdict = verdict_of(run)
    assert (verdict.holds, verdict.by_file) == (True, 3)


def test_what_ran_behind_the_new_field_is_still_compared(teahouse, run):
    teahouse(MILK)
    simulation = resume(run)
    simulation.world["pot"].milk.append("soy")
    simulation.run(until=5).close()
    assert verdict_of(run).holds
    teahouse("milk: list[str] = field(['cow'])")
    assert "milk" in str(verdict_of(run).difference)


def test_a_run_of_one_step_and_entities_that_came_later_go_on_too(teahouse, tmp_path):
    run = tmp_path / "run"
    TEAHOUSES.make(run).close()
    teahouse(first=LID)
    gone_on(run, 6)
    assert [row[:4] for row in writes_of(run, "lid")] == [(1, "outside", "operator", name) for name in NAMES]
    assert verdict_of(run).holds
    assert gone_on(run, 8) == scripted({}, 8)


def test_a_second_new_field_comes_the_same_way(teahouse, run):
    teahouse(first=LID)
    gone_on(run, 5)
    teahouse(first=MILK, more=LID)
    assert gone_on(run, 8) == scripted({}, 8)
    assert [row[0] for row in writes_of(run, "milk")] == [6, 6, 6]
    verdict = verdict_of(run)
    assert (verdict.holds, verdict.by_file) == (True, 5)


def killed(folder, steps):
    """Go on with a run in a process that is killed before it takes its next step."""

    def go():
        simulation = resume(folder)
        simulation.run(until=3 + steps)
        os.kill(os.getpid(), signal.SIGKILL)

    child = multiprocessing.get_context("fork").Process(target=go)
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL


@pytest.mark.long
@pytest.mark.parametrize("steps", [0, 1])
def test_killed_on_the_way_the_field_is_written_once(teahouse, run, steps):
    teahouse(LID)
    killed(run, steps)
    killed(run, steps)
    assert gone_on(run, 7) == scripted({}, 7)
    assert [row[:1] + row[3:4] for row in writes_of(run, "lid")] == [(4, name) for name in NAMES]
    assert verdict_of(run).holds


def test_opened_and_closed_again_the_run_is_as_it_was(teahouse, run):
    with open_run(run) as opened:
        before = state_hashes(opened)
    teahouse(LID)
    assert gone_on(run, 3) == before[3]
    with open_run(run) as opened:
        assert (state_hashes(opened), opened.manifest["state_hash"]) == (before, before[3])


def test_a_branch_begins_with_the_field(teahouse, run, tmp_path):
    teahouse(LID)
    branch = fork(run, 2, tmp_path / "branch")
    branch.run(until=6).close()
    assert branch.state_hash == scripted({}, 6)
    with open_run(tmp_path / "branch") as opened:
        assert entities_at(opened, 2)["urn"]["fields"] == {"cups": 7, "lid": "on"}
        assert opened.query("SELECT count(*) FROM events WHERE kind = 'new_fields'") == [(1,)]
    verdict = verdict_of(tmp_path / "branch")
    assert (verdict.holds, verdict.by_file) == (True, None)


def test_a_run_that_was_not_gone_on_with_is_checked_by_its_file_alone(teahouse, run):
    teahouse(LID)
    verdict = verdict_of(run)
    assert (verdict.problems, verdict.difference, verdict.holds) == ((), None, False)
    assert "Pot.lid: new since the run was written" in verdict.why
    assert "--file-only" in verdict.why


def test_a_damaged_file_is_found_before_the_field_comes(teahouse, run):
    teahouse(LID)
    with closing(sqlite3.connect(run / "run.sqlite")) as file, file:
        file.execute("UPDATE changes SET new = '100' WHERE path = '[\"cups\"]'")
    with pytest.raises(JournalError, match="is damaged"):
        resume(run)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["verify", "run", "--module", MODULE], "cells up to step 3"),
        (["verify", "run", "--file-only"], "hold: hashes, seals and states agree\n"),
        (["replay", "run", "--module", MODULE], "behind step 3"),
        (["blame", "run", "pot.lid"], "a script of the researcher"),
        (["blame", "branch", "pot.lid"], 'lid = "on" (created)'),
        (["blame", "branch", "pot.cups"], "pot.cups += 1"),
        (["story", "run", "pot"], "lid"),
        (["diff", "run", "branch"], ""),
        (["log", "run"], ""),
        (["export", "run", "--format", "csv", "--out", "tables"], ""),
        (["doctor", "run"], ""),
    ],
)
def test_what_reads_runs_reads_one_whose_fields_grew(teahouse, run, tmp_path, capsys, command, words):
    teahouse(LID)
    gone_on(run, 5)
    fork(run, 2, tmp_path / "branch").run(until=5).close()
    code = main(command)
    said = capsys.readouterr()
    assert (code, said.err) == (0, "")
    assert words in said.out


def test_pages_and_blame_tell_of_a_field_that_came_later(teahouse, run):
    teahouse(MILK)
    simulation = resume(run)
    simulation.world["pot"].milk.append("soy")
    simulation.run(until=5).close()
    with open_run(run) as opened:
        assert [(write.step, write.kind, write.new) for write in blame(opened, "pot.milk")][:1] == [
            (3, "outside", ["oat"])
        ]
        assert [write.new for write in blame(opened, "pot.milk[0]")] == ["oat"]
        assert "urn" in write_report(opened).read_text()


@pytest.mark.parametrize(
    ("now", "given", "words"),
    [
        ({"more": "lid: str"}, "lid='on'", "Pot has 'lid' besides"),
        ({"more": f"{LID}; spout: str"}, "spout='long'", "Pot has 'lid', 'spout' besides"),
    ],
)
def test_a_field_without_a_default_is_named_with_the_way_out(teahouse, run, capsys, now, given, words):
    teahouse(given=given, **now)
    _refused(run, capsys, words)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ("", "Pot has no field 'lid' any more"),
        ("cover: str = field('on')", "Pot has no field 'lid' any more and has 'cover' besides"),
    ],
)
def test_a_field_that_is_gone_is_named_with_the_way_out(teahouse, tmp_path, capsys, now, words):
    teahouse(LID)
    TEAHOUSES.make(tmp_path / "run").run(until=3).close()
    teahouse(now)
    _refused(tmp_path / "run", capsys, words)


def _refused(run, capsys, words):
    ways = (["resume", "run", "--steps", "4"], ["fork", "run", "--at", "1", "--out", "branch"])
    for command in ways:
        assert main([*command, "--quiet", "--module", MODULE]) == 1
        complaint = capsys.readouterr().err
        assert (words in complaint, "Go on with the code that wrote it" in complaint) == (True, True)
        assert complaint.count("\n") == 1
    with open_run(run) as opened:
        assert "pot" in entities_at(opened, 3)


def test_a_part_of_a_larger_run_keeps_the_fields_it_had(teahouse, run):
    teahouse(LID)
    with pytest.raises(JournalError, match="Pot has 'lid' besides"):
        continue_run(TEAHOUSES.make(), run)


@pytest.mark.long
def test_cells_in_processes_find_the_field(teahouse, run, capsys):
    teahouse(LID)
    resumed = ["resume", "run", "--steps", "6", "--quiet", "--module", MODULE, "--host", "process"]
    assert main([*resumed, "--require", "guarded"]) == 0
    assert scripted({}, 6) in capsys.readouterr().out
    assert verdict_of(run).holds
