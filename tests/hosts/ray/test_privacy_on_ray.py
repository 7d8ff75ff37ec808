"""In a world on Ray, too, nobody learns what is not for them."""

from uuid import uuid4

import pytest

from cave_sim.hosts.ray import launch
from cave_sim.replay.recipe import Recipe
from tests.policy import hostile_hearsay, hostile_privacy, parlour
from tests.policy.hostile import scripts
from tests.policy.judge import turns_of
from tests.policy.spying import told
from tests.worlds import test_town_privacy, two_towns

PAGES = hostile_privacy.PAGES | hostile_hearsay.PAGES


@pytest.fixture
def house(cluster, tmp_path):
    """Return a way to have a house in an actor."""
    houses = []

    def build(module="tests.policy.parlour", **settings):
        houses.append(launch(Recipe(module, settings), tmp_path / f"house-{uuid4().hex[:8]}"))
        return houses[-1]

    yield build
    for remote in houses:
        remote.end()


@pytest.mark.long
def test_a_cell_is_told_on_ray_what_it_is_told_where_the_secrets_are_others(house):
    there, here = house(secret=1), parlour.build(secret=0)
    for page in PAGES.values():
        for script in scripts(page):
            assert told(there, script) == told(here, script), script


@pytest.mark.long
def test_what_a_cell_read_of_others_is_the_same_on_ray(house):
    there, here = house(told=True), parlour.build(told=True)
    for agent, code in turns_of("print(bob.diary)\nprint(bob.purse, dan.wearing)\n#> eve\nprint(ann.room)"):
        assert there.execute(code, agent).reads == here.execute(code, agent).reads != []


@pytest.mark.long
def test_nor_does_anybody_in_a_town_on_ray(house):
    there, here = house("tests.worlds.two_towns", secret=1), two_towns.build(secret=0)
    for way in test_town_privacy.WAYS:
        assert test_town_privacy.told(there, way, steps=0) == test_town_privacy.told(here, way, steps=0), way
