"""Measures of a town's society, for scenarios: ``cave_sim.worlds.town.social_measures:money_gini``."""

from cave_sim import World
from cave_sim.analysis.segregation import gini, morans_i
from cave_sim.entity.graph_types import Graph
from cave_sim.history.networks import homophily, polarisation
from cave_sim.worlds.town.resident import Resident


def money_gini(world: World) -> float:
    """Return how unequally money is shared among residents, 0 to 1."""
    return gini(person.money_cents for person in world.all(Resident))


def mood_polarisation(world: World) -> float:
    """Return how divided moods are: 0 if all are alike, 1 if one half is miserable and one delighted."""
    return polarisation((person.mood for person in world.all(Resident)), 0, 1)


def mood_among_friends(world: World) -> float:
    """Return how like people's moods are to those of whom they know, by how well they do: Moran's I."""
    relations: Graph = world["town"].relations
    return morans_i(relations, {person.id: person.mood for person in world.all(Resident)}, weight="strength")


def age_homophily(world: World) -> float:
    """Return how much those know each other who are of one age: assortativity, -1 to 1."""
    relations: Graph = world["town"].relations
    return homophily(relations, {person.id: person.age for person in world.all(Resident)}, "age")
