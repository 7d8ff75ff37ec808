"""Children that something outside ends, and machines that stand still: the run comes to what it would have come to."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from cave_sim import open_run
from cave_sim.hosts.placement import isolated
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.verify import verify
from tests.hosts.process.conftest import children

TOWN = Recipe("town_day", {"seed": 5, "residents": 3})
STEPS = 40

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")


class Killer(threading.Thread):
    """Ends a cell's process at a random moment of every turn, and the world process of every fourth."""

    def __init__(self, host, world, seed):
        super().__init__(daemon=True)
        self.host, self.world, self.random = host, world, random.Random(seed)
        self.kills, self.going = 0, True

    def run(self):
        while self.going:
            turn = self.world.turns.last_id
            if not (cells := children(self.host.pids[-1])):
                continue
            time.sleep(self.random.random() * 0.01)
            victim = self.host.pids[-1] if self.kills % 4 == 3 else cells[0]
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                self.kills += 1
            while self.going and self.world.turns.last_id == turn:
                time.sleep(0.0005)


@pytest.mark.long
def test_a_run_whose_children_are_killed_over_and_over_comes_to_the_same(tmp_path):
    with closing(TOWN.make()) as undisturbed:
        undisturbed.run(until=STEPS)
        expected = undisturbed.state_hash
    with closing(TOWN.make(tmp_path / "run")) as simulation, isolated(simulation, TOWN) as host:
        killer = Killer(host, simulation.world, 1)
        killer.start()
        simulation.run(until=STEPS)
        killer.going = False
        killer.join()
    assert killer.kills >= 10
    assert simulation.state_hash == expected
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT count(*) FROM events WHERE kind = 'cell_run_again'")[0][0] > 0
        assert verify(run, TOWN.make).holds


@pytest.fixture
def world(hosted):
    world = hosted(ticks=10**9, deadline_s=5.0)
    world.host.events = []
    world.host.note = lambda kind, data: world.host.events.append((kind, data.get("reason")))
    return world


def kill_cells(world, times, number=signal.SIGKILL):
    """Start to end cells' processes as they come up, so many of them."""

    def kill():
        for _ in range(times):
            while not (cells := children(world.host.pids[-1])):
                time.sleep(0.001)
            os.kill(cells[0], signal.SIGSTOP)  # it does not end before the other signal comes
            time.sleep(0.02)
            os.kill(cells[0], number)
            with suppress(ProcessLookupError):
                os.kill(cells[0], signal.SIGCONT)
            while cells[0] in children(world.host.pids[-1]):
                time.sleep(0.001)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


LONG = "n = 0\nwhile n < 900_000:\n    n += len(range(n)) - n + 1\nme.mood = 0.9"


IS_DEAF = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
"""Whoever runs the tests with nohup has all their processes ignore that they were hung up."""


@pytest.mark.long
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.skipif(IS_DEAF, reason="ignored, as under nohup")),
    ],
)
def test_a_cell_that_was_killed_from_outside_runs_again(world, number):
    thread = kill_cells(world, 1, number)
    assert world.execute(LONG, agent="ann").committed
    thread.join()
    assert world.host.events == [("cell_run_again", None)]


def test_a_cell_that_was_killed_twice_fails_and_says_why_without_blame(world):
    thread = kill_cells(world, 2)
    turn = world.execute(LONG, agent="ann")
    thread.join()
    assert (turn.status, "something outside" in turn.error, world.violations) == ("failed", True, {})
    assert world.host.events == [("cell_run_again", None), ("cell_stopped", "killed")]
    assert world.execute("me.mood = 0.7", agent="ann").committed


def test_a_cell_that_needs_more_memory_than_it_may_have_is_not_run_again(world):
    assert "memory" in world.execute("[bytes(4_000_000) for _ in range(1_000)]", agent="ann").error
    assert ("cell_run_again", None) not in world.host.events


FROZEN = """
from tests.policy import square
from cave_sim.hosts.process.host import ProcessHost
world = square.build(deadline_s=2, ticks=10**9)
with ProcessHost("tests.policy.square:build") as host:
    host.attach(world)
    print(*reversed(host.pids), flush=True)
    print(world.execute(%r, agent="ann").status, host.lost)
"""


@pytest.mark.long
def test_a_whole_run_that_is_stopped_for_longer_than_the_deadline_ends_no_cell():
    process = subprocess.Popen([sys.executable, "-c", FROZEN % LONG], stdout=subprocess.PIPE, text=True)
    world_process, server = map(int, process.stdout.readline().split())
    while not (cells := children(world_process)):
        time.sleep(0.001)
    everybody = [process.pid, server, world_process, *cells]
    for pid in everybody:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(3)
    for pid in everybody:
        os.kill(pid, signal.SIGCONT)
    assert process.communicate(timeout=300)[0] == "committed 0\n"


@pytest.mark.long
def test_a_cell_that_waits_is_ended_long_after_its_deadline(broken_in):
    world, events = broken_in
    turn = world.execute("# broken out\nimport time\ntime.sleep(60)", agent="ann")
    assert (turn.status, [event["reason"] for event in events]) == ("timeout", ["deadline"])
    assert turn.duration_s > 5
