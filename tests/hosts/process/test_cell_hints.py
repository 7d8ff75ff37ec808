"""What a cell is told of an attribute that what it holds does not have: the same wherever it runs."""

import pytest

from cave_sim import Entity, World
from tests.policy import square

TOLD = {
    "world.clock": "'World' object has no attribute 'clock'. It has: add, all, remove; entities by name, as"
    " world[name], and all names, as list(world). clock and rng stand beside it: clock.now, rng.random()",
    "world.agents": "clock and rng stand beside it",
    "world.alll('Citizen')": "Did you mean 'all'? It has: add",
    "world.ann": "'World' object has no attribute 'ann'. Write world['ann'].",
    "clock.nov": "object has no attribute 'nov'. Did you mean 'now'? It has: date, hour, now, step, text, time_s",
    "team.foo": "'Team' object has no attribute 'foo'. It has: spawn; agents by name, as team[name]",
    "team['ann'].aks('hm')": "Did you mean 'ask'? It has: ask, grant",
}
GUESSES = "print(hasattr(world, 'clock'), getattr(team, 'size', 3), getattr(clock, 'minute', None))"


def expect_told(world):
    for cell, told in TOLD.items():
        turn = world.execute(cell, agent="ann")
        assert (turn.status, told in turn.error) == ("failed", True), (cell, turn.error)
    assert world.execute(GUESSES, agent="ann").output == "False 3 None\n"


def test_what_stands_beside_a_world_in_a_cell_says_what_it_has():
    expect_told(square.build())


@pytest.mark.long
def test_a_cell_in_a_process_is_told_the_same(hosted):
    expect_told(hosted())


class Bare(Entity):
    """Has nothing."""


def test_an_entity_without_fields_says_that_it_has_none():
    world = World()
    world.add("ann", Bare())
    turn = world.execute("me.foo", "ann")
    assert "Bare 'ann' has no 'foo'. It has: nothing that cells may read or call" in turn.error
