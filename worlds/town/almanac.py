"""What is celebrated when: birthdays, at home with friends, and a weekly gathering where everybody is welcome.

A scripted custom, fitted to no data: each resident has a birthday of some day of the year, and a café, pub or park is
where people meet on Saturdays. A town without an almanac draws nothing for it and lives as it always did.
"""

from datetime import datetime, timedelta
from typing import Any

from cave_sim import Entity, Refused, World, WorldError, field, narrates
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.town import bring_together

NAME = "almanac"
FRIENDS = 0.5
"""How well people know those whose birthday they keep."""
SATURDAY, PARTY_H, GATHERING_H, LASTS_H = 5, 18.0, 15.0, 3.0
WELCOMING = ("coffee", "drinks", "park")
JOY, COMPANY, STAY_MIN = 0.1, 0.05, 60
LEAP_YEAR = 2000


class Almanac(Entity):
    """Birthdays and the weekly gathering: `almanac.congratulate(ann)`, `almanac.gather()`."""

    birthdays: dict[str, list[str]] = field({}, guarded=True, about="whose, by day: 06-03 is the third of June")
    gathering: str = field("", guarded=True, about="name of the place where people gather once a week")
    weekday: int = field(SATURDAY, ge=0, le=6, guarded=True, about="day of the gathering, Monday is 0")
    from_h: float = field(GATHERING_H, unit="h", ge=0, le=24, guarded=True, about="hour at which it begins")
    lasts_h: float = field(LASTS_H, unit="h", ge=0, le=24, guarded=True, about="how long it lasts, as birthdays do")
    wished: list[str] = field([], guarded=True, about="who has wished whom well, as 2012-06-03 ann bob")

    @narrates("wishes {other} a happy birthday")
    def congratulate(self, other: Person) -> str:
        """Wish somebody who is where you are, and whose birthday it is, a happy one."""
        person = self._actor()
        if not self.is_birthday(other.id):
            raise Refused(f"It is not the birthday of {other.title} ({other.id}).")
        if other is person or other.location is not person.location or person.location is None:
            raise Refused(f"{other.title} ({other.id}) is not here.")
        if (wish := self._wish(person.id, other.id)) in self.wished:
            raise Refused(f"You have wished {other.title} ({other.id}) well already.")
        self.wished.append(wish)
        other.mood = round(min(1.0, other.mood + JOY), 2)
        other.heard.append(f"{self.world.clock.now:%H:%M} {person.title} ({person.id}): Happy birthday, {other.title}!")
        bring_together(self.world["town"], person.id, other.id)
        return f"{other.title} is glad"

    @narrates("joins the weekly gathering")
    def gather(self) -> str:
        """Spend an hour at the weekly gathering, at its place and in its time."""
        person = self._actor()
        if not self._gathers_now() or person.location is None or person.location.id != self.gathering:
            raise Refused(f"There is no gathering here and now; it is at {self.gathering} from {self.from_h:g} h.")
        now_s = self.world.clock.time_s
        person.activity, person.since_s = "relaxing", now_s
        person.until_s = round(now_s + 60 * STAY_MIN, 1)
        person.mood = round(min(1.0, person.mood + COMPANY), 2)
        return f"among the others at {person.location.title}"

    def is_birthday(self, name: str) -> bool:
        """Say whether it is somebody's birthday today."""
        return name in self.birthdays.get(f"{self.world.clock.now:%m-%d}", ())

    def has_wished(self, one: str, other: str) -> bool:
        """Say whether somebody has wished somebody else well today."""
        return self._wish(one, other) in self.wished

    def _gathers_now(self) -> bool:
        clock, hour = self.world.clock, float(self.world.clock.hour)
        return clock.now.weekday() == self.weekday and self.from_h <= hour < self.from_h + self.lasts_h

    def _wish(self, one: str, other: str) -> str:
        return f"{self.world.clock.now:%Y-%m-%d} {one} {other}"

    def _actor(self) -> Any:
        name = self.world.actor
        if name is None or name not in self.world or not isinstance(self.world[name], Person):
            raise Refused("Only residents celebrate.")
        return self.world[name]


def open_almanac(world: World) -> Almanac:
    """Give the residents of a town birthdays, and a place where they gather on Saturdays; returns the almanac.

    Raises:
        WorldError: there is no place with a roof or a lawn that is open on Saturday afternoons.
    """
    rng = world.rng("almanac")
    first = datetime(LEAP_YEAR, 1, 1)
    birthdays: dict[str, list[str]] = {}
    for person in world.all(Person):
        day = first + timedelta(days=rng.randrange(366))
        birthdays.setdefault(f"{day:%m-%d}", []).append(person.id)
    then = world.clock.now + timedelta(days=(SATURDAY - world.clock.now.weekday()) % 7)
    begins = then.replace(hour=int(GATHERING_H), minute=0)
    ends = begins + timedelta(hours=LASTS_H)
    welcoming = [place for place in world.all(Place) if place.kind_info.use in WELCOMING]
    fit = [place.id for place in welcoming if place.is_open_at(begins) and place.is_open_at(ends)]
    if not fit:
        raise WorldError("celebrations: no café, pub or park of this town is open on Saturday afternoons")
    almanac: Almanac = world.add(NAME, Almanac(birthdays=birthdays, gathering=rng.choice(fit)))
    if almanac.gathering not in world["town"].landmarks:
        world["town"].landmarks.append(almanac.gathering)
    return almanac


def occasions(person: Person) -> list[dict[str, Any]]:
    """Return what somebody may celebrate today: `what`, `where`, `from_h`, `until_h`; of a birthday, `of` whom."""
    almanac = almanac_in(person.world)
    if almanac is None:
        return []
    world, coming = person.world, []
    for name in almanac.birthdays.get(f"{world.clock.now:%m-%d}", ()):
        if name in world and _keeps(person, name) and world[name].home is not None:
            about = {"what": "birthday", "of": name, "where": world[name].home.id}
            wished = name == person.id or almanac.has_wished(person.id, name)
            coming.append(about | {"from_h": PARTY_H, "until_h": PARTY_H + almanac.lasts_h, "wished": wished})
    if world.clock.now.weekday() == almanac.weekday and almanac.gathering in world:
        about = {"what": "gathering", "where": almanac.gathering}
        coming.append(about | {"from_h": almanac.from_h, "until_h": almanac.from_h + almanac.lasts_h})
    return coming


def almanac_in(world: World) -> Almanac | None:
    """Return the almanac of a town; None where nothing is celebrated."""
    if NAME not in world:
        return None
    entity = world[NAME]
    return entity if isinstance(entity, Almanac) else None


def _keeps(person: Person, name: str) -> bool:
    return name == person.id or person.world["town"].strength(person.id, name) >= FRIENDS
