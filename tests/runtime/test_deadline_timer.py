"""The deadline ends what a cell runs, and never what lands or takes back what it did."""

import gc
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.policy import square


@pytest.mark.long
def test_a_landing_that_is_slow_is_not_cut_short():
    world = square.build(deadline_s=0.1)

    def slow(world):
        ends = time.thread_time() + 0.4
        while time.thread_time() < ends:
            pass
        return True

    world.invariant("takes its time", slow)
    assert world.execute("me.mood = 0.9", agent="ann").committed
    assert world["ann"].mood == 0.9


def test_a_method_of_the_world_that_a_cell_calls_is_ended_with_it():
    world = square.build(deadline_s=0.2, ticks=10**9)
    turn = world.execute("me.mood = 0.9\nwhile True:\n    me.cheer()", agent="ann")
    assert (turn.status, world["ann"].mood) == ("timeout", 0.5)


def test_the_turn_after_one_that_ran_into_its_deadline_has_all_of_its_own():
    world = square.build(deadline_s=0.2, ticks=10**9)
    assert world.execute("while True:\n    pass", agent="ann").status == "timeout"
    assert world.execute("me.mood = 0.9", agent="ann").committed


@pytest.mark.long
def test_an_end_that_comes_while_python_clears_up_is_not_lost(monkeypatch):
    """What a callback of the collector raises is printed and forgotten, so a ring there waits for the next."""
    lost, rounds = [], []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    def slow(phase, info):
        ends = time.thread_time() + 0.3
        while phase == "start" and time.thread_time() < ends and len(rounds) < 3:
            pass
        rounds.append(phase)

    world = square.build(deadline_s=0.1, ticks=10**9)
    gc.callbacks.append(slow)
    try:
        turn = world.execute("kept = []\nwhile True:\n    kept.append([])", agent="ann")
    finally:
        gc.callbacks.remove(slow)
    assert (turn.status, len(rounds) > 0, lost) == ("timeout", True, [])


def test_the_landing_of_a_turn_inside_another_is_not_cut_short_either():
    world, landings = square.build(deadline_s=0.1), []

    def slow(world):
        ends = time.thread_time() + 0.3
        while landings and time.thread_time() < ends:
            pass
        landings.append("whole")
        return True

    world.invariant("takes its time", slow)
    turn = world.execute("await team['ann'].run('me.mood = 0.9')", agent="mayor")
    assert (turn.status, world["ann"].mood) == ("timeout", 0.5)
    assert landings == ["whole", "whole"]


@pytest.mark.long
def test_a_machine_that_stands_still_for_longer_than_the_deadline_ends_no_turn(tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(
        "from tests.policy import square\n"
        "world = square.build(deadline_s=2, ticks=10**9)\n"
        "print('ready', flush=True)\n"
        "turn = world.execute('n = 0\\nwhile n < 200_000:\\n    n += 1\\nme.mood = 0.9', agent='ann')\n"
        "print(turn.status)\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd())
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGSTOP)
    time.sleep(3)
    process.send_signal(signal.SIGCONT)
    assert process.communicate(timeout=300)[0] == "committed\n"


def test_a_turn_that_waits_instead_of_computing_is_ended_all_the_same():
    world = square.build(deadline_s=0.05, ticks=10**9)
    waits = []
    world.interpreter.scope["wait"] = lambda: waits.append(time.sleep(0.2))
    assert world.execute("while True:\n    wait()", agent="ann").status == "timeout"
    assert len(waits) < 25


def test_a_function_of_a_cell_that_is_called_like_ours_is_ended_too():
    world = square.build(deadline_s=0.2, ticks=10**9)
    turn = world.execute("def take_turn():\n    while True:\n        sum(range(10**6))\ntake_turn()", agent="ann")
    assert turn.status == "timeout"
