"""What is journaled is what was written: the changes of a turn, applied or folded, give the very state that is live."""

import itertools
import json
import textwrap

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, field
from cave_sim.changes.plain_state import Fold
from cave_sim.determinism.canonical_json import same_json, same_scalar, to_json
from cave_sim.journal.rebuild import entities_of
from cave_sim.journal.rows import rows_of_changes
from cave_sim.world.apply_changes import apply_change


class Chest(Entity):
    """Holds what is easily lost on the way to a file."""

    speed: float = field(0.0)
    anything: object = field(None)
    pairs: dict[str, object] = field({"a": 1, "b": 2})
    keyed: dict[int | float | str, int] = field({1: 10})
    row: list[object] = field([1, [2]])
    tags: set[object] = field({1, 5})
    whole: tuple[int, list[int]] = field((1, [2]))
    numbers: np.ndarray = field(np.zeros(16))
    names: np.ndarray = field(np.array(["ann", "bob"]))
    roads: nx.Graph = field(nx.path_graph(4))
    ways: nx.DiGraph = field(nx.path_graph(4, create_using=nx.DiGraph))

    def take_all(self):
        """Take the last of the row, then refuse."""
        self.row.pop()
        self.pairs.pop("b", None)
        self.roads.remove_node(0)
        raise ValueError("refused")


def chest():
    world = World()
    world.add("chest", Chest())
    world.grant("ann", "*")
    return world


def state_of(world):
    """Return the entities of a world as the text of their plain data, in order."""
    return to_json(entities_of(json.loads(world.snapshot())))


def neighbours_of(graph):
    """Return what iteration over a graph shows."""
    sources = {node: list(graph.pred[node]) for node in graph} if graph.is_directed() else {}
    return [(node, list(graph[node]), sources.get(node)) for node in graph]


def follow(cells):
    """Run cells; after each, the state must be the one that its changes lead to, in a twin, a fold, a restored world.

    Returns:
        The turns, and the world.
    """
    world = chest()
    twin, fold, turns = world.fork(), Fold(entities_of(json.loads(world.snapshot()))), []
    for cell in cells:
        turn = world.execute(cell, agent="ann")
        for change, row in zip(turn.changes, rows_of_changes(turn), strict=True):
            apply_change(twin, change)
            fold.apply(*row[2:])
        turns.append(turn)
        restored = World.restore(world.snapshot())
        assert state_of(world) == state_of(twin) == to_json(fold.settle()) == state_of(restored)
        for other in (twin, restored):
            for name in ("roads", "ways"):
                assert neighbours_of(getattr(other["chest"], name)) == neighbours_of(getattr(world["chest"], name))
        assert world.state_hash() == restored.state_hash() == twin.state_hash()
    return turns, world


ALIKE = {
    "a zero with a sign": ("chest.speed = 0.0", "chest.speed = -0.0"),
    "a zero with a sign, among other writes": ("chest.speed = 0.0", "chest.speed = -0.0; chest.row.append(1)"),
    "a zero with a sign in plain data": ("chest.anything = 0.0", "chest.anything = -0.0"),
    "a zero with a sign in a list": ("chest.row[0] = 0.0", "chest.row[0] = -0.0"),
    "a zero with a sign in a dict": ("chest.pairs['a'] = 0.0", "chest.pairs['a'] = -0.0"),
    "a zero with a sign in a node": ("chest.roads.nodes[0]['h'] = 0.0", "chest.roads.nodes[0]['h'] = -0.0"),
    "a zero with a sign in a graph": ("chest.roads.graph['h'] = 0.0", "chest.roads.graph['h'] = -0.0"),
    "a zero with a sign in an array": ("chest.numbers[3] = 0.0", "chest.numbers[3] = -0.0"),
    "no end in an array": ("chest.numbers[3] = 1.0", "chest.numbers[3] = float('inf')"),
    "texts in an array": ("len(chest.names)", "chest.names[1] = 'cid'"),
    "another kind in a tuple": ("chest.anything = (1, (2,))", "chest.anything = (1, (2.0,))"),
    "another kind in a list of lists": ("chest.row = [[1]]", "chest.row = [[True]]"),
    "another kind in a dict of dicts": ("chest.pairs = {'a': {'b': 1}}", "chest.pairs['a']['b'] = 1.0"),
    "another kind in a set": ("chest.tags = {1}", "chest.tags.discard(1); chest.tags.add(1.0)"),
    "another kind in a set, set anew": ("chest.tags = {1}", "chest.tags = {True}"),
    "another kind in a set of several kinds": ("chest.tags = {1, 'a'}", "chest.tags.remove(1); chest.tags.add(1.0)"),
    "another kind that a set is asked for": ("chest.tags = {1, 2}", "chest.tags.discard(1.0)"),
    "another kind of key": ("chest.keyed = {1: 2}", "del chest.keyed[1]; chest.keyed[1.0] = 2"),
    "another kind of key in front": ("chest.keyed = {1: 2, 3: 4}", "chest.keyed = {1.0: 2, 3: 4}"),
    "nothing in a graph": ("chest.roads.graph.clear()", "chest.roads.graph['k'] = None"),
    "nothing in a graph that held something": ("chest.roads.graph['k'] = 1", "chest.roads.graph['k'] = None"),
}


@pytest.mark.parametrize(("first", "second"), ALIKE.values(), ids=ALIKE)
def test_a_value_that_is_equal_and_not_the_same_is_a_change(first, second):
    (_, turn), _ = follow([first, second])
    assert turn.committed, turn.error
    assert turn.changes


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_scalars_are_alike_where_a_file_says_so(one, other):
    pairs = itertools.product((one, other, 0.0, -0.0, 0, 1, 1.0, True, False, None, ""), repeat=2)
    for left, right in pairs:
        alike = (type(left), repr(left)) == (type(right), repr(right))
        assert same_scalar(left, right) == same_json(left, right) == alike


ORDERS = {
    "a dict set anew": "chest.pairs = dict(reversed(chest.pairs.items()))",
    "a dict in plain data": "chest.anything = {'a': 1, 'b': 2}\nchest.anything = {'b': 2, 'a': 1}",
    "a neighbour that came first": "chest.roads.add_edge(3, 0)\nchest.roads.add_edge(1, 9)\nchest.roads.add_edge(0, 9)",
    "a neighbour from behind": "chest.roads.add_edge(3, 0)",
    "an edge before its nodes' order": "chest.roads.add_edges_from([(8, 9), (7, 8), (7, 9), (6, 9)])",
    "who leads to a node": "chest.ways.add_edge(3, 2)\nchest.ways.add_edge(0, 2)",
    "a node that comes back": "chest.ways.remove_node(1)\nchest.ways.add_edge(3, 1)\nchest.ways.add_edge(0, 1)",
    "an edge that comes back": "chest.roads.remove_edge(1, 0)\nchest.roads.add_edge(1, 0)",
    "an edge to itself": "chest.roads.add_edge(3, 3)\nchest.roads.add_edge(3, 0)\nchest.ways.add_edge(2, 2)",
    "attributes": "chest.roads.nodes[0].update(a=1, b=2)\ndel chest.roads.nodes[0]['a']\nchest.roads.nodes[0]['a'] = 1",
}


@pytest.mark.parametrize("code", ORDERS.values(), ids=ORDERS)
def test_order_is_journaled(code):
    for cells in ([code], code.split("\n"), [code, "chest.roads.remove_node(0)\nchest.ways.remove_node(0)"]):
        assert all(turn.committed for turn in follow(cells)[0])


FULL = """
chest.keyed = {1: 1, 2.5: 2}
chest.anything = [({'a': 1, 'b': 2},)]
chest.pairs['b'] = {'c': 1, 'd': 2}
chest.ways.add_edges_from([(3, 1), (0, 3)])
for attributes in (chest.roads.graph, chest.roads.nodes[0], chest.roads.edges[2, 3]):
    attributes.update(b=1, c=2)
"""
ORDERS_ALONE = {
    "keys": "chest.pairs['a'] = chest.pairs.pop('a')",
    "keys, all at once": "chest.pairs = dict(reversed(chest.pairs.items()))",
    "keys that are not texts": "chest.keyed[1] = chest.keyed.pop(1)",
    "keys in a tuple in a list": "chest.anything = [({'b': 2, 'a': 1},)]",
    "keys below a key": "chest.pairs['b'] = {'d': 2, 'c': 1}",
    "attributes of a node": "at = chest.roads.nodes[0]\nat['b'] = at.pop('b')",
    "attributes of an edge": "at = chest.roads.edges[2, 3]\nat['b'] = at.pop('b')",
    "attributes of a graph": "at = chest.roads.graph\nat['b'] = at.pop('b')",
    "neighbours": "chest.roads.remove_edge(1, 0)\nchest.roads.add_edge(1, 0)",
    "who leads to a node": "chest.ways.remove_edge(0, 1)\nchest.ways.add_edge(0, 1)",
    "whom a node leads to": "chest.ways.remove_edge(0, 1)\nchest.ways.add_edge(0, 1)",
    "nodes": "chest.ways.remove_node(2)\nchest.ways.add_edges_from([(1, 2), (2, 3)])",
}


@pytest.mark.parametrize("code", ORDERS_ALONE.values(), ids=ORDERS_ALONE)
def test_two_states_that_a_cell_can_tell_apart_by_an_order_alone_have_two_hashes(code):
    _, world = follow([FULL])
    before, content = world.state_hash(), plain_content(world)
    (_, turn), after = follow([FULL, code])
    assert turn.committed, turn.error
    assert plain_content(after) == content
    assert after.state_hash() != before
    assert world.execute(code, agent="ann").committed
    assert world.state_hash() == after.state_hash()  # however the digest was brought up to date


def plain_content(world):
    """Return what a chest holds, by comparisons that overlook every order of keys, nodes and neighbours."""
    held = world["chest"]
    both = held.roads, held.ways
    graphs = [(dict(each.nodes(data=True)), nx.to_dict_of_dicts(each), dict(each.graph)) for each in both]
    return held.anything, dict(held.pairs), dict(held.keyed), graphs


def test_the_usual_order_of_neighbours_is_not_written():
    world = chest()
    assert b"$order" not in world.snapshot()
    world.execute("chest.roads.add_edge(3, 0)", agent="ann")
    assert b"$order" in world.snapshot()


def test_a_digest_does_not_count_the_order_of_neighbours():
    worlds = []
    for edges in ("[(0, 2), (0, 3)]", "[(0, 3), (0, 2)]"):
        world = chest()
        world.execute(f"chest.ways.add_edges_from({edges})\nchest.roads.add_edge(3, 1)", agent="ann")
        worlds.append(world)
    one, other = worlds
    one["chest"].roads.remove_edge(3, 1)
    one["chest"].roads.add_edge(3, 1)
    one["chest"].ways.remove_edge(0, 2)
    one["chest"].ways.add_edge(0, 2)
    assert one.state_hash() == other.state_hash()


DIRECTED = {
    "an edge's attribute": "chest.ways.edges[1, 2]['w'] = 5",
    "through the row": "chest.ways[1][2]['w'] = 5",
    "while an edge comes": "chest.ways.edges[1, 2]['w'] = 5\nchest.ways.add_edge(0, 3)",
    "a new edge": "chest.ways.add_edge(3, 1, w=5)",
    "an edge both ways": "chest.ways.add_edge(2, 1, w=5)\nchest.ways.edges[1, 2]['w'] = 6",
    "an attribute that goes": "way = chest.ways.edges[1, 2]\nway['w'] = 5\ndel way['w']\nchest.ways.add_edge(0, 3)",
    "an edge that goes": "chest.ways.remove_edge(1, 2)",
}


@pytest.mark.parametrize("code", DIRECTED.values(), ids=DIRECTED)
def test_attributes_of_directed_edges_are_journaled(code):
    (turn,), _ = follow([code])
    assert turn.committed, turn.error
    assert turn.changes
    assert all(change.path[:2] != ("ways", "source") for change in turn.changes)


def test_a_directed_edge_is_journaled_by_its_own_ends():
    (turn,), _ = follow(["chest.ways.edges[1, 2]['w'] = 5"])
    assert [(change.path, change.old, change.new) for change in turn.changes] == [
        (("ways", "edge", 1, 2), {}, {"w": 5})
    ]


INSIDE = {
    "a list in a tuple": ("chest.anything = (1, [2])", "chest.anything[1].append(3)"),
    "a dict in a tuple in a dict": ("chest.pairs['a'] = (1, {'b': [2]})", "chest.pairs['a'][1]['b'].pop()"),
    "a list in a tuple in a list": ("chest.row.append(((1, [2]),))", "chest.row[-1][0][1][0] = 2.0"),
    "a set in a tuple": ("chest.anything = ({1},)", "chest.anything[0].add(2)"),
}


@pytest.mark.parametrize(("first", "second"), INSIDE.values(), ids=INSIDE)
class TestAContainerInATuple:
    def test_is_journaled(self, first, second):
        turns, _ = follow([first, second])
        assert all(turn.committed for turn in turns)
        assert turns[-1].changes

    def test_is_put_back_with_a_failed_turn(self, first, second):
        world = chest()
        world.execute(first, agent="ann")
        before = state_of(world)
        assert world.execute(f"{second}\n1 / 0", agent="ann").status == "failed"
        assert state_of(world) == before

    def test_takes_the_right_to_write_its_field(self, first, second):
        world = chest()
        world.execute(first, agent="ann")
        before = state_of(world)
        assert world.execute(second, agent="bob").status == "blocked"
        assert state_of(world) == before


FROZEN = {
    "a list of a node": ("chest.roads.nodes[0]['tags'] = [1]", "chest.roads.nodes[0]['tags'].append(2)"),
    "a dict of an edge": ("chest.ways.edges[0, 1]['d'] = {'a': [1]}", "chest.ways.edges[0, 1]['d']['a'].pop()"),
    "a set of a graph": ("chest.roads.graph['s'] = {1}", "chest.roads.graph['s'].add(2)"),
    "a list in a declared tuple": ("chest.whole = (1, [2])", "chest.whole[1].append(3)"),
    "a list of a node in a tuple": ("chest.roads.nodes[0]['t'] = (1, [2])", "chest.roads.nodes[0]['t'][1][0] = 3"),
}


@pytest.mark.parametrize(("first", "second"), FROZEN.values(), ids=FROZEN)
@pytest.mark.parametrize("agent", ["ann", "bob"])
def test_a_container_that_cannot_be_followed_is_frozen(first, second, agent):
    world = chest()
    assert world.execute(first, agent="ann").committed
    before = state_of(world)
    turn = world.execute(second, agent=agent)
    assert turn.status == "failed"
    assert "set the whole anew" in turn.error
    assert state_of(world) == before == state_of(World.restore(world.snapshot()))


def test_a_copy_of_a_graph_is_free_to_be_written():
    world = chest()
    cell = "chest.roads.nodes[0]['tags'] = [1]\nmine = chest.roads.copy()\nmine.nodes[0]['tags'].append(2)"
    assert world.execute(cell, agent="ann").committed
    assert world["chest"].roads.nodes[0]["tags"] == [1]


VALUES = ["(1, 2)", "{1: 'a'}", "{3, 1, 2}", "{(1, 2): 3}", "{'a': (1, {2: {3}})}", "[[], {}, ()]"]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("place", ["roads.nodes[0]", "ways.edges[0, 1]", "roads.graph"])
def test_an_attribute_comes_back_as_what_it_was(place, value):
    (turn,), world = follow([f"chest.{place}['k'] = {value}"])
    assert turn.committed, turn.error
    graph = getattr(World.restore(world.snapshot())["chest"], place.split(".")[0])
    data = {"nodes[0]": lambda: graph.nodes[0], "edges[0, 1]": lambda: graph.edges[0, 1], "graph": lambda: graph.graph}
    assert repr(data[place.split(".")[1]]()["k"]) == repr(eval(value))


ODD = {
    "a pair": "chest.roads.nodes[0][(1, 2)] = 3",
    "a number": "chest.roads.nodes[0][1] = 3",
    "a pair of the graph": "chest.roads.graph[(1, 2)] = 3",
    "half a letter": "chest.roads.nodes[0]['\\ud83d'] = 3",
    "half a letter as a value": "chest.roads.nodes[0]['a'] = '\\ud83d'",
    "half a letter as a node": "chest.roads.add_node('\\ud83d')",
    "half a letter in a node": "chest.ways.add_edge((1, '\\ud83d'), 2)",
    "a huge node": "chest.roads.add_node(2 ** 300)",
}


@pytest.mark.parametrize("code", ODD.values(), ids=ODD)
def test_an_odd_name_ends_the_turn_and_not_the_run(code):
    (turn, later), world = follow([code, "chest.speed = 1.0"])
    assert turn.status == "failed"
    assert turn.error
    assert later.committed
    assert world["chest"].speed == 1.0


REMOVALS = {
    "from a list": "chest.row.append(7)\nchest.row.pop(0)",
    "from a dict": "chest.pairs['c'] = 3\ndel chest.pairs['a']",
    "from a graph": "chest.roads.remove_node(3)\nchest.roads.add_node(9)",
    "from a list that only grew": "chest.row.append(7)",
    "from nothing": "pass",
}


@pytest.mark.parametrize("code", REMOVALS.values(), ids=REMOVALS)
def test_a_method_that_refuses_leaves_what_its_cell_had_done(code):
    tried = f"{code}\ntry:\n    chest.take_all()\nexcept ValueError:\n    chest.speed = 1.0"
    (turn,), world = follow([tried])
    assert turn.committed, turn.error
    expected = chest()
    expected.execute(f"{code}\nchest.speed = 1.0", agent="ann")
    assert state_of(world) == state_of(expected)
    world.execute(f"{code}\n1 / 0", agent="ann")
    assert state_of(world) == state_of(expected)


NUMBERS = st.sampled_from(["0", "1", "0.0", "-0.0", "1.0", "True", "False"])
ACTS = (
    "chest.speed = float({n})",
    "chest.anything = ({n}, [{n}, {{'k': ({n},)}}])",
    "chest.anything[1].append({n})",
    "chest.anything[1][1]['k'] = ([{n}],)",
    "chest.pairs = dict(reversed(chest.pairs.items()))",
    "chest.pairs['{k}'] = {{'{k}': {n}}}",
    "chest.pairs['{k}']['{k}'] = {n}",
    "chest.pairs.pop('{k}', None)",
    "chest.keyed[{n}] = 1",
    "chest.keyed.pop({n}, None)",
    "chest.row[0] = [{n}]",
    "chest.row.append(({n}, [{n}]))",
    "chest.row[-1][1].append({n})",
    "chest.row.pop()",
    "chest.tags.add({n})",
    "chest.tags.discard({n})",
    "chest.numbers[2] = {n}",
    "chest.roads.add_edge(int({n}), '{k}')",
    "chest.roads.add_edge('{k}', 3, w={n})",
    "chest.roads.nodes[1]['{k}'] = ({n}, [{n}])",
    "chest.roads.remove_node('{k}')",
    "chest.roads.remove_edge(1, '{k}')",
    "chest.roads.graph['{k}'] = None",
    "chest.roads.graph.pop('{k}', None)",
    "chest.roads = chest.roads.copy()",
    "chest.ways.add_edge('{k}', int({n}), w={n})",
    "chest.ways.edges['{k}', 1]['w'] = [{n}]",
    "chest.ways.add_edge(3, '{k}')",
    "chest.ways.remove_node('{k}')",
    "chest.ways.clear()",
    "chest.take_all()",
)
CELLS = st.lists(
    st.builds(lambda act, n, k: act.format(n=n, k=k), st.sampled_from(ACTS), NUMBERS, st.sampled_from("abx")),
    min_size=1,
    max_size=9,
)


def tried(cells):
    """Return the code of cells whose acts may fail each for itself."""
    attempt = "try:\n{}\nexcept Exception:\n    pass"
    return ["\n".join(attempt.format(textwrap.indent(act, "    ")) for act in acts) for acts in cells]


@given(st.lists(CELLS, min_size=1, max_size=3))
def test_any_cells_lead_to_the_state_that_their_changes_lead_to(cells):
    turns, _ = follow(tried(cells))
    assert all(turn.committed for turn in turns), [turn.error for turn in turns]
