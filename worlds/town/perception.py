"""What a resident perceives: the time, the weather, themselves, where they are, who is near, what they have heard.

Plain data whose size does not grow with the town. Nobody sees through walls: of a shop's hours one knows what one has
learned.
"""

from collections.abc import Iterable
from typing import Any

from cave_sim import Entity
from cave_sim.worlds.town.maps import TownMap, installed
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.town import Town

NEAR, PLACES, PLANS, HEARD, NOTES, NEWS = 6, 20, 12, 6, 3, 3  # at most so many of each


def observe(resident: Person) -> dict[str, Any]:
    """Return what a resident perceives now; whoever sleeps perceives the time only."""
    world, clock = resident.world, resident.world.clock
    seen: dict[str, Any] = {
        "time": clock.text,
        "hour": round(clock.hour, 2),
        "weekday": clock.now.weekday(),
        "me": _self(resident),
    }
    if resident.activity == "sleeping":
        return seen
    town = world["town"]
    guests = [] if resident.location is None else list(resident.location.guests)
    return seen | {
        "weather": world["weather"].observe(),
        "here": _here(resident.location, len(guests)),
        "near": _near(resident, town, guests),
        "places": _places(resident, town.landmarks, installed(town.map_name)),
        "heard": list(resident.heard[-HEARD:]),
        "plan": dict(sorted(resident.plan.items())[:PLANS]),
        "diary": list(resident.diary[-NOTES:]),
        "news": list(town.announcements[-NEWS:]),
    }


def _self(me: Person) -> dict[str, Any]:
    busy_s = me.until_s - me.world.clock.time_s if me.until_s else 0.0
    return {
        "name": me.id,
        "title": me.title,
        "age": me.age,
        "job": me.job,
        "traits": list(me.traits),
        "biography": me.biography,
        "home": _key(me.home),
        "workplace": _key(me.workplace),
        "shift": [me.shift_starts_h, me.shift_ends_h],
        "works_weekends": me.works_weekends,
        "wakes_h": me.wakes_h,
        "sleeps_h": me.sleeps_h,
        "energy": me.energy,
        "hunger": me.hunger,
        "mood": me.mood,
        "money_cents": me.money_cents,
        "activity": me.activity,
        "did": me.did,
        "busy_minutes": round(max(0.0, busy_s) / 60),
        "going_to": _key(me.destination),
        "belongings": dict(me.belongings),
    }


def _here(place: Place | None, guests: int) -> dict[str, Any] | None:
    if place is None:
        return None
    return {
        "name": place.id,
        "title": place.title,
        "kind": place.kind,
        "use": place.kind_info.use,
        "sign": place.door_sign(),
        "price_cents": place.price_cents,
        "sells": place.kind_info.sells,
        "guests": guests,
        "capacity": place.capacity,
    }


def _near(me: Person, town: Town, guests: Iterable[Entity]) -> list[dict[str, Any]]:
    """Return others in the same place, those best known first."""
    with me.world.undo_log.as_world():  # the town keeps for both how well they know each other
        others = sorted((-town.strength(me.id, other.id), other.id) for other in guests if other is not me)
    return [
        {"name": name, "title": me.world[name].title, "activity": me.world[name].activity, "knows": -strength}
        for strength, name in others[:NEAR]
    ]


def _places(me: Person, landmarks: list[str], town_map: TownMap) -> list[dict[str, Any]]:
    """Return the places they know: their haunts and the town's landmarks, with what they have learned of the hours."""
    world, learned, position = me.world, me.learned, (me.lon, me.lat)
    places = []
    for name in list(dict.fromkeys([*me.haunts, *reversed(landmarks)]))[:PLACES]:
        if name in world:
            place = world[name]
            kind = place.kind_info
            places.append(
                {
                    "name": name,
                    "title": place.title,
                    "kind": place.kind,
                    "use": kind.use,
                    "sells": kind.sells,
                    "price_cents": place.price_cents,
                    "hours": learned.get(name, ""),
                    "distance_m": round(town_map.distance_m(position, (place.lon, place.lat)), -1),
                }
            )
    return places


def _key(entity: Place | None) -> str | None:
    return None if entity is None else entity.id
