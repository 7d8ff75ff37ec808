"""A world without gate and guards: what holds there all the same."""

import pytest

from cave_sim import World
from tests.world.market import Buyer, Stall

BROKEN = {
    "a type": ("me.mood = 'well'", "failed"),
    "a bound": ("me.mood = 7.0", "failed"),
    "a field of another's": ("stall.price_cents = 1", "blocked"),
    "a field that only methods write": ("me.purse_cents = 9", "blocked"),
    "a write before an error": ("import os\nme.mood = 0.25\nme.diary.append('x')\n1 / 0", "failed"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_types_permissions_and_rollback_of_fields_hold_without_gate_and_guards(name):
    world = World(policy="trusted")
    world.add("ann", Buyer())
    world.add("stall", Stall())
    before = world.state_hash()
    cell, status = BROKEN[name]
    turn = world.execute(cell, agent="ann")
    assert (turn.status, world.state_hash()) == (status, before)
    assert world.execute("import os\nos.sep", agent="ann").output == "'/'"  # there is no gate
