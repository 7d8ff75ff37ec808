"""Code that has the whole of Python in a cell's process gets no further than its agent's own rights."""

import time
from pathlib import Path

import pytest

from cave_sim.changes.turn import Limits
from tests.hosts.process.break_ins import ENDING, LIES, NAMES, REACHING, SHAPES, SLOW, TOOLS
from tests.hosts.process.broken import SIGN
from tests.hosts.process.conftest import waiting
from tests.long_cases import cases

PATIENCE_S = 60.0
"""Far beyond any deadline, and beyond what a busy machine takes: whoever needs it hangs."""


def attack(world, code):
    """Run an attack; returns its turn, after making sure that all is as it was and goes on."""
    before, started = world.state_hash(), time.perf_counter()
    turn = world.execute(SIGN + code, agent="ann")
    assert time.perf_counter() - started < PATIENCE_S
    if not turn.committed:
        assert world.state_hash() == before
    assert world.host.canonical_hash() == world.state_hash()
    following = world.execute("me.mood = 0.25\nme.mood", agent="bob")
    assert (following.status, following.output) == ("committed", "0.25")
    assert world.retrieve("secret", agent="bob") == [1, 2]
    assert world.host.lost == world.host.lost_before
    return turn


def within(deadline_s, world):
    world.limits = Limits(deadline_s=deadline_s, ticks=world.limits.ticks)
    world.host.attach(world)


@pytest.fixture
def world(broken_in):
    world, _ = broken_in
    world.host.lost_before = world.host.lost
    return world


@pytest.mark.parametrize("code", REACHING.values(), ids=REACHING)
def test_nothing_outside_is_reached(world, code):
    turn = attack(world, f"{code}\n")
    assert not turn.committed
    assert not Path("escaped").exists()


@pytest.mark.long
@pytest.mark.parametrize("code", ENDING.values(), ids=ENDING)
def test_a_process_that_ends_or_will_not_end_costs_its_own_turn_alone(world, code):
    turn = attack(world, code)
    assert turn.status in ("failed", "blocked", "timeout")
    assert turn.error.count("\n") == 0


EVERY_LIE = LIES | TOOLS | SHAPES | NAMES
USUAL = {code for kind in (LIES, TOOLS, SHAPES, NAMES) for code in list(kind.values())[:7]}


@pytest.mark.parametrize("code", cases(EVERY_LIE.values(), lambda code: code not in USUAL), ids=EVERY_LIE)
def test_no_lie_is_kept_and_each_counts(broken_in, code):
    world, events = broken_in
    world.host.lost_before = world.host.lost
    turn = attack(world, code)
    assert turn.status == "blocked"
    assert [(event["reason"], event["strikes"]) for event in events] == [("forged", 1)]
    assert world["vault"].treasury_cents == 100_000
    assert world["ann"].money_cents == 1000


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("code", SLOW.values(), ids=SLOW)
def test_what_takes_too_long_to_do_again_ends_at_the_deadline_and_counts(broken_in, code):
    world, events = broken_in
    world.host.lost_before = world.host.lost
    within(0.3, world)
    turn = attack(world, code)
    assert turn.status == "timeout", turn.error
    assert [event["reason"] for event in events] == ["late"]
    assert events[0]["strikes"] == 1


def test_the_tool_of_an_agent_is_there_for_itself(broken_in):
    world, _ = broken_in
    assert world.execute("mint(ann, 5)", agent="mayor").committed
    assert world["ann"].money_cents == 1005
    assert world.host.canonical_hash() == world.state_hash()


def test_honest_words_of_a_broken_process_are_taken_within_its_rights(world):
    turn = attack(world, "said = claim(('ann', ('mood',), 'set', 0.1, 0.75))")
    assert turn.changes[0][2:] == ("set", 0.5, 0.75)


def test_three_lies_suspend_an_agent_and_nobody_else(broken_in):
    world, told = broken_in
    for _ in range(3):
        assert "does not fit" in world.execute(SIGN + LIES["a vault"], agent="ann").error
    assert "suspended" in world.execute("1", agent="ann").error
    assert world.execute("1", agent="bob").committed
    assert [each["reason"] for each in told] == ["forged"] * 3 + ["suspended"]
    assert all(len(each["cell"]) == 24 and each["agent"] == "ann" for each in told)


def test_a_reach_outside_is_told_with_agent_reason_and_cell(broken_in):
    world, told = broken_in
    world.execute(SIGN + REACHING["fork"], agent="ann")
    assert [(each["kind"], each["agent"], each["reason"]) for each in told] == [("cell_stopped", "ann", "tripwire")]


def test_no_process_stays_behind(broken_in):
    world, _ = broken_in
    within(0.3, world)
    world.execute(SIGN + REACHING["go on after hanging up"], agent="ann")
    waiting(world)  # for the next cell, and no other process is there
    world.execute(SIGN + ENDING["sleep"], agent="ann")
    waiting(world, 2)
