"""Residents of a city. They name places and people by text, because these may be in another district."""

from typing import Any, Literal

from cave_sim import Entity, Refused, field, narrates, own_agent_only
from cave_sim.worlds.city.atlas import Atlas, Site, helsinki_in
from cave_sim.worlds.city.places import CityPlace

Doing = Literal["resting", "sleeping", "walking", "working", "eating", "waiting"]
HEARD = 6
MEAL_H = 0.5
SHOWN = 3


class Citizen(Entity):
    """Somebody who lives in the city, and may walk through all of it."""

    title: str = field(guarded=True, about="full name")
    person: int = field(0, ge=0, guarded=True, about="their number all over the city")
    home: str = field(guarded=True, private=True, about="name of the house they live in")
    workplace: str = field("", guarded=True, private=True, about="name of the place they work at")
    shift_starts_h: float = field(
        8.0, unit="h", ge=0, le=24, private=True, about="hour at which they like to begin work"
    )
    at: str = field("", guarded=True, about="name of the place they are in; nothing on the street")
    bound_for: str = field("", guarded=True, private=True, about="name of the place they walk to")
    node: int = field(0, ge=0, guarded=True, about="corner of the map they have come to")
    begun: int = field(0, ge=0, guarded=True, private=True, about="corner at which their walk began")
    walked_m: float = field(
        0.0, unit="m", ge=0, guarded=True, private=True, about="how far they have come on their walk"
    )
    doing: Doing = field("resting", guarded=True, about="what they are doing")
    until_s: float = field(
        0.0, unit="s", ge=0, guarded=True, private=True, about="world time at which that ends; 0: open"
    )
    fed_s: float = field(0.0, unit="s", guarded=True, private=True, about="world time of the last meal")
    worked_s: float = field(
        -86_400.0, unit="s", guarded=True, private=True, about="world time at which the last shift ended"
    )
    money_cents: int = field(
        0, unit="EUR cent", ge=0, merge="add", guarded=True, private=True, about="purse and account"
    )
    crossings: int = field(0, ge=0, guarded=True, about="how often they came into another district")
    heard: list[str] = field(
        [], merge="extend", guarded=True, private=True, about="what was said around them, the latest last"
    )

    @own_agent_only
    @narrates("heads for {place}")
    def go(self, place: str) -> str:
        """Set off for a place anywhere in the city, by its name."""
        site = self._site(place)
        if self.at == site.name:
            raise Refused(f"You are at {site.title} already.")
        self.at, self.bound_for, self.begun, self.walked_m = "", site.name, self.node, 0.0
        self._begin("walking", 0.0)
        return f"on the way to {site.title}, {self._atlas.distance_m(self.node, site.node):.0f} m as the crow flies"

    @own_agent_only
    @narrates("has something to eat")
    def eat(self) -> str:
        """Buy a meal at the place you are in."""
        place = self._here("eat")
        if self._site(self.at).about.use not in ("meal", "coffee"):
            raise Refused(f"{place.title} serves no food.")
        if not place.is_open():
            raise Refused(f"{place.title} is closed.")
        if self.money_cents < place.price_cents:
            raise Refused(f"A meal costs {place.price_cents} cents and you have {self.money_cents}.")
        self.money_cents -= place.price_cents
        place.till_cents += place.price_cents
        self.fed_s = self.world.clock.time_s
        self.world["borough"].meals += 1
        self._begin("eating", MEAL_H)
        return f"a meal for {place.price_cents} cents"

    @own_agent_only
    @narrates("starts to work")
    def work(self, hours: float) -> str:
        """Work at your workplace for up to 9 hours; the wage comes at once."""
        place = self._here("work")
        if self.at != self.workplace:
            raise Refused(f"You work at {self.workplace}, not here.")
        if not 0 < hours <= 9:
            raise Refused(f"One works for up to 9 hours, not {hours:g}.")
        wage_cents = round(hours * place.wage_cents_h)
        self.world["borough"].lend(place, wage_cents)
        place.till_cents -= wage_cents
        self.money_cents += wage_cents
        self.world["borough"].worked_h += hours
        self.worked_s = self.world.clock.time_s + 3600 * hours
        self._begin("working", hours)
        return f"{wage_cents} cents for {hours:g} h"

    @own_agent_only
    @narrates("goes to sleep")
    def sleep(self, hours: float) -> str:
        """Sleep at home for up to 12 hours."""
        if self.at != self.home:
            raise Refused("One sleeps at home.")
        if not 0 < hours <= 12:
            raise Refused(f"One sleeps for up to 12 hours, not {hours:g}.")
        self._begin("sleeping", hours)
        return f"asleep for {hours:g} h"

    @own_agent_only
    @narrates("says: “{text}”")
    def say(self, text: str) -> str:
        """Say something to everybody who is where you are."""
        listeners = self._company()
        for other in listeners:
            other.heard.append(f"{self.id}: {text[:200]}")
        return f"heard by {len(listeners)}"

    def observe(self) -> dict[str, Any]:
        """Return what they know, see and hear."""
        clock, weather = self.world.clock, self.world["weather"]
        return {
            "time": clock.text,
            "hour": round(clock.hour, 2),
            "district": self.world["borough"].number,
            "weather": {"kind": weather.kind, "temperature_c": weather.temperature_c},
            "me": {
                "name": self.id,
                "at": self.at,
                "home": self.home,
                "workplace": self.workplace,
                "shift_starts_h": self.shift_starts_h,
                "bound_for": self.bound_for,
                "doing": self.doing,
                "hungry_h": round((clock.time_s - self.fed_s) / 3600, 1),
                "since_work_h": round((clock.time_s - self.worked_s) / 3600, 1),
                "money_cents": self.money_cents,
            },
            "here": [other.id for other in self._company()],
            "food": [site.name for site in self._food()],
            "heard": list(self.heard),
        }

    # ---- within

    @property
    def _atlas(self) -> Atlas:
        return helsinki_in(self.world["borough"].districts)

    def _site(self, place: str) -> Site:
        site = self._atlas.sites.get(place)
        if site is None:
            raise Refused(f"The city has no place called {place!r}.")
        return site

    def _here(self, verb: str) -> CityPlace:
        if not self.at or self.at not in self.world:
            raise Refused(f"There is nothing to {verb} at here; go to a place first.")
        place: CityPlace = self.world[self.at]
        return place

    def _begin(self, doing: Doing, hours: float) -> None:
        self.doing = doing
        self.until_s = self.world.clock.time_s + 3600 * hours if hours else 0.0

    def _company(self) -> list["Citizen"]:
        """Return who else is in the same place, or at the same corner of the street."""
        people = self.world.all(Citizen)
        return [other for other in people if other is not self and (other.at, other.node) == (self.at, self.node)]

    def _food(self) -> list[Site]:
        """Return the nearest places of the district that serve food now."""
        return [
            site
            for site in self._atlas.food_near(self.node, self.world["borough"].number)
            if site.name in self.world and self.world[site.name].is_open()
        ][:SHOWN]
