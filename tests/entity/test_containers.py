"""Lists, dicts, sets, graphs and arrays in fields: what they take, and how they come back when a turn fails."""

import json
import math

import numpy as np
import pytest

from cave_sim import Entity, SchemaError, World, field
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.values import LIMITS


class Box(Entity):
    """Holds containers."""

    row: list[int] = field([3, 1, 2])
    stock: dict[str, int] = field({"a": 1, "b": 2, "c": 3})
    tags: set[str] = field({"x", "y"})
    anything: object = field(None)
    grid: np.ndarray = field(np.zeros(8))


@pytest.fixture
def world():
    world = World()
    world.add("box", Box())
    world.grant("ann", "box")
    return world


def entities(world):
    """Return all that a world holds, as text: the order of keys counts."""
    return json.dumps(json.loads(world.snapshot())["entities"])


WRITES = {
    "growth and then a removal": "box.row.append(4)\nbox.row.append(5)\nbox.row.remove(3)",
    "removals, one after another": "box.row.pop(0)\nbox.row.pop(0)\nbox.row.append(9)",
    "a list in another order": "box.row.sort()\nbox.row.reverse()",
    "a list that is emptied": "box.row.clear()\nbox.row.insert(0, 7)",
    "a key that leaves": "del box.stock['a']",
    "a key that leaves and comes back": "del box.stock['a']\nbox.stock['a'] = 1",
    "the last key": "box.stock.popitem()\nbox.stock.pop('a')",
    "a dict that is emptied": "box.stock.clear()\nbox.stock['z'] = 1",
    "items of a set": "box.tags.discard('x')\nbox.tags.add('z')\nbox.tags.clear()",
    "items of a set that were there": "box.tags.add('x')\nbox.tags.discard('z')",
    "an array": "box.grid[0] = 5",
    "an array that is set anew": "box.grid[0] = 5\nbox.grid = np.ones(3)",
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_what_a_failed_turn_wrote_is_as_it_was_to_the_order_of_its_keys(write, world):
    before = entities(world)
    assert world.execute(f"{write}\n1 / 0", agent="ann").status == "failed"
    assert entities(world) == before


def test_an_array_that_a_failed_turn_wrote_is_not_in_the_hand_of_the_next(world):
    world.execute("box.grid[0] = 5\n1 / 0", agent="ann")
    turn = world.execute("box.grid[1] = 1\nbox.grid.sum()", agent="ann")
    assert turn.output == "np.float64(1.0)"
    assert world["box"].grid.tolist()[:2] == [0.0, 1.0]


def test_an_item_that_was_in_a_set_already_is_no_write(world):
    turn = world.execute("box.tags.add('x')\nbox.tags.discard('z')", agent="ann")
    assert turn.changes == []


def nested(depth):
    """Return a list so many lists deep."""
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_as_many_parts_and_levels_as_the_limits_say_are_kept_and_no_more():
    box = Box()
    box.anything = [0] * (LIMITS.nodes - 1)
    with pytest.raises(SchemaError, match="more than 20,000 parts"):
        box.anything = [0] * LIMITS.nodes
    box.anything = nested(LIMITS.depth)
    with pytest.raises(SchemaError, match="nested more than"):
        box.anything = nested(LIMITS.depth + 1)


def test_a_nan_that_stays_a_nan_is_no_change_of_an_array():
    codec = codec_of(np.ndarray)
    old = np.array([math.nan] * 3 + [0.0] * 9)
    new = old.copy()
    new[5] = 1.0
    assert codec.same(old, old.copy())
    assert codec.patch(old, new) == {"at": [5], "old": [0.0], "new": [1.0]}


@pytest.mark.parametrize("kind", ["?", "i1", "u2", "<i4", ">i4", "u8", "f2", "f4", "f8", ">f8"])
def test_a_patch_of_an_array_names_what_differs_bit_by_bit(kind):
    codec = codec_of(np.ndarray)
    old = np.zeros((4, 5), kind)
    new = old.copy()
    new[1, 2] = new[3, 4] = 1
    if new.dtype.kind == "f":
        new[0, 0] = -0.0
    at = [*([0] if new.dtype.kind == "f" else []), 7, 19]
    patch = json.loads(json.dumps(codec.patch(old, new)))
    assert patch["at"] == at
    assert codec.same(codec.apply(old, patch), new)
    assert not codec.same(old, new)


@pytest.mark.parametrize("kind", ["U3", "c8", "c16", "M8[s]", "S5"])
def test_arrays_of_other_kinds_are_told_apart_and_come_back_whole(kind):
    codec = codec_of(np.ndarray)
    old = np.zeros(6, kind)
    new = old.copy()
    new[2] = np.ones(1, kind)[0]
    assert not codec.same(old, new)
    assert codec.same(codec.apply(old, codec.patch(old, new)), new)


@pytest.mark.parametrize("kind", ["longdouble", "clongdouble"])
def test_numbers_that_are_others_on_each_machine_are_refused_with_the_way_out(kind):
    with pytest.raises(SchemaError, match="another one on each machine; use float64 or complex128"):
        Box(grid=np.zeros(3, kind))


def test_an_array_of_objects_is_not_read_from_a_file():
    data = {"dtype": "|O", "shape": [1], "base64": "AAAAAAAAAAA="}
    with pytest.raises(SchemaError, match="may not be read from a file"):
        codec_of(np.ndarray).restore(data)


def test_missing_says_what_it_is():
    assert repr(MISSING) == "MISSING"


@pytest.mark.parametrize("meanwhile", ["box.row.append(v)", "box.row.clear()", "box.row.reverse()"])
def test_a_list_that_is_written_to_by_what_sorts_it_fails_the_turn_as_it_does_in_python(meanwhile, world):
    turn = world.execute(f"box.row.sort(key=lambda v: ({meanwhile}, v)[1])", agent="ann")
    assert turn.error.endswith("ValueError: list modified during sort")
    assert world["box"].row == [3, 1, 2]
    assert world.execute("box.row.sort(key=lambda v: -v)\nbox.row", agent="ann").output == "[3, 2, 1]"
