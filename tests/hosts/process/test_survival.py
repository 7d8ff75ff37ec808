"""Whatever becomes of the world process, nothing that was committed is lost and the run goes on."""

import os
import resource
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from cave_sim import WorldError, open_run
from cave_sim.hosts.placement import isolated
from cave_sim.hosts.process.fork_server_client import probe_here
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.hosts.process.isolation_level import LEVELS, LOCAL, IsolationLevel
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from tests.hosts.process import careless


@pytest.fixture
def world(hosted):
    world = hosted()
    world.execute("me.mood = 0.75\nx = [1]", agent="ann")
    return world


def test_a_killed_world_process_comes_back_as_it_was_and_the_cell_runs_again(world):
    before, lost = world.state_hash(), world.host.lost
    events = []
    world.host.note = lambda kind, data: events.append(kind)
    os.kill(world.host.pids[-1], signal.SIGKILL)
    assert world.host.canonical_hash() == before
    os.kill(world.host.pids[-1], signal.SIGKILL)
    assert world.execute("x.append(2)\n(me.mood, x)", agent="ann").output == "(0.75, [1, 2])"
    assert (world.host.lost, events) == (lost + 2, ["world_process_lost"])


@pytest.mark.long
def test_a_cell_that_costs_two_world_processes_is_skipped(world):
    before, events = world.state_hash(), []

    def kill_the_next_too(kind, data):
        events.append((kind, data.get("agent")))
        if len(events) == 1:
            os.kill(world.host.pids[-1], signal.SIGKILL)

    world.host.note = kill_the_next_too
    os.kill(world.host.pids[-1], signal.SIGKILL)
    skipped = world.execute("me.plan = 'a'", agent="ann")
    assert (skipped.status, world.state_hash()) == ("failed", before)
    assert events == [("world_process_lost", None), ("world_process_lost", None), ("cell_skipped", "ann")]
    assert world.execute("me.plan = 'b'", agent="ann").committed


def test_a_process_that_is_killed_while_it_builds_the_world_is_started_once_more(tmp_path):
    factory = "tests.hosts.process.careless:build_unless_killed", {"kills": str(tmp_path)}
    (tmp_path / "one").touch()
    with ProcessHost(*factory, require="guarded") as host:
        assert host.attach(careless.build()).canonical_hash() == careless.build().state_hash()
    (tmp_path / "one").touch()
    (tmp_path / "two").touch()
    with pytest.raises(WorldError, match=r"no process could be started for .*build_unless_killed"):
        ProcessHost(*factory, require="guarded")


def test_where_no_process_can_be_forked_no_cell_is_to_blame_and_nothing_of_the_turn_is_kept(world):
    events = []
    world.host.note = lambda kind, data: events.append(kind)
    _, most = resource.prlimit(world.host.pids[-1], resource.RLIMIT_NOFILE)
    resource.prlimit(world.host.pids[-1], resource.RLIMIT_NOFILE, (1, most))
    hashes = []

    def act():
        for plan in ("walk", "run", "rest"):  # the process of the first may wait already
            hashes.append(world.state_hash())
            world.execute(f"class Own: pass\nme.plan = {plan!r}", agent="ann")

    with pytest.raises(WorldError, match="no process can be started: Too many open files"):
        act()
    assert (world.state_hash(), events) == (hashes[-1], [])


def test_a_killed_fork_server_is_started_anew(world):
    os.kill(world.host.pids[0], signal.SIGKILL)
    assert world.execute("me.mood", agent="ann").output == "0.75"


def test_of_a_batch_only_the_poison_is_skipped(broken_in):
    world, told = broken_in
    poison = "# broken out\nimport os\nsaid = claim(('ann', ('plan',), 'set', '', 'hang'))"
    turns = world.execute_batch({"ann": poison, "bob": "me.plan = 'walk'"})
    assert [turn.status for turn in turns.values()] == ["committed", "committed"]
    os.kill(world.host.pids[-1], signal.SIGKILL)
    turns = world.execute_batch({"ann": "me.mood = 0.5", "bob": "me.plan = 'run'"})
    assert {turn.status for turn in turns.values()} == {"committed"}
    assert told[0]["cells"].keys() == {"ann", "bob"}
    assert world["bob"].plan == "run"


def test_a_world_process_that_hangs_is_replaced_and_the_cell_runs_again(world):
    os.kill(world.host.pids[-1], signal.SIGSTOP)
    world.host._patience_s = lambda cells: -0.5
    world.host.note = lambda kind, data: world.host.__dict__.pop("_patience_s", None)
    assert world.execute("me.plan = 'x'", agent="ann").committed


@pytest.mark.long
def test_deadlines_ticks_and_memory_are_told_in_one_line(hosted):
    world = hosted(ticks=10**9, deadline_s=0.4)
    for code, status, words in [
        ("while True: pass", "timeout", "longer than 0.4 s"),
        ("sum(x * x for x in itertools.cycle([1]))", "timeout", "longer than 0.4 s"),
        ("[bytes(4_000_000) for _ in range(1_000)]", "failed", "memory"),
    ]:
        turn = world.execute(code, agent="ann")
        assert turn.status == status
        assert words in turn.error.splitlines()[-1]


def test_a_level_below_what_is_required_is_refused():
    with pytest.raises(WorldError, match="cells are only guarded here"):
        LOCAL.demand("isolated")
    IsolationLevel("isolated").demand("isolated")
    assert [LEVELS.index(name) for name in ("guarded", "contained", "isolated")] == [0, 1, 2]


def test_the_level_of_this_machine_is_found_out_by_trying():
    assert str(probe_here()).startswith("isolation level: ")


def test_a_factory_that_fails_says_why():
    with pytest.raises(WorldError, match="ZeroDivisionError"):
        ProcessHost("tests.hosts.process.test_survival:fails")


def fails():
    return 1 / 0


@pytest.mark.long
def test_a_run_that_stands_still_in_one_call_ends_here_by_itself_and_goes_on_in_processes(tmp_path):
    recipe, folder = Recipe("tests.hosts.process.stands_still", {}), tmp_path / "run"
    script = (
        "import sys; from cave_sim.replay.recipe import Recipe; Recipe(sys.argv[1], {}).make(sys.argv[2]).run(until=3)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, recipe.simulation, str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (1, "step 1")
    assert "line 5 of a cell keeps Python in one call" in ended.stderr
    with closing(resume(folder)) as simulation, isolated(simulation, recipe):
        simulation.run(until=3)
    with open_run(folder) as run:
        assert [turn.status for turn in run.turns() if turn.agent == "ann"] == ["committed", "timeout", "committed"]


def test_a_folder_whose_name_is_no_utf_8_keeps_nobody_from_being_sandboxed(tmp_path, monkeypatch):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    folder.mkdir()
    monkeypatch.chdir(folder)
    with ProcessHost("tests.policy.square:build") as host:
        assert host.level.name in LEVELS
