"""What is measured of a town at every step."""

from collections.abc import Callable
from statistics import fmean

from cave_sim import World
from cave_sim.worlds.town import Resident


def mean_of(field: str) -> Callable[[World], float]:
    """Return a measure: the mean of a field over all residents."""

    def measure(world: World) -> float:
        return fmean(getattr(person, field) for person in world.all(Resident))

    measure.__doc__ = f"Return the mean {field} of all residents, 0 to 1."
    return measure


def share_doing(activity: str) -> Callable[[World], float]:
    """Return a measure: the share of residents at an activity, 0 to 1."""

    def measure(world: World) -> float:
        residents = world.all(Resident)
        return sum(person.activity == activity for person in residents) / len(residents)

    measure.__doc__ = f"Return the share of residents who are {activity}, 0 to 1."
    return measure


def reading(field: str) -> Callable[[World], float]:
    """Return a measure: what the weather is like now, by one of its fields."""

    def measure(world: World) -> float:
        return float(getattr(world["weather"], field))

    measure.__doc__ = f"Return the {field.rpartition('_')[0]} now, as the weather follows the records of the day."
    return measure


def turnover_eur(world: World) -> float:
    """Return what residents have paid each other and in places so far, in EUR."""
    return float(world["town"].turnover_cents / 100)


def treasury_eur(world: World) -> float:
    """Return what the town has, in EUR."""
    return float(world["town"].treasury_cents / 100)


def share_outdoors(world: World) -> float:
    """Return the share of residents in the street or in a park, 0 to 1."""
    places = [person.location for person in world.all(Resident)]
    return sum(place is None or place.kind == "park" for place in places) / len(places)


MEASURES: dict[str, Callable[[World], float]] = {
    "temperature (degC)": reading("temperature_c"),
    "precipitation (mm/h)": reading("precipitation_mm"),
    "mood": mean_of("mood"),
    "energy": mean_of("energy"),
    "hunger": mean_of("hunger"),
    "outdoors (share)": share_outdoors,
    "asleep (share)": share_doing("sleeping"),
    "at work (share)": share_doing("working"),
    "money paid so far (EUR)": turnover_eur,
    "treasury (EUR)": treasury_eur,
}
