"""One district of a city as a world: its places, the residents who live in it, its part of the crowd, and its rules."""

from collections.abc import Callable
from random import Random

import numpy as np

from cave_sim import World, WorldError
from cave_sim.worlds.city.atlas import FOOD, Atlas, Site, helsinki_in
from cave_sim.worlds.city.citizen import Citizen
from cave_sim.worlds.city.crowd import FREE, SHIFTS, Crowd, Life, Roots, Rules, rules_of
from cave_sim.worlds.city.money import MONEY_FIELDS, moved_money_adds_up
from cave_sim.worlds.city.places import Borough, CityPlace, Ledger
from cave_sim.worlds.city.rules import end_activities, forget, walk
from cave_sim.worlds.town.names import full_names, key_of
from cave_sim.worlds.town.weather import Weather, follow_the_records

TREASURY_CENTS = 500_000_000
TILL_CENTS = 500_000
SPARE_ROWS = 64  # for residents who become part of another district's crowd


def build_district(
    number: int,
    *,
    seed: int,
    districts: int,
    residents: int,
    crowd: int,
    step_s: float = 600.0,
    start: str = "2012-06-01T06:00",
) -> World:
    """Return one district of Helsinki, ready to be stepped beside the others.

    Args:
        number: which one, from 0.
        seed: of the city; the same for all its districts.
        districts: how many there are.
        residents: how many people the whole city has.
        crowd: how many people in the background the whole city has.
        step_s: world seconds from one step to the next.
        start: world time of the first step; the weather follows its date.

    Raises:
        WorldError: the streets cannot be cut into so many districts that people can live in.
    """
    atlas = helsinki_in(districts)
    world = World(seed=seed, step_s=step_s, start=start)
    world.add("borough", Borough(number=number, districts=districts, treasury_cents=TREASURY_CENTS))
    world.add("ledger", Ledger())
    world.add("weather", Weather())
    follow_the_records(world)
    for site in atlas.workplaces(number):
        world.add(site.name, _place(site))
    _people(world, atlas, number, range(crowd, crowd + residents))
    life = _crowd(world, atlas, number, crowd)
    rules: list[Callable[[World], None]] = [end_activities, walk, forget, life]
    for rule in rules if number else [follow_the_records, *rules]:  # the weather is made in one district
        world.dynamics(rule)
    world.invariant("money is neither made nor lost", moved_money_adds_up, touching=MONEY_FIELDS)
    return world


def _place(site: Site) -> CityPlace:
    kind = site.about
    return CityPlace(
        title=site.title,
        kind=site.kind,
        node=site.node,
        price_cents=kind.price_cents,
        wage_cents_h=kind.wage_cents_h,
        opens_h=kind.opens_h,
        closes_h=kind.closes_h,
        till_cents=TILL_CENTS,
    )


def _people(world: World, atlas: Atlas, number: int, persons: range) -> None:
    """Add the residents who live in this district; all districts draw the same city, and each takes its own."""
    rng = world.rng("people")
    homes = [site for site in atlas.sites.values() if site.about.use == "home"]
    jobs = [site for district in range(atlas.districts) for site in atlas.workplaces(district)]
    taken = set(atlas.sites)
    for person, title in zip(persons, full_names(rng), strict=False):
        name = key_of(title, taken)
        taken.add(name)
        home, job = rng.choice(homes), rng.choice(jobs)
        citizen = _citizen(title, person, home, job, rng)
        if home.district == number:
            world.add(name, citizen)


def _citizen(title: str, person: int, home: Site, job: Site, rng: Random) -> Citizen:
    starts_h = max(6.0, min(job.about.opens_h, 15.0)) + rng.randrange(8) / 4
    return Citizen(
        title=title,
        person=person,
        home=home.name,
        workplace=job.name,
        shift_starts_h=starts_h,
        at=home.name,
        node=home.node,
        begun=home.node,
        fed_s=-3600.0 * rng.randint(0, 4),
        money_cents=rng.randint(40, 400) * 100,
    )


def _crowd(world: World, atlas: Atlas, number: int, crowd: int) -> Life:
    """Add this district's part of the crowd, which lives and works there."""
    homes, jobs, food = (
        atlas.within(number, "home"),
        atlas.workplaces(number),
        atlas.within(number, *FOOD),
    )
    if not homes or not jobs or len(food) < 2:
        raise WorldError(f"districts={atlas.districts}: one of them has nowhere to live, work or eat; take fewer")
    sites = [*homes, *jobs]
    first, last = (crowd * district // atlas.districts for district in (number, number + 1))
    rows, people = last - first + SPARE_ROWS, last - first
    draw = np.random.Generator(np.random.PCG64([world.seed % 2**64, number]))
    person = np.zeros(rows, dtype=np.int64)
    person[:people] = np.arange(first, last)
    roots = Roots(
        person=person,
        home=draw.integers(0, len(homes), rows).astype(np.int16),
        work=(len(homes) + draw.integers(0, len(jobs), rows)).astype(np.int16),
        shift=draw.integers(0, SHIFTS, rows).astype(np.int8),
        sites=[site.name for site in sites],
        nodes=[site.node for site in sites],
        food=[place for place, site in enumerate(sites) if site.about.use in FOOD],
    )
    world.add("roots", roots)
    life = Life()
    world.add("crowd", _at_home(rules_of(world), people, draw.integers(0, 40_000, rows)))
    return life


def _at_home(rules: Rules, people: int, cents: np.ndarray) -> Crowd:
    """Return a crowd that is at home until it is time to go to work."""
    rows = np.arange(len(rules.home))
    until = rules.next_shift(0)
    until[rows >= people] = FREE
    return Crowd(
        at=rules.home,
        until_step=until.astype(np.int32),
        fed_step=np.zeros(len(rows), dtype=np.int32),
        cents=np.where(rows < people, cents, 0).astype(np.int32),
    )
