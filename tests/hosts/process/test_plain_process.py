"""Plain cells share a process that is kept, and nothing can be told from it but the time that they take."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from cave_sim import Limits
from cave_sim.hosts.process.plain_cells import read_plain
from tests.hosts.process import careless
from tests.hosts.process.conftest import attached, children, name_of

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")


PATIENCE_S = 60.0
"""Far beyond what a busy machine takes."""


@pytest.fixture
def told(cafe):
    return cafe.told


@pytest.fixture
def world(cafe):
    return cafe.world


def kept(world):
    """Return the processes of plain cells that the world process has between turns."""
    return [pid for pid in children(world.host.pids[-1]) if name_of(pid) == "plain cells"]


def same_state(world):
    return world.host.canonical_hash() == world.state_hash()


def test_all_agents_plain_cells_have_one_process_and_no_other_cell_is_ever_run_there(world):
    assert world.execute("cafe.pour()", agent="ann").committed
    process = kept(world)
    assert len(process) == 1
    assert world.execute("me.mood = 0.25\nme.mood", agent="bob").output == "0.25"
    assert kept(world) == process
    assert world.execute("x = [cafe.pour() for _ in range(2)]\nx", agent="ann").output == "[2, 3]"
    assert world.execute("cafe.cups", agent="bob").output == "3"
    assert kept(world) == process  # and that of the other cell is gone
    assert same_state(world)


def test_a_name_that_an_agent_has_bound_is_its_own_code_and_kept_out(world):
    trap = "class Trap:\n    def pour(self):\n        return 'trapped'\n{} = Trap()\n'set'"
    assert world.execute(trap.format("cafe"), agent="ann").output == "'set'"
    assert world.execute("cafe.pour()", agent="ann").output == "'trapped'"
    assert kept(world) == []
    assert world.execute("cafe.pour()", agent="bob").output == "1"
    process = kept(world)
    assert world.execute("cafe.pour()", agent="ann").output == "'trapped'"
    assert world.execute("del cafe", agent="ann").committed
    assert world.execute("cafe.pour()", agent="ann").output == "2"  # not what the process was forked with
    assert kept(world) == process
    assert same_state(world)


def test_what_was_bound_when_the_process_was_forked_is_not_found_there_later(world):
    world.execute("class Trap:\n    def pour(self):\n        return 'trapped'\ncafe = Trap()", agent="ann")
    world.execute("cafe.pour()", agent="bob")  # forks it, with the trap among the variables of the fork
    world.execute("del cafe", agent="ann")
    assert world.execute("cafe.pour()", agent="ann").output == "2"


def test_variables_are_bound_and_read_there_as_anywhere_and_none_is_anothers(world, told):
    turns = [
        ("ann", "pin = 1234\nmood = me.mood\ncups = cafe.pour(2)\ncups", "2"),
        ("bob", "pin", None),
        ("bob", "pin = 7\npin += 1\npin", "8"),
        ("ann", "pin + cups", "1236"),
        ("ann", "cups = 'none'\nme.mood = 7", None),  # what was bound before an error is kept
        ("ann", "cups", "'none'"),
        ("bob", "cups", None),
        ("bob", "mood = 0.25\nbob.mood -= mood\nann.secret = pin", None),
        ("bob", "me.mood + mood", "0.75"),
    ]
    world.execute("cafe.cups", agent="ann")
    process = kept(world)
    for agent, code, output in turns:
        turn = world.execute(code, agent=agent)
        assert (turn.output, turn.committed) == (output or "", output is not None), code
    assert kept(world) == process
    assert world.variables("ann") == {"pin": 1234, "mood": 0.5, "cups": "none"}
    assert world.variables("bob") == {"pin": 8, "mood": 0.25}
    assert (told, same_state(world)) == ([], True)


def test_what_is_bound_there_is_found_by_other_cells_and_what_those_do_is_found_there(world):
    world.execute("n = cafe.pour()", agent="ann")
    assert world.execute("n = [n]\nm = 3\nn", agent="ann").output == "[1]"
    assert world.execute("m += 1\nm", agent="ann").output == "4"
    process = kept(world)
    assert world.execute("n = 5", agent="ann").committed  # takes the place of a list, which may share its parts
    assert world.execute("del m\n[n]", agent="ann").output == "[5]"
    assert "name 'm' is not defined" in world.execute("m + 1", agent="ann").error
    world.inject("m", 9, agent="ann")
    assert world.execute("m + n", agent="ann").output == "14"
    assert kept(world) == process


@pytest.mark.parametrize(
    "code", ["cafe = 1", "len = 1", "np = me.mood", "me = 1", "Guest = 1", "_x = 1", "x = 1\nx.real"]
)
def test_a_name_that_cells_know_already_is_not_bound_there(world, code):
    here = careless.build()
    one, other = (each.execute(code, agent="ann") for each in (world, here))
    assert (one.status, one.error) == (other.status, other.error)
    assert kept(world) == []
    assert world.variables("ann") == here.variables("ann")


def test_variables_that_are_too_large_together_are_refused_there_as_anywhere(cafe_host, told):
    world = careless.build()
    world.limits = Limits(deadline_s=1.0, stored_bytes=2_000)
    world = attached(cafe_host, world)
    assert world.execute("x = 'a' * 1_500", agent="ann").committed
    world.execute_batch({"bob": "x = 'a'", "ann": "y = 'b'"}, "simultaneous")
    assert world.execute("z = x + y", agent="ann").status == "failed"
    assert len(kept(world)) == 1
    assert world.execute("w = y + y\nw", agent="ann").output == "'bb'"
    assert sorted(world.variables("ann")) == ["w", "x", "y"]


@pytest.mark.parametrize("code", ["cafe.notes", "print(cafe.memory)", "cafe.served", "cafe.memory == cafe.notes"])
def test_what_is_no_single_value_is_computed_with_elsewhere(world, code):
    world.execute(code, agent="ann")
    assert kept(world) == []


def test_who_may_do_all_has_a_process_for_each_cell(world):
    assert world.execute("bob.mood = 0.75", agent="mayor").committed
    assert kept(world) == []


def test_rights_are_asked_there_and_what_failed_leaves_nothing(world):
    assert world.execute("bob.mood = 0.75", agent="ann").status == "blocked"
    assert world.execute("cafe.pour(3)\nme.mood = 7", agent="ann").status == "failed"
    assert len(kept(world)) == 1
    assert world.execute("cafe.cups", agent="bob").output == "0"
    assert same_state(world)


def test_it_follows_what_others_and_the_script_do(world):
    world.execute("cafe.pour()", agent="ann")
    world["bob"].secret = "new"
    world.advance()
    world.add("eve", careless.Guest(mood=0.1))
    world.execute_batch({"ann": "cafe.pour(2)", "bob": "[cafe.cups]"}, "simultaneous")
    turns = world.execute_batch({"ann": "cafe.cups", "bob": "me.secret", "eve": "me.mood"}, "simultaneous")
    assert {agent: turn.output for agent, turn in turns.items()} == {"ann": "3", "bob": "'new'", "eve": "0.1"}
    assert len(kept(world)) == 1
    assert same_state(world)


def test_what_methods_draw_is_what_they_draw_anywhere(world, told):
    here = careless.build()
    cells = [
        ("ann", "cafe.toss()"),
        ("ann", "x = cafe.toss()"),
        ("bob", "cafe.toss()\ncafe.toss()"),
        ("ann", "cafe.last"),
    ]
    for step in range(4):
        for agent, cell in cells[step % 2 :]:
            assert world.execute(cell, agent=agent).changes == here.execute(cell, agent=agent).changes
        batch = {"ann": "cafe.toss()", "bob": "cafe.last"}
        one, other = (each.execute_batch(batch, "simultaneous") for each in (world, here))
        assert {who: one[who].output for who in batch} == {who: other[who].output for who in batch}
        for each in (world, here):
            each.advance()
    assert world.host.canonical_hash() == here.state_hash()
    assert (told, len(kept(world))) == ([], 1)


PLACES = (
    *("me.mood", "ann.mood", "bob.secret", "cafe.cups", "cafe.last", "cafe", "ann", "cafe.notes", "cafe.nothing"),
    *("x", "y", "x", "y"),
)
VALUES = ("0", "1", "-0.25", "999999999999999", "'x'", '""', "True", "None", "-True", "-'x'")
CALLS = ("cafe.pour()", "cafe.pour({})", "cafe.pour(cups={})", "cafe.toss()", "cafe.toss({})", "cafe.missing({})")
OPERATORS = ("+", "-", "==", "!=", "<", ">=", "and", "or")
TARGETS = ("me.mood", "me.secret", "cafe.cups", "bob.mood", "x", "y", "x", "y")


def plain_cell(chance):
    """Return a cell of a few lines that names and numbers were drawn for."""

    def value():
        text = chance.choice(PLACES + VALUES)
        while chance.random() < 0.3:
            text += f" {chance.choice(OPERATORS)} {chance.choice(PLACES + VALUES)}"
        return text

    def line():
        result = chance.choice(
            [value(), chance.choice(CALLS).format(value()), f"{value()} if {value()} else {value()}"]
        )
        return chance.choice(
            ["{}", "print({})", f"{chance.choice(TARGETS)} {chance.choice('  +-').strip()}= {{}}"]
        ).format(result)

    branch = f"if {value()}:\n    {line()}\nelse:\n    {line()}"
    return "\n".join(chance.choice([line(), line(), branch]) for _ in range(chance.randint(1, 3)))


@pytest.mark.long
def test_drawn_plain_cells_come_to_the_same_there_and_here(world, told):
    here, chance = careless.build(), random.Random(5)
    careless.built[:] = [here]
    cells = [cell for cell in (plain_cell(chance) for _ in range(70)) if read_plain(cell) is not None]
    assert len(cells) > 50
    for number, cell in enumerate(cells):
        agent = ("ann", "bob")[number % 2]
        one, other = (each.execute(cell, agent=agent) for each in (world, here))
        assert (one.status, one.output, one.error) == (other.status, other.output, other.error), cell
        assert (one.changes, one.reads) == (other.changes, other.reads), cell
        assert repr(world.variables(agent)) == repr(here.variables(agent)), cell
        if number % 20 == 0:
            for each in (world, here):
                each.advance()
    assert world.host.canonical_hash() == here.state_hash()
    assert told == []


def test_one_that_something_ended_is_forked_again_and_its_cell_runs_once(world, told):
    world.execute("cafe.pour()", agent="ann")
    (process,) = kept(world)
    os.kill(int(process), signal.SIGKILL)
    assert world.execute("cafe.pour()", agent="ann").output == "2"
    assert told == [("cell_run_again", None)]
    assert world.execute("cafe.pour()", agent="bob").output == "3"
    assert same_state(world)


@pytest.mark.long
def test_a_method_that_hangs_costs_its_turn_a_deadline_and_the_next_goes_on(world, told):
    turn = world.execute("cafe.wait_for_ever()", agent="ann")
    assert (turn.status, told) == ("timeout", [("cell_stopped", "deadline")])
    assert world.execute("cafe.pour()", agent="ann").output == "1"
    assert same_state(world)


@pytest.mark.long
def test_the_time_that_it_takes_to_follow_what_landed_is_no_cells(cafe_host, told):
    world = careless.build()
    world.limits = Limits(deadline_s=0.1)
    world = attached(cafe_host, world)
    assert world.execute("cafe.pour()", agent="ann").output == "1"
    for number in range(24):
        world["cafe"].memory = [[number] * 150] * 120
        world.advance()
    turn = world.execute("cafe.pour()", agent="ann")
    assert (turn.output, turn.error, told) == ("2", None, [])
    cafe_host.detach()


def test_nobody_is_blamed_for_an_author_whose_method_counts_outside_of_the_world(world, told):
    cells = ["cafe.serve()", "x = [cafe.serve()]", "cafe.serve()", "cafe.serve()"]
    turns = [world.execute(cell, agent="ann") for cell in cells]
    assert [turn.status for turn in turns] == ["committed"] * 4
    assert (told, world.violations) == ([], {})
    assert kept(world) == []  # plain cells have processes of their own from now on
    assert same_state(world)


def test_it_ends_with_its_world_process(world, cafe_host):
    world.execute("cafe.pour()", agent="ann")
    (process,) = kept(world)
    cafe_host.attach(careless.build())
    cafe_host.canonical_hash()  # the world process before is gone by now, and the kernel ends what it had forked
    ended, due = False, time.monotonic() + PATIENCE_S
    while not ended and time.monotonic() < due:
        try:
            ended = "State:\tZ" in Path(f"/proc/{process}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            ended = True
    assert ended
