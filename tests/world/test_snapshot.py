"""A world as a whole: what a fork and a restored snapshot have, and what they do not share."""

import pytest

from cave_sim import World, WorldError
from cave_sim.world.snapshot import restore_into
from tests.policy import square


def test_a_fork_remembers_how_often_the_cells_of_an_agent_were_stopped():
    world = square.build()
    world.violations["ann"] = 2
    twin = world.fork()
    twin.violations["ann"] += 1
    assert (twin.violations, world.violations) == ({"ann": 3}, {"ann": 2})


def test_a_fork_has_the_tools_rules_dynamics_and_variables_of_its_parent():
    world = square.build()
    world.invariant("the shop stays open", lambda world: world["shop"].is_open)
    world.dynamics(lambda world: setattr(world["vault"], "treasury_cents", 7))
    world.execute("mine = [1, {'a': 2}]\nsame = mine", agent="ann")
    twin = world.fork()
    assert twin.execute("weather_of(1)", agent="ann").output == "'rain'"
    assert "shop stays open" in twin.execute("shop.is_open = False", agent="mayor").error
    assert twin.execute("mine.append(3)\nsame[-1]", agent="ann").output == "3"
    assert world.variables("ann")["mine"] == [1, {"a": 2}]
    twin.advance()
    assert (twin["vault"].treasury_cents, world["vault"].treasury_cents) == (7, 100_000)


def test_a_fork_in_the_middle_of_a_step_draws_as_its_parent_goes_on_to_draw():
    world = square.build()
    world.execute("rng.random()", agent="ann")
    world.rng("weather").random()
    twin = world.fork()
    cell = "rng.random()"
    assert world.execute(cell, agent="ann").output == twin.execute(cell, agent="ann").output
    assert world.rng("weather").random() == twin.rng("weather").random()


def test_a_fork_shares_no_container_with_its_parent():
    world = square.build()
    twin = world.fork()
    before = world.state_hash()
    twin.execute(
        "bob.notes.append('x')\nshop.stock['bread'] = 0\nbob.map.add_node('z')\nvault.grid[0] = 9", agent="mayor"
    )
    assert twin.state_hash() != before
    assert World.restore(world.snapshot()).state_hash() == world.state_hash() == before


def test_a_world_that_is_brought_back_draws_as_it_drew_then():
    world = square.build()
    state = world.snapshot()
    first = world.execute("rng.random()", agent="ann").output
    second = world.execute("rng.random()", agent="ann").output
    assert first != second
    restore_into(world, state)
    assert [world.execute("rng.random()", agent="ann").output for _ in range(2)] == [first, second]


@pytest.mark.parametrize("clock", [{"step_s": 60.0}, {"start": "2013-01-01T00:00"}])
def test_a_snapshot_of_a_world_with_another_clock_is_refused(clock):
    with pytest.raises(WorldError, match="does not fit"):
        restore_into(World(**clock), World().snapshot())


def test_an_invariant_is_asked_when_one_of_its_fields_is_touched():
    world, asked = square.build(), []
    world.invariant("looks", lambda world: asked.append(1) or True, touching=("mood",))
    asked.clear()
    world.execute("me.plan = 'walk'", agent="ann")
    assert asked == []
    world.execute("me.mood = 0.9", agent="ann")
    assert asked == [1]


def test_no_entity_takes_a_name_that_cells_know_already():
    with pytest.raises(WorldError, match="cells know something else by that name"):
        World().add("math", square.Shop())
