"""A town from a map file: which of its places matter for so many people, where they live, and the rules on top."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from random import Random

from cave_sim import World, WorldError
from cave_sim.worlds.town.kinds import KINDS
from cave_sim.worlds.town.maps import install
from cave_sim.worlds.town.names import key_of
from cave_sim.worlds.town.neighbour import Neighbour
from cave_sim.worlds.town.people import people
from cave_sim.worlds.town.personas import Persona
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.resident import Resident
from cave_sim.worlds.town.rules import govern
from cave_sim.worlds.town.society import Customs, Society
from cave_sim.worlds.town.streets import Spot, StreetMap, helsinki
from cave_sim.worlds.town.town import Town
from cave_sim.worlds.town.weather import Weather, follow_the_records

WANTED: dict[str, tuple[int, float]] = {  # places of each kind in any town, and for each 100 residents more
    "townhall": (1, 0),
    "park": (4, 0),
    "restaurant": (4, 5),
    "fast_food": (2, 2),
    "cafe": (4, 4),
    "bakery": (1, 0.3),
    "pub": (2, 2),
    "bar": (1, 1),
    "supermarket": (2, 0.5),
    "convenience": (1, 0.8),
    "books": (1, 0.5),
    "clothes": (1, 1.5),
    "department_store": (1, 0.1),
    "florist": (1, 0.2),
    "pharmacy": (1, 0.5),
    "hairdresser": (1, 1),
    "clinic": (1, 0.2),
    "fitness_centre": (1, 0.2),
    "sports_centre": (1, 0.3),
    "library": (1, 0.4),
    "museum": (1, 0.5),
    "cinema": (1, 0.3),
    "theatre": (1, 0.5),
    "company": (4, 10),
    "bank": (1, 1),
    "ngo": (1, 1),
    "lawyer": (1, 0.5),
    "government": (1, 0.6),
    "school": (1, 0.2),
    "university": (1, 0),
    "hotel": (1, 1.5),
}
DWELLINGS = ("apartments", "residential", "block", "yes")
PEOPLE_PER_HOME = 2.5
TREASURY_CENTS = 50_000_000
FLOAT_CENTS = (1_500_000, 6_000_000)  # what workplaces have in the till at the start


def build_town(
    *,
    seed: int,
    residents: int = 25,
    step_s: float = 600.0,
    start: str = "2012-06-01T06:00",
    street_map: StreetMap | None = None,
    personas: Sequence[Persona] | None = None,
    record_reads: bool = False,
    customs: Customs | None = None,
) -> World:
    """Return a town with that many residents and a mayor, ruled and ready to run.

    Args:
        seed: decides which places, homes, people and friendships; the same seed, the same town.
        residents: how many people besides the mayor, 1 or more.
        step_s: world seconds from one step to the next.
        start: world time of the first step; the weather follows its date.
        street_map: by default the centre of Helsinki.
        personas: of the first residents, if they are known.
        record_reads: as of the world.
        customs: how people keep in touch and sway each other; None: they talk to who is there, and keep their views.

    Raises:
        WorldError: there are no residents.
    """
    if residents < 1:
        raise WorldError(f"residents={residents}: a town needs at least 1 resident besides its mayor.")
    town_map = street_map or helsinki()
    install(town_map)
    world = World(seed=seed, step_s=step_s, start=start, record_reads=record_reads)
    about = {"title": town_map.name, "map_name": town_map.name, "treasury_cents": TREASURY_CENTS}
    world.add("town", Town(**about) if customs is None else Society(**about, **asdict(customs)))
    world.add("weather", Weather())
    follow_the_records(world)
    rng = world.rng("town")
    for place in [*_public_places(town_map, residents, rng), *_homes(town_map, residents, rng)]:
        world.add(key_of(place.title, world), place)
    world["town"].landmarks = [place.id for place in world.all(Place) if place.kind == "park"]
    people(world, town_map, residents, rng, personas, Resident if customs is None else Neighbour)
    world.grant("mayor", "*")
    govern(world)
    return world


def _public_places(town_map: StreetMap, residents: int, rng: Random) -> Iterator[Place]:
    for kind, (base, per_100) in WANTED.items():
        spots = list({spot.name: spot for spot in town_map.places if spot.kind == kind}.values())
        for spot in rng.sample(spots, min(len(spots), base + round(per_100 * residents / 100))):
            yield _place(spot, rng)


def _homes(town_map: StreetMap, residents: int, rng: Random) -> Iterator[Place]:
    dwellings = [spot for spot in town_map.buildings if spot.kind in DWELLINGS] or list(town_map.buildings)
    wanted = min(len(dwellings), max(1, round(residents / PEOPLE_PER_HOME)))
    for spot in rng.sample(dwellings, wanted):
        address = f"{town_map.street(spot.node) or 'House'} {rng.randint(1, 40)}"
        yield _place(spot._replace(name=address, kind="home"), rng)


def _place(spot: Spot, rng: Random) -> Place:
    """Return the place with the habits of its kind, a little different from its like."""
    kind = KINDS[spot.kind]
    usual = kind.use in ("home", "park", "shelter") or kind.closes_h - kind.opens_h >= 24
    opens_h = kind.opens_h if usual else max(0.0, kind.opens_h + rng.choice((-0.5, 0, 0, 0.5)))
    closes_h = kind.closes_h if usual else kind.closes_h + rng.choice((-1, -0.5, 0, 0, 0.5))
    return Place(
        title=spot.name,
        kind=spot.kind,
        node=spot.node,
        lon=spot.lon,
        lat=spot.lat,
        opens_h=opens_h,
        closes_h=closes_h,
        weekends=kind.weekends,
        capacity=kind.capacity,
        price_cents=10 * round(kind.price_cents * rng.uniform(0.085, 0.125)),
        cash_cents=rng.randint(*FLOAT_CENTS) if kind.staff else 0,
    )
