"""Variables in a batch: each cell sees them as they were at its start, and what it leaves is taken over as it lands."""

import pytest

from cave_sim import Entity, Limits, World, field
from cave_sim.determinism.random_streams import seeded_order
from cave_sim.runtime.graph.shape import check_shape


class Member(Entity):
    """Somebody."""

    plan: str = field("")


FIRST, SECOND = seeded_order(("ann", "bob"), 1, "merge", 0)


def made():
    world = World(seed=1)
    for name in ("ann", "bob", "dan"):
        world.add(name, Member())
    for name in ("ann", "bob"):
        world.grant(name, "*")
    return world


def run(first, second, *, world=None, **variables):
    """Have dan's variables written by two at once; returns the world."""
    world = world or made()
    if variables:
        assert world.execute("\n".join(f"{name} = {value}" for name, value in variables.items()), agent="dan").committed
    cells = {FIRST: first, SECOND: second}
    turns = world.execute_batch({name: f"t = await team['dan'].run({cell!r})" for name, cell in cells.items()})
    assert all(turn.committed for turn in turns.values())
    return world


def told(world, code):
    turn = world.execute(code, agent="dan")
    assert turn.error is None
    return turn.output


@pytest.mark.parametrize(
    ("first", "second", "asked", "expected"),
    [
        ("a = 1", "b = 2", "a, b", "(1, 2)"),
        ("a = 1", "a = 2", "a", "2"),
        ("x.append(2)", "b = list(x)", "x, b", "([1, 2], [1])"),
        ("z = x", "x = 7", "x, z", "(7, [1])"),
        ("x = 7", "z = x", "x is z, z", "(True, [1])"),
        ("z = y = x", "x = 7", "x, z, y is z", "(7, [1], True)"),
        ("z = [x, x]", "del x", "z, z[0] is z[1]", "([[1], [1]], True)"),
        ("z = [x]\ny = {'it': z}", "x = 7", "y, y['it'] is z", "({'it': [[1]]}, True)"),
        ("def f(): return x\nz = f", "x = 7", "z()", "7"),
        ("x.append(2)", "x.append(3)", "x", "[1, 3]"),
        ("del x", "z = x", "z", "[1]"),
    ],
)
def test_variables_of_one_agent_that_several_write_at_once(first, second, asked, expected):
    world = run(first, second, x="[1]")
    again = World.restore(world.snapshot())
    assert told(world, asked) == expected
    assert told(again, asked) == expected
    assert world.variables_hash() == again.variables_hash()


def test_objects_that_two_variables_share_go_on_without_the_first():
    world = made()
    world.execute("x = [1]\ny = x\nz = [y]", agent="dan")
    run("w = 1", "x = 7", world=world)
    assert told(world, "x, y, z, z[0] is y") == "(7, [1], [[1]], True)"


def test_what_a_turn_that_lost_did_to_variables_of_others_is_lost_and_its_own_stay():
    world = made()
    cells = {name: f"mine = 1\nteam['dan'].inject('of_{name}', [1])\ndan.plan = 'x'" for name in (FIRST, SECOND)}
    turns = world.execute_batch(cells)
    assert (turns[FIRST].status, turns[SECOND].status) == ("committed", "conflict")
    assert world.variable_types("dan") == {f"of_{FIRST}": "list"}
    assert world.execute("mine", agent=SECOND).output == "1"


def test_a_turn_within_a_cell_is_numbered_within_its_own():
    world = made()
    cell = "one = await team['dan'].run('1')\ntwo = await team['dan'].run('2')\n(one.id, one.parent, two.id)"
    turns = world.execute_batch({"ann": cell, "bob": cell})
    assert {turn.output for turn in turns.values()} == {"(1, 0, 2)"}
    assert world.execute(cell, agent="ann").output == "(1, 0, 2)"


def test_who_has_neither_entity_nor_variables_is_on_no_team():
    world = made()
    world.execute("1", agent="ghost")
    look = "'ghost' in team, 'ghost' in list(team)"
    assert world.execute(look, agent="ann").output == "(False, False)"
    world.execute("x = 1", agent="ghost")
    assert world.execute(look, agent="ann").output == "(True, True)"
    assert World.restore(world.snapshot()).execute(look, agent="ann").output == "(True, True)"


def test_a_turn_in_a_variable_is_plain_data():
    world = made()
    assert world.execute("t = await team['dan'].run(\"me.plan = 'p'\")\nt.changes[0].path", agent="ann").committed
    check_shape(world.interpreter.namespace("ann").data["t"])
    assert told_by_ann(world) == told_by_ann(World.restore(world.snapshot())) == "('plan',)"


def told_by_ann(world):
    return world.execute("t.changes[0].path", agent="ann").output


def test_a_turn_that_lost_and_had_added_somebody_forgets_it_beside_turns_in_variables():
    world = made()
    cell = "kid = world.add('kid', Member())\nt = await team['dan'].run(\"me.plan = 'p'\")"
    turns = world.execute_batch({"ann": cell, "bob": cell})
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict"]
    assert world.execute("kid is None", agent=SECOND).output == "True"


def test_two_who_wire_others_for_the_first_time_do_not_meet():
    world = made()
    world.add("eve", Member())
    cells = {"ann": "team['dan'].pause()", "bob": "team['eve'].pause()\nteam['eve'].rewire('rests')"}
    turns = world.execute_batch(cells)
    assert [turn.status for turn in turns.values()] == ["committed", "committed"]
    assert (world.wiring.paused, world.wiring.roles) == (["dan", "eve"], {"eve": "rests"})
    turns = world.execute_batch({"ann": "team['dan'].resume()", "bob": "team['ann'].pause()"})
    assert world.wiring.paused == ["ann", "eve"]
    turns = world.execute_batch(dict.fromkeys(("ann", "bob"), "team['dan'].rewire(me.id)"))
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict"]


def test_a_turn_whose_time_was_over_leaves_its_variables_as_they_were():
    world = made()
    world.limits = Limits(deadline_s=0.2, ticks=10**9)
    world.execute("x = [1]\ny = 1", agent="dan")
    turn = world.execute("y = 2\nwhile True:\n    x.append(len(x))", agent="dan")
    assert turn.status == "timeout"
    assert turn.output == "[the time was over: variables are as before this turn]\n"
    assert told(world, "x, y") == "([1], 1)"


def test_a_turn_that_ran_out_of_ticks_leaves_what_it_had_come_to():
    world = made()
    world.limits = Limits(ticks=1_000)
    assert world.execute("x = []\nwhile True:\n    x.append(1)", agent="dan").status == "timeout"
    assert int(told(world, "len(x)")) > 100
