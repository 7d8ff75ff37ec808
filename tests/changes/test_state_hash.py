"""The digest of a state: brought up to date by what changed, it is what a digest of everything would be."""

import random

import networkx as nx
import numpy as np
import pytest

from cave_sim import Entity, World, field
from cave_sim.determinism.canonical_json import from_json
from cave_sim.journal.rebuild import entities_of, state_hash


class Web(Entity):
    """A graph, a directed one, and something beside them."""

    ties: nx.Graph = field(nx.Graph())
    arrows: nx.DiGraph | None = field(None)
    count: int = 0


@pytest.fixture
def world():
    world = World(seed=1)
    world.add("web", Web(arrows=nx.DiGraph([(1, 2)])))
    world.state_hash()
    return world


def anew(world):
    """Return the digest of a state taken from nothing but its snapshot."""
    return World.restore(world.snapshot()).state_hash()


def test_the_digest_of_a_graph_written_part_by_part_is_that_of_the_whole(world):
    draws = random.Random(4)
    cells = (
        "web.ties.add_edge({a}, {b}, strength={x})",
        "web.ties.add_edge({a}, {b})\nweb.ties.edges[{a}, {b}]['strength'] = {x}",
        "if web.ties.has_edge({a}, {b}):\n    web.ties.remove_edge({a}, {b})",
        "if web.ties.has_edge({a}, {b}):\n    web.ties.remove_edge({a}, {b})\nweb.ties.add_edge({a}, {b}, late={x})",
        "if {a} in web.ties:\n    web.ties.remove_node({a})",
        "web.ties.add_node({a}, mood={x})",
        "web.ties.add_edge('n{a}', ({b}, 'x'), tag='é')",
        "web.ties.graph['title'] = '{x}'",
        "web.arrows.add_edge({a}, {b}, cost={x})",
        "if web.arrows.has_edge({a}, {b}):\n    web.arrows.remove_edge({a}, {b})",
        "web.count = {a}",
        "web.ties.add_edge({a}, {b}, strength={x})\nweb.ties.remove_node({a})\nraise ValueError('undone')",
        "web.ties.clear()",
        "import networkx\nweb.arrows = networkx.DiGraph([({a}, {b})])",
    )
    weights = [8, 4, 4, 2, 1, 2, 2, 1, 6, 3, 1, 3, 0.3, 0.5]
    for step in range(250):
        cell = draws.choices(cells, weights)[0].format(
            a=draws.randrange(9), b=draws.randrange(9), x=round(draws.random(), 2)
        )
        turn = world.execute(cell)
        assert turn.committed or "undone" in turn.error, turn.error
        if step % 3 == 0:
            kept = world.state_hash()
            assert kept == anew(world)


def test_a_number_that_only_the_standard_library_writes_is_digested_as_ever(world):
    world.execute("web.ties.add_edge(1, 2, weight=2 ** 70)\nweb.ties.add_edge(2, 3, weight=1e16)")
    assert world.state_hash() == anew(world)
    world.execute("web.ties.add_edge(4, 5, weight=1e22)")
    assert world.state_hash() == anew(world)
    world.execute("web.ties.remove_edge(1, 2)")
    assert world.state_hash() == anew(world)


def test_twins_with_graphs_go_their_own_ways(world):
    world.execute("web.ties.add_edge(1, 2)")
    world.state_hash()
    twin = world.fork()
    assert twin.state_hash() == world.state_hash()
    twin.execute("web.ties.add_edge(2, 3)")
    assert twin.state_hash() == anew(twin) != world.state_hash()


class Drawer(Entity):
    """A dict of anything."""

    inside: dict[str, object] = field({})


def test_a_dict_that_has_the_names_of_a_graphs_parts_is_told_from_the_same_in_another_order():
    parts = {"directed": 1, "edges": 2, "graph": 3, "nodes": 4}
    digests = set()
    for inside in (parts, dict(reversed(parts.items()))):
        world = World(seed=1)
        world.add("drawer", Drawer(inside=inside))
        digests.add(world.state_hash())
        assert anew(world) == world.state_hash()
    assert len(digests) == 2


class Columns(Entity):
    """Arrays, one of them not always there, beside a number."""

    one: np.ndarray = field(np.zeros(3))
    other: np.ndarray | None = field(None)
    count: int = 0


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.int16).reshape(3, 4)[:, ::2],
        np.zeros((0, 2)),
        np.array(7.5),
        np.array([True, False]),
        np.array(["é", "bob"]),
        np.array(["2012-06-01"], dtype="M8[D]"),
        np.array([1 + 2j], dtype=">c16"),
    ],
    ids=lambda array: f"{array.dtype} {array.shape}",
)
@pytest.mark.parametrize("count", [3, 2**70])
def test_an_array_is_digested_as_its_plain_data(array, count):
    world = World(seed=1)
    columns = world.add("columns", Columns(one=array, other=array, count=count))
    for _ in range(2):
        assert world.state_hash() == state_hash(entities_of(from_json(world.snapshot())))
        columns.other = None
