"""A live part of a graph among variables is written one way, from whichever side it was come to, and after a stop."""

import pytest

from cave_sim import World
from tests.policy import square

MADE = {
    "as it was added": "me.map.add_edge(7, 8)\npart = me.map.edges[7, 8]",
    "from its other side": "me.map.add_edge(7, 8)\npart = me.map.edges[8, 7]",
    "added from its other side": "me.map.add_edge(8, 7)\npart = me.map.edges[7, 8]",
    "written from its other side": "me.map.add_edge(7, 8)\nme.map.edges[8, 7]['w'] = 1\npart = me.map[7][8]",
    "taken away and added anew": "me.map.remove_edge(0, 1)\nme.map.add_edge(1, 0)\npart = me.map.edges[0, 1]",
    "set whole": "me.map = nx.Graph([(8, 7), (7, 9)])\npart = me.map[9][7]",
    "between a number and its text": "me.map.add_edge('1', 1)\npart = me.map.edges[1, '1']",
    "between texts": "me.map.add_edge('b', 'a')\npart = me.map.edges['b', 'a']",
    "between pairs": "me.map.add_edge((1, 2), (0, 1))\npart = me.map.edges[(1, 2), (0, 1)]",
    "of a directed graph": "me.map = nx.DiGraph([(8, 7)])\npart = me.map.edges[8, 7]",
    "of a directed graph, both ways": (
        "me.map = nx.DiGraph([(8, 7), (7, 8)])\npart = [me.map.edges[8, 7], me.map[7][8]]"
    ),
    "a loop": "me.map.add_edge(1, 1)\npart = me.map.edges[1, 1]",
    "a node": "me.map.add_node((1, 'a'))\npart = me.map.nodes[1, 'a']",
}
LATER = """
for each in part if isinstance(part, list) else [part]:
    each['new'] = -0.0
print(part, me.map.edges(data=True))
"""


def live(cell: str, *, stopped: bool) -> tuple[list, list]:
    world, turns, hashes = square.build(), [], []
    for code in (cell, LATER, LATER):
        turns.append(world.execute(code, agent="ann"))
        hashes.append((world.state_hash(), world.variables_hash()))
        if stopped:
            world = World.restore(world.snapshot())
    return [(turn.status, turn.output, turn.error, turn.changes) for turn in turns], hashes


@pytest.mark.parametrize("cell", MADE.values(), ids=MADE)
def test_it_is_written_alike_after_a_stop(cell):
    turns, hashes = live(cell, stopped=False)
    assert {status for status, *_ in turns} == {"committed"}, turns
    assert live(cell, stopped=True) == (turns, hashes)


def test_an_edge_is_journaled_by_one_name_from_both_sides():
    world = square.build()
    world.execute("me.map.add_edge(1, '1')", agent="ann")
    cell = "me.map.edges['1', 1]['w'] = 1\nme.map[1]['1']['v'] = 2"
    for each in (world, World.restore(world.snapshot())):
        changes = each.execute(cell, agent="ann").changes
        assert [(change.path, change.new) for change in changes] == [(("map", "edge", 1, "1"), {"w": 1, "v": 2})]
