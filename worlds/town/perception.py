"""What a resident perceives: the time, the weather, themselves, where they are, who is near, what they have heard.

Plain data whose size does not grow with the town, told in parts, so that nobody's are made who does not look. Nobody
sees through walls: of a shop's hours one knows what one has learned.
"""

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.world.glance import Sight
from cave_sim.worlds.town.almanac import occasions
from cave_sim.worlds.town.health import health_of
from cave_sim.worlds.town.kinds import kind_of
from cave_sim.worlds.town.maps import installed
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.town import acquaintances

NEAR, PLACES, PLANS, HEARD, NOTES, NEWS = 6, 20, 12, 6, 3, 3  # at most so many of each

Parts = Mapping[str, Callable[[Any], Any]]


def sight(resident: Person) -> Sight:
    """Return what a resident perceives now; whoever sleeps perceives the time only."""
    if resident.activity == "sleeping":
        return Sight(resident, ASLEEP)
    parts = UNWELL if health_of(resident) else AWAKE
    today = occasions(resident)
    return Sight(resident, {**parts, "occasions": lambda _: today} if today else parts)


def _busy_minutes(me: Person) -> int:
    busy_s = me.until_s - me.world.clock.time_s if me.until_s else 0.0
    return round(max(0.0, busy_s) / 60)


ME: Parts = {
    "name": lambda me: me.id,
    "title": lambda me: me.title,
    "age": lambda me: me.age,
    "job": lambda me: me.job,
    "traits": lambda me: list(me.traits),
    "biography": lambda me: me.biography,
    "home": lambda me: _key(me.home),
    "workplace": lambda me: _key(me.workplace),
    "shift": lambda me: [me.shift_starts_h, me.shift_ends_h],
    "works_weekends": lambda me: me.works_weekends,
    "wakes_h": lambda me: me.wakes_h,
    "sleeps_h": lambda me: me.sleeps_h,
    "energy": lambda me: me.energy,
    "hunger": lambda me: me.hunger,
    "mood": lambda me: me.mood,
    "money_cents": lambda me: me.money_cents,
    "activity": lambda me: me.activity,
    "did": lambda me: me.did,
    "busy_minutes": _busy_minutes,
    "going_to": lambda me: _key(me.destination),
    "belongings": lambda me: dict(me.belongings),
}
HERE: Parts = {
    "name": lambda place: place.id,
    "title": lambda place: place.title,
    "kind": lambda place: place.kind,
    "use": lambda place: place.kind_info.use,
    "sign": lambda place: place.door_sign(),
    "price_cents": lambda place: place.price_cents,
    "sells": lambda place: place.kind_info.sells,
    "guests": lambda place: len(place.guests),
    "capacity": lambda place: place.capacity,
}


def _here(me: Person) -> Sight | None:
    place = me.location
    return None if place is None else Sight(place, HERE)


def _near(me: Person) -> list[dict[str, Any]]:
    """Return others in the same place, those best known first."""
    undo_log = me.world.undo_log
    if undo_log.actor is not None:  # a cell looks: what it reads is asked for and noted, one by one
        return _company(me)
    with undo_log.as_world():  # who is inside may see who else is
        return _company(me)


def _company(me: Person) -> list[dict[str, Any]]:
    place = me.location
    if place is None:
        return []
    guests: set[Any] = set(place.guests.copy())  # a plain one, in no order: ranked below
    others = {other.id: other for other in guests if other is not me}
    if not others:
        return []
    with me.world.undo_log.as_world():  # the town keeps for both how well they know each other
        known = acquaintances(me.world["town"], me.id, others)
    names = sorted(known, key=lambda name: (-known[name], name))[:NEAR]
    if len(names) < NEAR:
        names += sorted(others.keys() - known.keys())[: NEAR - len(names)]
    return [
        {"name": name, "title": others[name].title, "activity": others[name].activity, "knows": known.get(name, 0.0)}
        for name in names
    ]


def _places(me: Person) -> list[dict[str, Any]]:
    """Return the places they know: their haunts and the town's landmarks, with what they have learned of the hours."""
    world, learned, position = me.world, me.learned, (me.lon, me.lat)
    town = world["town"]
    distance_m, hours_of = installed(town.map_name).distance_m, learned.get
    places = []
    for name in list(dict.fromkeys([*me.haunts, *reversed(town.landmarks)]))[:PLACES]:
        if name in world:
            place = world[name]
            kind = place.kind
            info = kind_of(kind)
            places.append(
                {
                    "name": name,
                    "title": place.title,
                    "kind": kind,
                    "use": info.use,
                    "sells": info.sells,
                    "price_cents": place.price_cents,
                    "hours": hours_of(name, ""),
                    "distance_m": round(distance_m(position, (place.lon, place.lat)), -1),
                }
            )
    return places


ASLEEP: Parts = {
    "time": lambda me: me.world.clock.text,
    "hour": lambda me: round(me.world.clock.hour, 2),
    "weekday": lambda me: me.world.clock.now.weekday(),
    "me": lambda me: Sight(me, ME),
}
AWAKE: Parts = {
    **ASLEEP,
    "weather": lambda me: me.world["weather"].observe(),
    "here": _here,
    "near": _near,
    "places": _places,
    "heard": lambda me: list(me.heard[-HEARD:]),
    "plan": lambda me: dict(sorted(me.plan.items())[:PLANS]),
    "diary": lambda me: list(me.diary[-NOTES:]),
    "news": lambda me: list(me.world["town"].announcements[-NEWS:]),
}
UNWELL: Parts = {**AWAKE, "health": health_of}
"""What those perceive besides who are ill, or were until now."""


def _key(entity: Place | None) -> str | None:
    return None if entity is None else entity.id
