"""Glances: an observation whose parts are made when they are read."""

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field
from cave_sim.agents.scripted import ScriptedResident
from cave_sim.errors import PermissionDenied
from cave_sim.simulation.agents import Agent
from cave_sim.simulations import town_day
from cave_sim.world.glance import Glance, Sight, with_parts


class Watcher(Entity):
    """Sees a bell, and whoever else there is."""

    secret: str = field("mine", private=True)

    def observe(self):
        return self._sight().at_once()

    def _sight(self):
        return Sight(self, {"secret": lambda me: me.secret, "other": _other, "nested": lambda me: Sight(me, NAMED)})


class LoudWatcher(Watcher):
    """Tells more at once, and nothing in parts."""

    def observe(self):
        return super().observe() | {"loud": True}


NAMED = {"name": lambda me: me.id}


def _other(me):
    return me.world["bob" if me.id == "ann" else "ann"].secret


def whole(seen):
    return {name: whole(part) if isinstance(part, Glance) else part for name, part in seen.items()}


@pytest.fixture
def world():
    world = World(seed=1)
    world.add("ann", Watcher())
    world.add("bob", LoudWatcher())
    return world


def test_a_glance_shows_what_an_observation_holds_for_everybody_at_every_hour():
    town = town_day.create(seed=3, residents=12)
    in_parts = 0
    for _ in range(10):
        for name in town.by_name:
            glance, seen = town.world.glance(name), town.world.observe(name)
            in_parts += isinstance(glance, Glance)
            assert list(glance) == list(seen)
            assert whole(glance) == seen
        town.step()
    assert in_parts == 10 * 13


def test_a_part_is_made_once_and_only_if_it_is_read(world):
    glance = world.glance("ann")
    assert glance["nested"]["name"] == "ann"
    world["ann"].secret = "another"
    assert glance["secret"] == "another"
    world["ann"].secret = "a third"
    assert glance["secret"] == "another"


def test_parts_are_made_with_the_rights_of_who_looks(world):
    with pytest.raises(PermissionDenied, match=r"ann may not read bob\.secret"):
        world.glance("ann")["other"]
    assert world.undo_log.guard is None
    assert world.undo_log.reads == set()


def test_a_class_that_tells_more_at_once_is_observed_whole(world):
    world.grant_reading("bob", "ann.secret")
    assert world.glance("bob") == world.observe("bob")
    assert world.glance("bob")["loud"] is True


def test_a_glance_with_parts_in_place_of_others_makes_none_of_the_rest(world):
    glance = with_parts(world.glance("ann"), {"other": "nobody", "more": 1})
    assert (glance["other"], glance["more"], glance["nested"]["name"]) == ("nobody", 1, "ann")
    assert list(glance) == ["secret", "other", "nested", "more"]
    assert glance.get("absent", 0) == 0


class Keeper(Agent):
    glances = True
    kept = None

    def act(self, observation):
        if self.kept is not None:
            return self.kept["secret"]
        self.kept = observation
        return ""


def test_what_an_agent_keeps_of_a_glance_is_over_when_it_has_acted(world):
    world.remove("bob")
    simulation = Simulation(world, {"ann": Keeper})
    simulation.step()
    with pytest.raises(WorldError, match="reads what it needs within act"):
        simulation.step()


def test_who_glances_lives_the_very_day_of_who_is_given_whole_observations(monkeypatch):
    def hash_of_a_day():
        town = town_day.create(seed=5, residents=10)
        for _ in range(14):
            town.step()
        return town.state_hash

    glancing = hash_of_a_day()
    monkeypatch.setattr(ScriptedResident, "glances", False)
    assert hash_of_a_day() == glancing
