"""Measures of the party in a live world: who knows of it by words, and who is there."""

from cave_sim import World
from cave_sim.simulations.valentine_party.script import PARTY
from cave_sim.simulations.valentine_party.spread import ABOUT_IT
from cave_sim.worlds.town import Resident


def know(world: World) -> int:
    """Return how many but the host have a text about the party in their ears, diary or plan."""
    return len(_who_know(world))


def guests(world: World) -> int:
    """Return how many of them are in one place with the host, who gives the party where it is meant to be."""
    place = _host(world).location
    return sum(person.location is place for person in _who_know(world)) if place is not None else 0


def _host(world: World) -> Resident:
    return next(person for person in world.all(Resident) if PARTY in person.biography)


def _who_know(world: World) -> list[Resident]:
    host = _host(world)
    return [person for person in world.all(Resident) if person is not host and _knows(person)]


def _knows(person: Resident) -> bool:
    return any(ABOUT_IT.finds(text) for text in (*person.heard, *person.diary, *person.plan.values()))
