"""What is measured of a town's society is what the same index gives for its people's values."""

import math

import networkx as nx
import numpy as np
import pytest

from cave_sim.worlds.town import Resident, build_town
from cave_sim.worlds.town.social_measures import age_homophily, money_gini, mood_among_friends, mood_polarisation


@pytest.fixture
def town():
    return build_town(seed=3, residents=12)


def with_values(world, field, values):
    for person, value in zip(world.all(Resident), values, strict=False):
        setattr(person, field, value)
    return world


def test_money_that_all_have_is_shared_equally(town):
    assert 0 < money_gini(town) < 1
    many = len(town.all(Resident))
    assert money_gini(with_values(town, "money_cents", [700] * many)) == 0
    assert money_gini(with_values(town, "money_cents", [0] * (many - 1) + [700])) == pytest.approx(1 - 1 / many)


def test_a_town_of_the_miserable_and_the_delighted_is_polarised(town):
    many = len(town.all(Resident))
    assert mood_polarisation(with_values(town, "mood", [0.0, 1.0] * many)) > 0.9
    assert mood_polarisation(with_values(town, "mood", [0.5] * many)) == 0
    assert math.isnan(mood_among_friends(town))


def test_ties_are_those_of_the_town_weighted_by_how_well_people_know_each_other(town):
    graph = nx.Graph(town["town"].relations)
    nx.set_node_attributes(graph, {person.id: person.age for person in town.all(Resident)}, "age")
    tied = graph.edge_subgraph(graph.edges)
    assert age_homophily(town) == pytest.approx(nx.numeric_assortativity_coefficient(tied, "age"))
    moods = np.array([town[name].mood for name in graph])
    near = nx.to_numpy_array(graph, weight="strength")
    apart = moods - moods.mean()
    assert mood_among_friends(town) == pytest.approx(len(moods) * apart @ near @ apart / near.sum() / (apart @ apart))
