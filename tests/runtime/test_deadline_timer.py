"""The deadline ends what a cell runs, and never what lands or takes back what it did."""

import time

from tests.policy import square


def test_a_landing_that_is_slow_is_not_cut_short():
    world = square.build(deadline_s=0.1)

    def slow(world):
        ends = time.perf_counter() + 0.4
        while time.perf_counter() < ends:
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


def test_the_landing_of_a_turn_inside_another_is_not_cut_short_either():
    world, landings = square.build(deadline_s=0.1), []

    def slow(world):
        ends = time.perf_counter() + 0.3
        while landings and time.perf_counter() < ends:
            pass
        landings.append("whole")
        return True

    world.invariant("takes its time", slow)
    turn = world.execute("await team['ann'].run('me.mood = 0.9')", agent="mayor")
    assert (turn.status, world["ann"].mood) == ("timeout", 0.5)
    assert landings == ["whole", "whole"]
