"""Processes of cells are forked ahead, and nothing can be told from it but the time that they take."""

import os
import random
import signal
from pathlib import Path

import pytest

from cave_sim.hosts.process.host import ProcessHost
from tests.hosts.process import careless
from tests.hosts.process.conftest import attached, children, ends, name_of, waiting

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")


@pytest.fixture
def world(cafe):
    return cafe.world


@pytest.fixture
def told(cafe):
    return cafe.told


def same_state(world):
    return world.host.canonical_hash() == world.state_hash()


def test_one_waits_for_the_next_cell_and_ends_with_it_and_then_more_do(world):
    assert world.execute("x = [1]\nx", agent="ann").output == "[1]"
    (first,) = waiting(world)
    assert world.execute("x + [2]", agent="ann").output == "[1, 2]"
    assert first not in waiting(world, 2)
    assert ends(first)


def test_a_cell_finds_nothing_of_what_its_process_did_while_it_waited(world):
    here, answers = careless.build(), []
    for each in (here, world):
        assert each.execute("x = [1]", agent="ann").committed
        if each is world:
            waiting(world)
        answers.append(each.execute("[*team], random.random()", agent="operator").output)
    assert "ann" in answers[0]
    assert answers[0] == answers[1]


def test_for_a_batch_there_is_one_for_each_that_can_run_at_once(world):
    world.execute_batch({"ann": "x = [1]", "bob": "x = [2]", "mayor": "x = [3]"}, "simultaneous")
    assert len(waiting(world, 2)) == 2


def test_who_has_plain_cells_alone_has_none_forked(world):
    world.execute("cafe.pour()", agent="ann")
    assert [name_of(child) for child in children(world.host.pids[-1])] == ["plain cells"]


def test_it_knows_what_landed_after_it_was_forked(world, told):
    world.execute("x = [1]", agent="ann")
    waiting(world)
    world["bob"].secret = "new"
    world.inject("y", [7], agent="ann")
    world.execute("cafe.pour(2)", agent="bob")
    world.advance()
    world.add("eve", careless.Guest(mood=0.1))
    turn = world.execute("[x, y, cafe.cups, eve.mood]", agent="ann")
    assert (turn.output, turn.error) == ("[[1], [7], 2, 0.1]", None)
    assert world.execute("del x\n[me.secret]", agent="bob").status == "failed"
    assert world.execute("[me.secret]", agent="bob").output == "['new']"
    assert told == []
    assert same_state(world)


def test_what_an_agent_has_dropped_is_not_found_in_one_that_was_forked_before(world):
    world.execute_batch({"ann": "x = [1]", "bob": "x = [2]"}, "simultaneous")
    waiting(world, 2)
    assert world.execute("del x\n[1]", agent="ann").committed
    assert "name 'x' is not defined" in world.execute("[x]", agent="ann").error


def test_one_that_lies_far_behind_gives_way_to_another(world):
    world.execute("x = [1]", agent="ann")
    (first,) = waiting(world)
    for number in range(130):  # each has the clock and two fields change
        world["cafe"].last = number
        world["cafe"].notes = [str(number)]
        world.advance()
    assert world.execute("[x, cafe.last, cafe.notes]", agent="ann").output == "[[1], 129, ['129']]"
    assert ends(first)
    assert len(waiting(world)) == 1, "none of those that waited was of use, so no more are forked than before"
    assert same_state(world)


def test_one_that_something_ended_while_it_waited_costs_no_turn(world, told):
    world.execute("x = [1]", agent="ann")
    (process,) = waiting(world)
    os.kill(process, signal.SIGKILL)
    assert ends(process)
    assert world.execute("x + [2]", agent="ann").output == "[1, 2]"
    assert told == []


def test_where_there_is_room_for_none_ahead_cells_have_theirs_when_they_come():
    with ProcessHost("tests.hosts.process.crowded:build") as host:
        world = attached(host, careless.build())
        for number in range(3):
            assert world.execute(f"x = [{number}]\nx", agent="ann").output == f"[{number}]"
        assert host.lost == 0
        assert same_state(world)


def test_nobody_is_blamed_for_an_author_whose_method_counts_outside_of_the_world(world, told):
    world.execute_batch({"ann": "x = [1]", "bob": "x = [2]"}, "simultaneous")
    waiting(world, 2)
    turns = [world.execute("x = [cafe.serve()]", agent="ann") for _ in range(3)]
    assert [turn.status for turn in turns] == ["committed"] * 3
    assert (told, world.violations) == ([], {})
    waiting(world, 0)  # from now on
    assert same_state(world)


CELLS = (
    "x = [*globals_of_mine, cafe.toss()]",
    "x = [cafe.toss() for _ in range(2)]\nx",
    "seen = {'cups': cafe.cups, 'who': me.name}\nseen",
    "cafe.notes = [*cafe.notes[-2:], str(cafe.pour())]",
    "cafe.memory = {'by': me.name, 'draw': random.random()}\ncafe.memory",
    "sorted(seen.items())",
    "me.mood = round(random.random(), 3)\nsecrets = [me.mood]",
    "raise ValueError([1])",
    "bob.mood = 0.125 + 0 * len([1])",
    "del x",
    "[sen]",
    "y = [x]\nprnt(y)",
    "cafe.pour()",
    "me.mood = 0.5",
)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("seed", range(3))
def test_drawn_cells_come_to_the_same_there_and_here(world, told, seed):
    here, chance = careless.build(), random.Random(seed)
    for number in range(40):
        careless.built[:] = [here]
        if chance.random() < 0.3:
            cells = {agent: chance.choice(CELLS) for agent in ("ann", "bob", "mayor")}
            one, other = (each.execute_batch(cells, "simultaneous") for each in (world, here))
        else:
            agent, cell = chance.choice(("ann", "bob", "mayor")), chance.choice(CELLS)
            one, other = ({agent: each.execute(cell, agent=agent)} for each in (world, here))
        for agent in one:
            for part in ("status", "output", "error", "changes", "reads"):
                assert getattr(one[agent], part) == getattr(other[agent], part), one[agent].code
        if number % 7 == 0:
            for each in (world, here):
                each.advance()
                each.inject("globals_of_mine", [number], agent="ann")
                each["cafe"].last = number
    assert world.host.canonical_hash() == here.state_hash()
    assert told == []
