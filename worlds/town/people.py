"""Who lives in the town: homes, jobs, habits and friendships, drawn from a seed."""

from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice, repeat
from random import Random
from typing import Any

from cave_sim import World, WorldError
from cave_sim.worlds.town.kinds import Use
from cave_sim.worlds.town.maps import TownMap
from cave_sim.worlds.town.mayor import Mayor
from cave_sim.worlds.town.names import full_names, key_of
from cave_sim.worlds.town.personas import Persona
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.resident import Resident

TRAITS = ("sociable", "quiet", "frugal", "careless", "sporty", "curious")
EMPLOYED, STUDENTS = 0.78, 0.10  # shares; the rest is retired
HAUNTS: tuple[tuple[Use, int, bool], ...] = (  # what for, how many of them, near work rather than home
    ("shop", 3, False),
    ("coffee", 2, True),
    ("meal", 3, True),
    ("drinks", 1, False),
    ("culture", 2, False),
    ("sport", 1, False),
    ("care", 1, False),
)
ByUse = dict[Use, list[Place]]
CIRCLE = 6  # how many of those who were there before a newcomer gets to know
KNOWN_HOURS = 0.35  # the share of their haunts whose hours people know
SHIFT_H = 8.0


def people(
    world: World,
    town_map: TownMap,
    count: int,
    rng: Random,
    personas: Sequence[Persona] | None = None,
    kind: type[Resident] = Resident,
) -> None:
    """Add the mayor and `count` residents to a world that holds its "town" and places.

    What somebody is like is drawn from a stream of their own, under their name; what a persona says is not drawn.

    Args:
        world: whom to add them to.
        town_map: where they live.
        count: how many residents besides the mayor.
        rng: draws names, homes and jobs.
        personas: of the first residents, if they are known.
        kind: the class of everybody but the mayor.
    """
    places = world.all(Place)
    workplaces = [place for place in places if place.kind_info.staff]
    if not workplaces or not any(place.kind == "home" for place in places):
        raise WorldError(
            f"{town_map.name}: people need a home and somewhere to work; give the map buildings and places."
        )
    by_use = {use: [place for place in places if place.kind_info.use == use] for use, _, _ in HAUNTS}
    names = full_names(rng)
    homes, jobs = _homes(places, rng), _jobs(workplaces, rng)
    townhall, campus = (
        next((place for place in places if place.kind == kind), None) for kind in ("townhall", "university")
    )
    _move_in(
        world,
        "mayor",
        Mayor(
            title=next(names),
            job="mayor",
            workplace=townhall,
            home=next(homes),
            wage_cents_h=4200,
            **_shift(townhall, rng),
        ),
        by_use,
        town_map,
    )
    known = chain(personas or (), repeat(None))
    for title, persona in zip(islice(names, count), known, strict=False):
        name = persona.name if persona is not None and persona.name else title
        key = key_of(name, world)
        stream = world.rng("people", key)
        if persona is None:
            life = _somebody(name, next(homes), jobs, campus, stream)
        else:
            life = _as_described(persona, name, next(homes), workplaces, campus, stream)
        _move_in(world, key, kind(**life), by_use, town_map)
    _acquaint(world)


def _homes(places: Sequence[Place], rng: Random) -> Iterator[Place]:
    homes = [place for place in places if place.kind == "home"]
    while homes:
        rng.shuffle(homes)
        yield from homes


def _jobs(workplaces: list[Place], rng: Random) -> Iterator[Place]:
    """Yield workplaces: every place gets its first worker before any gets the second, and so on round by round."""
    rng.shuffle(workplaces)
    for worker in range(max(place.kind_info.staff for place in workplaces)):
        yield from (place for place in workplaces if place.kind_info.staff > worker)
    yield from cycle([place for place in workplaces if place.kind_info.use == "office"] or workplaces)


def _somebody(title: str, home: Place, jobs: Iterator[Place], campus: Place | None, rng: Random) -> dict[str, Any]:
    """Draw somebody's life, as the fields of a resident."""
    life = rng.random()
    about: dict[str, Any] = {"title": title, "home": home, "money_cents": rng.randint(40, 400) * 100}
    if life >= EMPLOYED + STUDENTS:
        return about | {"age": rng.randint(65, 86), "job": "retired", **_day(rng, rng.uniform(6.0, 8.5))}
    if life >= EMPLOYED:
        return about | {"age": rng.randint(19, 27), "job": "student", "workplace": campus, **_lectures(rng)}
    workplace = next(jobs)
    kind = workplace.kind_info
    return about | {
        "age": rng.randint(20, 64),
        "job": kind.job,
        "workplace": workplace,
        "wage_cents_h": round(kind.wage_cents_h * rng.uniform(0.9, 1.2)),
        **_shift(workplace, rng),
    }


def _as_described(
    persona: Persona, title: str, home: Place, workplaces: Sequence[Place], campus: Place | None, rng: Random
) -> dict[str, Any]:
    """Return the life that a persona describes, as the fields of a resident, with a job where one can do it."""
    job = persona.job or rng.choice(["student", "retired", *(place.kind_info.job for place in workplaces)])
    about: dict[str, Any] = {"title": title, "home": home, "job": job, "biography": persona.biography}
    if job == "retired":
        about |= _day(rng, rng.uniform(6.0, 8.5)) | {"age": rng.randint(65, 86)}
    elif job == "student":
        about |= _lectures(rng) | {"age": rng.randint(19, 27), "workplace": campus}
    else:
        fit = [place for place in workplaces if place.kind_info.job == job]
        workplace = rng.choice(fit or [place for place in workplaces if place.kind_info.use == "office"] or workplaces)
        wage = round(workplace.kind_info.wage_cents_h * rng.uniform(0.9, 1.2))
        about |= _shift(workplace, rng) | {"age": rng.randint(20, 64), "workplace": workplace, "wage_cents_h": wage}
    money_eur = persona.money_eur if persona.money_eur is not None else rng.randint(40, 400)
    described = {
        "age": persona.age,
        "wakes_h": persona.wakes_h,
        "sleeps_h": persona.sleeps_h,
        "traits": list(persona.traits),
    }
    fields = {name: value for name, value in described.items() if value not in (None, [])}
    return about | fields | {"money_cents": round(100 * money_eur)}


def _lectures(rng: Random) -> dict[str, Any]:
    """Draw the hours that a student studies, unpaid."""
    starts_h = rng.choice((9.0, 10.0, 10.0, 11.0))
    return {"shift_starts_h": starts_h, "shift_ends_h": starts_h + 5, **_day(rng, starts_h - rng.uniform(0.9, 2.0))}


def _shift(workplace: Place | None, rng: Random) -> dict[str, Any]:
    """Draw the hours of somebody's work, and of their sleep around it."""
    if workplace is None:
        return _day(rng, rng.uniform(6.5, 8.0))
    opens_h, closes_h = workplace.opens_h, workplace.closes_h
    if workplace.kind_info.use == "office" and closes_h - opens_h < 24:
        starts_h = min(rng.choice((7.5, 8.0, 8.0, 8.5, 9.0, 9.5)), closes_h - SHIFT_H)
    elif closes_h - opens_h == 24:
        starts_h = rng.choice((6.5, 7.0, 14.5))
    else:
        starts_h = rng.choice((opens_h - 0.5, max(opens_h - 0.5, closes_h - SHIFT_H)))
    ends_h = min(starts_h + SHIFT_H, max(closes_h, starts_h + 3))
    weekends = workplace.weekends and rng.random() < 0.5
    return {
        "shift_starts_h": starts_h,
        "shift_ends_h": ends_h,
        "works_weekends": weekends,
        **_day(rng, min(starts_h - rng.uniform(0.9, 2.0), rng.uniform(8.0, 10.0))),
    }


def _day(rng: Random, wakes_h: float) -> dict[str, Any]:
    wakes_h = round(max(4.5, wakes_h), 1)
    return {
        "wakes_h": wakes_h,
        "sleeps_h": round(wakes_h + rng.uniform(15.2, 16.6), 1),
        "traits": rng.sample(TRAITS, 2),
    }


def _move_in(world: World, key: str, person: Resident, by_use: ByUse, town_map: TownMap) -> None:
    """Put somebody into their home, in bed if it is their hour, with the haunts and the groceries they have."""
    world.add(key, person)
    rng, hour, home = world.rng("habits", key), world.clock.hour, _home_of(person)
    person.node, person.lon, person.lat = home.node, home.lon, home.lat
    person.haunts = [place.id for place in _haunts(person, by_use, town_map, rng)]
    person.learned = {name: world[name].door_hours() for name in person.haunts if rng.random() < KNOWN_HOURS}
    person.belongings = {"groceries": rng.randint(0, 4)}
    person.mood = round(rng.uniform(0.45, 0.7), 2)
    person.location = home
    home.guests.add(person)
    asleep = hour < person.wakes_h or person.sleeps_h <= hour or hour < person.sleeps_h - 24
    if asleep:
        hours = (person.wakes_h + rng.uniform(-0.3, 0.5) - hour) % 24
        person.activity, person.until_s = "sleeping", 3600 * hours
    person.energy = round(max(0.3, 0.95 - 0.08 * ((person.wakes_h - hour) % 24 if asleep else 1)), 2)


def _haunts(person: Resident, by_use: ByUse, town_map: TownMap, rng: Random) -> Iterator[Place]:
    """Draw what somebody likes among the nearest places for each purpose; groceries come first."""
    for use, wanted, near_work in HAUNTS:
        base = person.workplace if near_work and person.workplace else _home_of(person)
        point = (base.lon, base.lat)
        fit = sorted(by_use[use], key=lambda place: (town_map.distance_m(point, (place.lon, place.lat)), place.id))
        if use == "shop":
            grocers = [place for place in fit if place.kind_info.sells == "groceries"][:2]
            yield from grocers
            fit, wanted = [place for place in fit if place not in grocers], wanted - len(grocers)
        yield from rng.sample(fit[: 3 * wanted], min(wanted, len(fit)))


def _home_of(person: Resident) -> Place:
    assert person.home is not None  # whoever is drawn from a seed is drawn for a home
    return person.home


def _acquaint(world: World) -> None:
    """Make housemates, colleagues and a few friends each."""
    residents, relations = world.all(Resident), world["town"].relations
    together: dict[str, list[str]] = {}
    for person in residents:
        rng = world.rng("friends", person.id)
        for place, low, high in ((person.home, 0.6, 0.95), (person.workplace, 0.25, 0.6)):
            circle = together.setdefault(place.id, []) if place is not None else []
            for other in circle[-CIRCLE:]:
                relations.add_edge(person.id, other, strength=round(rng.uniform(low, high), 2))
            circle.append(person.id)
        for friend in rng.sample(residents, min(2, len(residents))):
            if friend is not person:
                relations.add_edge(person.id, friend.id, strength=round(rng.uniform(0.4, 0.8), 2))
