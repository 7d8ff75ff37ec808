"""Birthdays with friends, and a weekly gathering: where a town has an almanac."""

import pytest

from cave_sim.agents.festivities import celebrate
from cave_sim.agents.mind import Perception
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulations.town_day import create
from cave_sim.worlds.town import Resident

SATURDAY_NOON, DAY = "2012-06-02T12:00", 48


def told(simulation, method):
    """Return who called a method of the almanac in a cell that landed, as far as the world has it."""
    return [turn.agent for turn in simulation if turn.status == "committed" and f"almanac.{method}(" in turn.code]


@pytest.fixture(scope="module")
def saturday():
    """Return the turns of a Saturday afternoon, and the world after it; somebody has their birthday."""
    simulation = create(seed=4, residents=12, step_s=1800, celebrations="yes", start=SATURDAY_NOON)
    almanac, people = simulation.world["almanac"], [each.id for each in simulation.world.all(Resident)]
    host = next(name for name in people if sum(_knows(simulation.world, name, other) for other in people) >= 3)
    almanac.birthdays["06-02"] = [host]
    turns = []
    simulation.world.sink = lambda turn, sink=simulation.world.sink: (turns.append(turn), sink(turn))
    simulation.run(until=22)
    return simulation.world, turns, host


def _knows(world, name, other):
    return name != other and world["town"].strength(name, other) >= 0.5


@pytest.mark.long
def test_people_gather_at_one_place_in_the_afternoon(saturday):
    _, turns, _ = saturday
    assert len(set(told(turns, "gather"))) >= 3


def test_friends_wish_whose_birthday_it_is_a_happy_one_and_each_once(saturday):
    world, turns, host = saturday
    wishers = told(turns, "congratulate")
    assert wishers
    assert len(wishers) == len(set(wishers)) == len(world["almanac"].wished)
    assert all(_knows(world, host, name) for name in wishers)


def test_who_is_not_there_or_has_no_birthday_is_not_congratulated():
    world = create(seed=4, residents=3, celebrations="yes").world
    one, other = [person.id for person in world.all(Resident) if person.id != "mayor"][:2]
    refused = world.execute(f"almanac.congratulate({other})", agent=one)
    assert "It is not the birthday" in refused.error
    world["almanac"].birthdays["06-01"] = [other]
    world[other].location = None
    assert "is not here" in world.execute(f"almanac.congratulate({other})", agent=one).error
    assert "There is no gathering here and now" in world.execute("almanac.gather()", agent=one).error


def test_nobody_writes_into_the_almanac_by_hand():
    world = create(seed=4, residents=2, celebrations="yes").world
    one = next(person.id for person in world.all(Resident) if person.id != "mayor")
    assert world.execute("almanac.birthdays['06-01'] = [me.id]", agent=one).status == "blocked"


def test_a_town_without_celebrations_has_no_almanac_and_perceives_none():
    world = create(seed=0, residents=2).world
    assert "almanac" not in world
    assert "occasions" not in world[next(person.id for person in world.all(Resident))].observe()


@pytest.mark.parametrize(
    ("hour", "cell"), [(16.0, ""), (17.6, "me.go(home_of_bob)"), (20.4, "me.go(home_of_bob)"), (20.6, "")]
)
def test_friends_set_out_for_a_birthday_in_time_and_not_when_it_is_over(hour, cell):
    party = {"what": "birthday", "of": "bob", "where": "home_of_bob", "from_h": 18.0, "until_h": 21.0, "wished": False}
    seen = {"me": {"name": "ann"}, "hour": hour, "here": None, "occasions": [party], "near": []}
    assert celebrate(Perception(seen, lambda: RandomStream(0))).splitlines()[-1:] == ([cell] if cell else [])
