"""A part of a field that another process, or a merge, has landed is written to like any other from then on."""

from typing import Any

import pytest

from cave_sim import Entity, World, field
from cave_sim.world.apply_changes import apply_change, mirror_changes

FIELDS: dict[str, tuple[Any, Any, str, str]] = {
    "a list in a dict": (dict[str, list[int]], {}, "['k'] = [1]", "['k'].append(2)"),
    "a set in a dict": (dict[str, set[str]], {}, "['k'] = {'a'}", "['k'].add('b')"),
    "a dict in a dict": (dict[str, dict[str, int]], {"k": {}}, "['k'] = {'a': 1}", "['k']['b'] = 2"),
    "a list in a list": (list[list[int]], [], ".append([1])", "[0].append(2)"),
    "a dict in a list": (list[dict[str, int]], [{}], "[0] = {'a': 1}", "[0]['b'] = 2"),
    "deep in a list": (list[list[list[int]]], [], ".append([[1]])", "[0][0].append(2)"),
    "deep in a dict": (dict[str, list[list[int]]], {}, "['k'] = [[1]]", "['k'][0][0] = 2"),
    "in a tuple": (Any, {}, "['k'] = (1, [1])", "['k'][1].append(2)"),
    "any data": (Any, {}, "['k'] = [1, {2}]", "['k'].append(3)"),
    "deep in any data": (Any, {}, "['k'] = [1, {2}]", "['k'][1].add(3)"),
    "any data in a list": (list[Any], [], ".append({'a': [1]})", "[0]['a'].append(2)"),
    "a list that was written within": (
        dict[str, list[list[int]]],
        {"k": [[1]]},
        "['k'][0].append(2)",
        "['k'][0].pop()",
    ),
}


class Visitor(Entity):
    """Somebody who may write nothing but itself."""


def made(kind):
    annotation, start, _, _ = FIELDS[kind]
    shelf = type("Shelf", (Entity,), {"__annotations__": {"things": annotation}, "things": field(start)})
    world = World(seed=1)
    world.add("shelf", shelf())
    for name in ("ann", "bob"):
        world.add(name, Visitor())
    world.grant("ann", "*")
    world.state_hash()
    return world


def mirrored(world, kind, write):
    """Land a write as what a host's process reports."""
    turn = made(kind).execute(f"shelf.things{write}", agent="ann")
    mirror_changes(world, turn.changes)


def merged(world, _kind, write):
    """Land a write as what a batch merges."""
    (turn,) = world.execute_batch({"ann": f"shelf.things{write}"}).values()
    assert turn.committed


@pytest.mark.parametrize("land", [mirrored, merged])
@pytest.mark.parametrize("kind", FIELDS)
def test_what_is_written_to_a_part_that_landed_is_a_change(kind, land):
    world, (_, _, landing, later) = made(kind), FIELDS[kind]
    land(world, kind, landing)
    mirror = made(kind)
    apply_all(mirror, world)
    denied = world.execute(f"shelf.things{later}", agent="bob")
    assert (denied.status, world.state_hash()) == ("blocked", mirror.state_hash())
    failed = world.execute(f"shelf.things{later}\n1 / 0", agent="ann")
    assert (failed.status, world.state_hash()) == ("failed", mirror.state_hash())
    turn = world.execute(f"shelf.things{later}", agent="ann")
    assert turn.committed
    assert turn.changes
    for change in turn.changes:
        apply_change(mirror, change)
    mirror.turns.state_hash.touch(turn.changes)
    assert mirror.state_hash() == world.state_hash() == World.restore(world.snapshot()).state_hash()


def apply_all(mirror, world):
    mirror["shelf"].things = world["shelf"].things
    mirror.turns.record_script_writes()
    assert mirror.state_hash() == world.state_hash()


@pytest.mark.parametrize("kind", FIELDS)
def test_dynamics_write_to_a_part_that_a_cell_left(kind):
    world, (_, _, landing, later) = made(kind), FIELDS[kind]
    cell = compile(f"shelf.things{later}", "dynamics", "exec")
    world.dynamics(lambda world: exec(cell, {"shelf": world["shelf"]}))
    merged(world, kind, landing)
    told = []
    world.sink = told.append
    world.advance()
    assert any(change.entity == "shelf" for turn in told for change in turn.changes)
    assert world.state_hash() == World.restore(world.snapshot()).state_hash()
