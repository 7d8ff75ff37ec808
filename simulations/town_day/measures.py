"""What is measured of a town at every step."""

from collections.abc import Callable
from statistics import fmean

from cave_sim import World
from cave_sim.worlds.town import Resident


def mean_of(field: str) -> Callable[[World], float]:
    """Return a measure: the mean of a field over all residents."""

    def measure(world: World) -> float:
        return fmean(getattr(person, field) for person in world.all(Resident))

    return measure


def share_doing(activity: str) -> Callable[[World], float]:
    """Return a measure: the share of residents at an activity, 0 to 1."""

    def measure(world: World) -> float:
        residents = world.all(Resident)
        return sum(person.activity == activity for person in residents) / len(residents)

    return measure


def share_outdoors(world: World) -> float:
    """Return the share of residents in the street or in a park, 0 to 1."""
    residents = world.all(Resident)
    return sum(person.location is None or person.location.kind == "park" for person in residents) / len(residents)


MEASURES: dict[str, Callable[[World], float]] = {
    "temperature (degC)": lambda world: world["weather"].temperature_c,
    "precipitation (mm/h)": lambda world: world["weather"].precipitation_mm,
    "mood": mean_of("mood"),
    "energy": mean_of("energy"),
    "hunger": mean_of("hunger"),
    "outdoors (share)": share_outdoors,
    "asleep (share)": share_doing("sleeping"),
    "at work (share)": share_doing("working"),
    "money paid so far (EUR)": lambda world: world["town"].turnover_cents / 100,
    "treasury (EUR)": lambda world: world["town"].treasury_cents / 100,
}
