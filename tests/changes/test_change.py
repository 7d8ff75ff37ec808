"""The changes of a turn say all that it did, and no more: kinds of numbers, orders, comings and goings."""

import json
import sys
import textwrap

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, field
from cave_sim.changes.plain_state import Fold
from cave_sim.determinism.canonical_json import to_json
from cave_sim.journal.rebuild import entities_of, state_hash
from cave_sim.journal.rows import rows_of_changes
from cave_sim.world.apply_changes import apply_change


class Shelf(Entity):
    """Holds one of everything that can be written in part."""

    number: int = field(0)
    anything: object = field(None)
    stock: dict[str, object] = field({"a": 1, "b": 2, "given": ([1], 2)})
    row: list[object] = field([1, 2, 3])
    tags: set[str] = field({"x"})
    roads: nx.Graph = field(nx.path_graph(3))
    boxes: dict[str, list[object]] = field({"a": [1], "b": []})
    cards: list[dict[str, int]] = field([{"a": 1}, {}])


def shelf():
    world = World()
    world.add("shelf", Shelf())
    world.add("other", Shelf())
    world.grant("ann", "*")
    world.state_hash()
    return world


def done(code):
    """Run a cell; return its turn, the world, and the world that its changes alone lead to."""
    world = shelf()
    twin = world.fork()
    turn = world.execute(code, agent="ann")
    assert turn.committed, turn.error
    for change in turn.changes:
        apply_change(twin, change)
    return turn, world, twin


def snapshot_of(world):
    """Return the entities of a world as plain data, in order."""
    return entities_of(json.loads(world.snapshot()))


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("shelf.stock['a'] = 1.0", ("stock", "a")),
        ("shelf.stock['a'] = True", ("stock", "a")),
        ("shelf.row[0] = 1.0", ("row",)),
        ("shelf.anything = 1\nshelf.anything = 1.0", ("anything",)),
        ("shelf.stock = {'a': 1.0, 'b': 2}", ("stock",)),
        ("shelf.stock['deep'] = [1]\nshelf.stock['deep'][0] = 1.0", ("stock", "deep")),
        ("shelf.roads.nodes[0]['height'] = 1.0", ("roads", "node", 0)),
    ],
)
def test_a_number_of_another_kind_is_a_change(code, path):
    turn, world, twin = done(code)
    assert [change.path for change in turn.changes] == [path]
    assert world.state_hash() == World.restore(world.snapshot()).state_hash()
    assert to_json(snapshot_of(world)) == to_json(snapshot_of(twin))


def test_a_plain_value_that_becomes_a_number_of_another_kind_is_a_change():
    world = shelf()
    world.execute("shelf.anything = 1", agent="ann")
    turn = world.execute("shelf.anything = 1.0", agent="ann")
    assert [(change.old, type(change.new)) for change in turn.changes] == [(1, float)]


WRITTEN_BACK = """
shelf.number = 5
shelf.number = 0
shelf.stock['a'] = 3
shelf.stock['a'] = 1
shelf.row.pop()
shelf.row.append(3)
shelf.tags.discard('x')
shelf.tags.add('x')
"""


KINDS = {
    "in a plain value": ("shelf.anything = [1]", "shelf.anything = [1.0]"),
    "deep in a dict": ("shelf.stock['a'] = [{'n': 1}]", "shelf.stock['a'] = [{'n': 1.0}]"),
    "deep in a list": ("shelf.row[0] = [1]", "shelf.row[0] = [True]"),
    "in a node": ("shelf.roads.nodes[0]['h'] = 1", "shelf.roads.nodes[0]['h'] = 1.0"),
    "deep in a node": ("shelf.roads.nodes[0]['h'] = [1]", "shelf.roads.nodes[0]['h'] = [1.0]"),
    "in an edge": ("shelf.roads.edges[0, 1]['h'] = 1", "shelf.roads.edges[0, 1]['h'] = 1.0"),
}


@pytest.mark.parametrize(("first", "second"), KINDS.values(), ids=KINDS)
def test_a_number_becomes_one_of_another_kind_wherever_it_stands(first, second):
    world = shelf()
    world.execute(first, agent="ann")
    world.state_hash()
    twin, fold = world.fork(), Fold(snapshot_of(world))
    turn = world.execute(second, agent="ann")
    for change, row in zip(turn.changes, rows_of_changes(turn), strict=True):
        apply_change(twin, change)
        fold.apply(*row[2:])
    assert len(turn.changes) == 1
    assert to_json(snapshot_of(world)) == to_json(snapshot_of(twin)) == to_json(fold.settle())
    assert world.state_hash() == World.restore(world.snapshot()).state_hash()


def test_what_is_written_back_is_no_change():
    turn, _, _ = done(WRITTEN_BACK)
    assert turn.changes == []


def test_the_old_value_of_a_change_is_that_before_the_turn():
    turn, _, _ = done("shelf.number = 5\nshelf.number = 6")
    assert [(change.old, change.new) for change in turn.changes] == [(0, 6)]


def test_growth_of_a_list_is_told_from_where_it_grew():
    turn, _, _ = done("shelf.row.append(4)\nshelf.row.append(5)")
    assert [(change.old, change.new) for change in turn.changes] == [
        ({"at": 3, "items": []}, {"at": 3, "items": [4, 5]})
    ]


@pytest.mark.parametrize(
    "code",
    ["shelf.stock['given'][0].append(4)", "shelf.stock['new'] = ([], 1)\nshelf.stock['new'][0].append(4)"],
)
def test_a_list_within_a_tuple_of_a_container_is_followed(code):
    turn, world, twin = done(code)
    assert turn.changes
    assert world.state_hash() == twin.state_hash() == World.restore(world.snapshot()).state_hash()
    assert world.state_hash() != shelf().state_hash()


def test_a_newcomer_is_one_change_with_all_that_it_has():
    turn, _, _ = done("new = Shelf()\nworld.add('third', new)\nnew.number = 7\nnew.stock['c'] = 1")
    assert [(change.op, change.path) for change in turn.changes] == [("create", ())]
    assert turn.changes[0].new["fields"]["number"] == 7


def test_one_who_leaves_is_told_as_it_was_before_the_turn():
    turn, _, _ = done("shelf.number = 7\nshelf.row.clear()\nshelf.stock['a'] = 9\nworld.remove('shelf')")
    assert [(change.op, change.entity) for change in turn.changes] == [("remove", "shelf")]
    fields, given = turn.changes[0].old["fields"], {"a": 1, "b": 2, "given": {"$tuple": [[1], 2]}}
    assert (fields["number"], fields["row"], fields["stock"]) == (0, [1, 2, 3], given)


REORDERED = {
    "a key that leaves and comes back": "del shelf.stock['a']\nshelf.stock['a'] = 1",
    "a dict in another order": "shelf.stock = {'b': 2, 'a': 1}",
    "a node that leaves and comes back": "shelf.roads.remove_node(0)\nshelf.roads.add_edge(0, 1)",
    "an edge that leaves and comes back": "shelf.roads.remove_edge(1, 0)\nshelf.roads.add_edge(1, 0)",
}


@pytest.mark.parametrize("code", REORDERED.values(), ids=REORDERED)
def test_another_order_alone_is_a_change_that_leads_to_that_order(code):
    _, world, twin = done(code)
    assert json.dumps(snapshot_of(twin)) == json.dumps(snapshot_of(world))


def test_a_fold_knows_nothing_of_one_who_left_when_another_comes_by_the_same_name():
    world = shelf()
    fold = Fold(snapshot_of(world))
    writes = "other.tags.add('z')\nother.roads.add_edge(0, 9)"
    for code in (writes, "world.remove('other')", "world.add('other', Shelf())"):
        turn = world.execute(code, agent="ann")
        assert turn.committed, turn.error
        for row in rows_of_changes(turn):
            fold.apply(*row[2:])
    assert fold.settle() == snapshot_of(world)


@pytest.mark.parametrize("looks", [True, False])
@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("tags.add('z')", "tags = {'x'}"),
        ("roads.add_edge(0, 9)", "roads = nx.path_graph(2)"),
        ("anything = {1: 2}\nshelf.anything[3] = 4", "anything = 5"),
        ("anything = {1: 2}\nshelf.anything[3] = 4", "anything = {6: 7}"),
    ],
)
def test_a_field_that_is_set_whole_keeps_nothing_of_what_was_written_in_part(part, whole, looks):
    world = shelf()
    fold = Fold(snapshot_of(world))
    for code in (part, whole, part):
        for row in rows_of_changes(world.execute(f"shelf.{code}", agent="ann")):
            fold.apply(*row[2:])
        if looks:
            assert fold.settle() == snapshot_of(world)
    assert fold.settle() == snapshot_of(world)


def test_a_scalar_that_a_fold_is_told_as_data_keeps_nothing_of_what_was_written_in_part():
    world = shelf()
    world.execute("shelf.anything = {1: 2}", agent="ann")
    fold = Fold(snapshot_of(world))
    for row in rows_of_changes(world.execute("shelf.anything[3] = 4", agent="ann")):
        fold.apply(*row[2:])
    fold.apply_data("shelf", ("anything",), "set", None, 5)
    assert fold.settle()["shelf"]["fields"]["anything"] == 5


ACTS = (
    "shelf.number = {n}",
    "shelf.anything = [{n}, {{'k': [{n}]}}]",
    "shelf.anything = {n}.0",
    "shelf.anything = [{n}.0, {{'k': [{n}.0]}}]",
    "shelf.stock = dict(reversed(list(shelf.stock.items())))",
    "shelf.stock['{k}'] = {n}",
    "shelf.stock['{k}'] = {n}.0",
    "shelf.stock.pop('{k}', None)",
    "shelf.row.append({n})",
    "shelf.row.insert(0, {n}.0)",
    "shelf.row[-1:] = [{n}, {n}]",
    "shelf.row.sort()",
    "shelf.tags.add('{k}')",
    "shelf.tags.discard('{k}')",
    "shelf.tags = {{'{k}', '{n}'}}",
    "shelf.roads = nx.path_graph({n} + 1)",
    "shelf.anything = {{{n}: '{k}', '{k}': {n}}}",
    "if type(shelf.anything) is dict: shelf.anything[{n}] = '{k}'",
    "shelf.roads.add_edge({n}, '{k}')",
    "shelf.roads.add_node({n}, height={n})",
    "shelf.roads.remove_nodes_from([{n}])",
    "shelf.roads.nodes[1]['{k}'] = {n}.0 if 1 in shelf.roads else 0",
    "shelf.boxes['{k}'].append({n})",
    "shelf.boxes['{k}'] = [{n}.0, {n}]",
    "shelf.boxes['{k}'] = shelf.boxes.pop('{k}')",
    "shelf.boxes['b'].append({n})\nshelf.boxes.pop('b')",
    "shelf.cards[-1]['{k}'] = {n}",
    "shelf.cards[0].pop('{k}', None)",
    "shelf.cards.append({{'{k}': {n}}})",
    "shelf.cards[0]['{k}'] = {n}\nshelf.cards.insert(0, shelf.cards.pop())",
    "shelf.stock['pair'] = ([{n}], {n})",
    "shelf.stock['pair'][0].append({n})",
    "shelf.stock['given'][0].append({n})",
    "shelf.row[-1][0].append({n}) if type(shelf.row[-1]) is tuple else shelf.row.append(([{n}], {n}))",
    "shelf.stock['deep'] = [([{n}],), {{'k': ([],)}}]",
    "shelf.stock['deep'][0][0].append({n})\nshelf.stock['deep'][1]['k'][0].append({n})",
    "world.remove('other') if 'other' in world else world.add('other', Shelf(number={n}))",
    "other = world['other'] if 'other' in world else None\nif other: other.row.append({n})",
)
CELLS = st.lists(
    st.builds(lambda act, n, k: act.format(n=n, k=k), st.sampled_from(ACTS), st.integers(0, 4), st.sampled_from("abx")),
    min_size=1,
    max_size=8,
)


@given(st.lists(CELLS, min_size=1, max_size=3), st.booleans())
def test_changes_applied_to_a_copy_and_folded_in_plain_data_lead_to_the_same_state(cells, looks):
    world = shelf()
    twin, fold = world.fork(), Fold(snapshot_of(world))
    for acts in cells:
        tries = (textwrap.indent(act, "    ") for act in acts)
        cell = "\n".join(f"try:\n{act}\nexcept KeyError:\n    pass" for act in tries)
        turn = world.execute(cell, agent="ann")
        for change, row in zip(turn.changes, rows_of_changes(turn), strict=True):
            apply_change(twin, change)
            fold.apply(*row[2:])
        if looks:  # what is read in between changes nothing of what comes
            assert to_json(fold.settle()) == to_json(snapshot_of(world))
    true = to_json(snapshot_of(world))
    assert to_json(snapshot_of(twin)) == true
    assert to_json(fold.settle()) == true
    assert world.state_hash() == World.restore(world.snapshot()).state_hash() == state_hash(fold.entities)


def test_two_that_differ_in_class_alone_have_different_digests():
    class Rack(Shelf):
        pass

    worlds = []
    for kind in (Shelf, Rack):
        world = World()
        world.add("thing", kind())
        worlds.append(world)
    assert worlds[0].state_hash() != worlds[1].state_hash()


def test_a_digest_tells_the_orders_of_a_dict_apart_and_not_how_they_came_to_be():
    one, other, same = shelf(), shelf(), shelf()
    one.execute("shelf.stock = {'a': 1, 'b': 2}", agent="ann")
    other.execute("shelf.stock.clear()\nshelf.stock['b'] = 2\nshelf.stock['a'] = 1", agent="ann")
    same.execute("shelf.stock = {'b': 3, 'a': 1, 'c': 1}\nshelf.stock['b'] -= 1\ndel shelf.stock['c']", agent="ann")
    assert one.state_hash() != other.state_hash() == same.state_hash()


def test_whoever_left_leaves_nothing_in_the_digest():
    world = shelf()
    world.remove("other")
    assert world.state_hash() == World.restore(world.snapshot()).state_hash()


def calls_of(code, count):
    """Return how many calls a turn makes on a shelf with so many things in each of its containers."""
    world = shelf()
    numbers = range(1_000, 1_000 + count)  # beyond those that Python keeps one object of
    own = world["shelf"]
    own.row, own.stock = [*numbers], {f"n{number}": number for number in numbers}
    own.boxes, own.cards = {f"n{number}": [1] for number in numbers}, [{"n": 1} for _ in numbers]
    world.execute(code, agent="ann")
    made = 0

    def note(frame, event, argument):
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        turn = world.execute(code, agent="ann")
    finally:
        sys.setprofile(None)
    assert turn.committed, turn.error
    return made


@pytest.mark.parametrize(
    "code",
    [
        *("shelf.row[5] += 1", "shelf.row.append(1)", "del shelf.row[3]", "shelf.stock['n1001'] += 1"),
        *("shelf.stock['new'] = 1", "shelf.cards[3]['n'] += 1", "shelf.boxes['n1001'].append(5)"),
        "shelf.boxes['n1001'].append(5)\nshelf.cards.append({'n': 2})",
    ],
)
def test_what_a_write_costs_does_not_grow_with_what_lies_beside_it(code):
    assert calls_of(code, 2_000) < calls_of(code, 20) + 50
