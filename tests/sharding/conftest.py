"""A small city, and what is asked of it in every test."""

import pytest

from cave_sim.simulations.city_day import create

SMALL = {"seed": 7, "residents": 24, "crowd": 240, "districts": 4}


@pytest.fixture
def city():
    """Return a maker of small cities; they are closed when the test is over."""
    made = []

    def make(**options):
        made.append(create(**{**SMALL, **options}))
        return made[-1]

    yield make
    for each in made:
        each.close()


def residents(city):
    """Return the names of the residents in each district."""
    return [city.ask(district, "residents") for district in range(SMALL["districts"])]


def district_of(city, name):
    """Return the number of the district that somebody is in."""
    return next(number for number, names in enumerate(residents(city)) if name in names)
