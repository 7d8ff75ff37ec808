"""A live part of an entity among variables is live again when the turn that parted the two is undone."""

import pytest

from cave_sim import World
from tests.policy import square

FAILING = "\n1 / 0"
PARTS = {
    "list": ("part = me.notes", "part.append('lost')\nme.notes = ['new']", "part is me.notes", "part.append('x')"),
    "dict": ("part = me.counts", "me.counts = {}", "part is me.counts", "part['x'] = 1"),
    "set": ("part = me.tags", "me.tags = {'new'}", "part is me.tags", "part.add('x')"),
    "references": ("part = me.friends", "me.friends = []", "part is me.friends", "part.append(me)"),
    "graph": ("part = me.map", "me.map = nx.Graph()", "part is me.map", "part.add_edge(7, 8)"),
    "node": ("part = me.map.nodes[0]", "me.map = nx.Graph()", "part is me.map.nodes[0]", "part['x'] = 1"),
    "edge": ("part = me.map.edges[0, 1]", "me.map = nx.Graph()", "part is me.map.edges[1, 0]", "part['x'] = 1"),
    "within a list": (
        "me.memory = [[1], [2]]\npart = me.memory[1]",
        "part.append('lost')\nme.memory = None",
        "part is me.memory[1]",
        "part.append(3)",
    ),
    "within a dict": (
        "me.memory = {'a': {'b': [1]}}\npart = me.memory['a']['b']",
        "me.memory = {'a': {'b': [1]}}",
        "part is me.memory['a']['b']",
        "part.append(3)",
    ),
    "in an object": (
        "class Box: pass\nbox = Box()\nbox.of = part = me.notes",
        "me.notes = []\nme.notes = ['more']",
        "part is me.notes and box.of is part",
        "part.append('x')",
    ),
    "of who is removed": ("part = shop.stock", "world.remove('shop')", "part is shop.stock", "part['x'] = 1"),
    "of who is removed, deeper": (
        "part = vault.entries[0]",
        "world.remove('vault')",
        "part is vault.entries[0]",
        "part['paid'] = 2",
    ),
    "of who is removed and set anew": (
        "part = shop.guests",
        "shop.guests = []\nworld.remove('shop')",
        "part is shop.guests",
        "part.append('x')",
    ),
}


@pytest.mark.parametrize("kind", PARTS)
def test_it_is_the_part_that_it_was(kind):
    made, parted, same, written = PARTS[kind]
    world = square.build()
    world.grant("ann", "*")
    assert world.execute(made, agent="ann").committed
    before = world.state_hash()
    assert world.execute(parted + FAILING, agent="ann").status == "failed"
    assert world.state_hash() == before
    again = World.restore(world.snapshot())
    for each in (world, again):
        turn = each.execute(f"assert {same}\n{written}\nassert {same}", agent="ann")
        assert (turn.status, turn.error) == ("committed", None)
        assert each.state_hash() != before
    assert (world.state_hash(), world.variables_hash()) == (again.state_hash(), again.variables_hash())


def test_what_a_turn_that_lands_parted_stays_apart():
    world = square.build()
    world.grant("ann", "*")
    assert world.execute("one, two = me.notes, shop.stock\nme.notes = []\nworld.remove('shop')", agent="ann").committed
    assert world.execute("print(one, two)", agent="ann").output == "['I am ann'] {'bread': 5, 'milk': 3}\n"
