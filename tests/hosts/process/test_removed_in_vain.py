"""Whom a cell of a batch removed in vain is there in its variables, on either host: another turn of the batch won."""

import pytest

from cave_sim import World
from cave_sim.determinism.random_streams import seeded_order
from tests.policy import square

WRITES = "world['shop'].price_cents = 400"
"""What the one that comes first in the batch does; to remove the shop beside it is a conflict."""
REMOVED = "\nworld.remove('shop')"
KEPT = {
    "it": ("shop = world['shop']", "print(shop.price_cents)"),
    "in a list": ("xs = [1, world['shop']]", "print(xs[1].price_cents)"),
    "by name": ("d = {'it': world['shop']}", "print(d['it'].price_cents)"),
    "twice": ("one = world['shop']\ntwo = [one]", "print(one is two[0], two[0].price_cents)"),
    "in an object": (
        "class Box:\n    pass\nbox = Box()\nbox.it = world['shop']",
        "print(box.it.price_cents)",
    ),
    "in a function": ("it = world['shop']\ndef price():\n    return it.price_cents", "print(price())"),
    "as a default": ("def price(it=world['shop']):\n    return it.price_cents", "print(price())"),
    "in a closure": (
        "def made(it):\n    def price():\n        return it.price_cents\n    return price\nprice = made(world['shop'])",
        "print(price())",
    ),
    "in a tuple": ("pair = (world['shop'], 'a')", "print(pair[0].price_cents)"),
    "as a bound method": ("look = world['shop'].open", "look()\nprint(world['shop'].price_cents)"),
    "beside one of that name": (
        "old = world['shop']\nworld.remove('shop')\nworld.add('shop', Citizen())\nworld.remove('shop')",
        "print(old.price_cents)",
    ),
}


WINNER, LOSER = seeded_order(["ann", "bob"], square.build().seed, "merge", 0)


def batch(world: World, cell: str) -> list[str]:
    """Have one agent run a cell that loses to the other's; returns what became of both turns."""
    for agent in (WINNER, LOSER):
        world.grant(agent, "*")
    turns = world.execute_batch({LOSER: cell, WINNER: WRITES}, "simultaneous")
    return [turns[WINNER].status, turns[LOSER].status]


@pytest.mark.long
@pytest.mark.parametrize("kind", KEPT)
def test_whom_a_lost_turn_removed_is_the_one_of_the_world_as_it_landed(hosted, kind):
    keep, look = KEPT[kind]
    cell = keep if REMOVED.strip() in keep else keep + REMOVED
    here, there = square.build(), hosted()
    for world in (here, there):
        assert batch(world, cell) == ["committed", "conflict"]
        turn = world.execute(look, agent=LOSER)
        assert turn.output.split()[-1:] == ["400"], (turn.output, turn.error)
    assert here.variables_hash() == there.variables_hash()
    again = World.restore(here.snapshot())
    assert again.variables_hash() == here.variables_hash()
    assert again.execute(look, agent=LOSER).output == turn.output


def test_whom_a_turn_removed_that_landed_is_none(hosted):
    for world in (square.build(), hosted()):
        world.grant(LOSER, "*")
        cell = "it = world['shop']\nxs = [it]\nworld.remove('shop')"
        turns = world.execute_batch({LOSER: cell, WINNER: "1"}, "simultaneous")
        assert turns[LOSER].committed
        assert world.execute("print(it, xs)", agent=LOSER).output == "None [None]\n"


def test_whom_a_turn_removed_does_not_become_the_one_that_it_added_by_that_name(hosted):
    for world in (square.build(), hosted()):
        world.grant("ann", "*")
        cell = "old = world['shop']\nworld.remove('shop')\nnew = world.add('shop', Citizen())"
        assert world.execute(cell, agent="ann").committed
        assert world.execute("print(old, new.mood)", agent="ann").output == "None 0.5\n"
