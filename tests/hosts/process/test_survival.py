"""Whatever becomes of the world process, nothing that was committed is lost and the run goes on."""

import os
import signal

import pytest

from cave_sim import WorldError
from cave_sim.hosts.process.host import ProcessHost, probe_here
from cave_sim.hosts.process.isolation_level import LEVELS, LOCAL, IsolationLevel


@pytest.fixture
def world(hosted):
    world = hosted()
    world.execute("me.mood = 0.75\nx = [1]", agent="ann")
    return world


def test_a_killed_world_process_comes_back_as_it_was(world):
    before, lost = world.state_hash(), world.host.lost
    told = []
    world.host.note = lambda kind, data: told.append((kind, data))
    os.kill(world.host._pid, signal.SIGKILL)
    skipped = world.execute("me.plan = 'a'", agent="ann")
    assert (skipped.status, world.state_hash()) == ("failed", before)
    assert world.execute("x.append(2)\n(me.mood, x)", agent="ann").output == "(0.75, [1, 2])"
    assert world.host.canonical_hash() == before
    assert (world.host.lost, [kind for kind, _ in told]) == (lost + 1, ["world_process_lost", "cell_skipped"])
    assert told[1][1]["agent"] == "ann"


def test_a_killed_keeper_is_started_anew(world):
    world.host._process.kill()
    world.host._process.wait()
    os.kill(world.host._pid, signal.SIGKILL)
    world.execute("1", agent="ann")
    assert world.execute("me.mood", agent="ann").output == "0.75"


def test_of_a_batch_only_the_poison_is_skipped(broken_in):
    world, told = broken_in
    poison = "# broken out\nimport os\nsaid = claim(('ann', ('plan',), 'set', '', 'hang'))"
    turns = world.execute_batch({"ann": poison, "bob": "me.plan = 'walk'"})
    assert [turn.status for turn in turns.values()] == ["committed", "committed"]
    os.kill(world.host._pid, signal.SIGKILL)
    turns = world.execute_batch({"ann": "me.mood = 0.5", "bob": "me.plan = 'run'"})
    assert {turn.status for turn in turns.values()} == {"committed"}
    assert told[0]["cells"].keys() == {"ann", "bob"}
    assert world["bob"].plan == "run"


def test_a_world_process_that_hangs_is_replaced_and_the_cell_is_skipped(world):
    os.kill(world.host._pid, signal.SIGSTOP)
    world.host._patience_s = lambda cells: -0.5
    try:
        turn = world.execute("me.plan = 'x'", agent="ann")
    finally:
        del world.host._patience_s
    assert (turn.status, world["ann"].plan) == ("failed", "")
    assert world.execute("me.plan = 'y'", agent="ann").committed


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
