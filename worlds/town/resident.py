"""What residents can do. Every method is one deed; it happens, or is Refused with the reason and a way out."""

import re
from datetime import timedelta
from typing import Annotated

import pydantic

from cave_sim import Refused, narrates, own_agent_only
from cave_sim.world.glance import Sight
from cave_sim.worlds.town.appointments import agree, ask, asked
from cave_sim.worlds.town.economy import euros, pay, pay_wage
from cave_sim.worlds.town.maps import installed
from cave_sim.worlds.town.perception import sight
from cave_sim.worlds.town.person import Activity, Person
from cave_sim.worlds.town.place import Place, clock_text
from cave_sim.worlds.town.town import Town, bring_together

TimeOfDay = Annotated[str, pydantic.Field(examples=["18:00"])]
EARLY_H = 0.75  # how long before their shift people may start
FRIENDS = 0.5  # how well people know those whom they may visit at home
AT_ONCE = 3  # things one can say to the same person at one time before they answer
LONGEST_NIGHT_H, NAP_H = 11.0, 1.5


class Resident(Person):
    """Somebody who lives here. `me` is one. The others have the same methods, for their own cells to call."""

    @own_agent_only
    @narrates("heads for {place}")
    def go(self, place: Place | str) -> str:
        """Start walking to a place along the streets at 1.3 m/s; takes a while, and one step at least.

        Refused if it is closed, if you are there already, or if it is somebody else's home.
        """
        goal = self._find(place)
        if goal is self.location:
            raise Refused(f"You are already at {goal.title} ({goal.id}).")
        if goal.kind == "home" and goal is not self.home and not self._knows_somebody_in(goal):
            raise Refused(f"{goal.title} ({goal.id}) is somebody else's home; meet them in a café instead.")
        if goal is not self.workplace or goal.closed:
            self._check_door(goal)
        _set_out(self, goal)
        route_m = installed(self._town().map_name).route(self.node, goal.node).length_m
        return f"on the way to {goal.title}, {route_m:.0f} m"

    @own_agent_only
    @narrates("has something to eat")
    def eat(self) -> str:
        """Eat: what is in the kitchen at home, or a meal in a restaurant, café or pub (see its price_cents)."""
        place = self._inside()
        if place is self.home:
            return self._eat_at_home()
        if place.kind_info.use not in ("meal", "coffee", "drinks"):
            raise Refused(f"Nobody serves food at {place.title} ({place.id}); go home, to a restaurant or a café.")
        self._buy_from(place, place.price_cents)
        small = place.kind_info.use == "coffee"
        _begin(self, "eating", minutes=20 if small else 40)
        self._feel(hunger=-0.35 if small else -0.65, mood=0.04, energy=0.02)
        return f"ate at {place.title} for {euros(place.price_cents)}"

    @own_agent_only
    @narrates("has a drink")
    def drink(self) -> str:
        """Have a coffee in a café, or something else in a pub or restaurant; costs two thirds of its price_cents."""
        place = self._inside()
        if place.kind_info.use not in ("meal", "coffee", "drinks"):
            raise Refused(f"There is nothing to drink at {place.title} ({place.id}); go to a café or a pub.")
        price_cents = place.price_cents * 2 // 3
        self._buy_from(place, price_cents)
        _begin(self, "drinking", minutes=20)
        self._feel(mood=0.04, energy=0.04 if place.kind_info.use == "coffee" else -0.02, hunger=-0.05)
        return f"had a drink at {place.title} for {euros(price_cents)}"

    @own_agent_only
    @narrates("goes shopping")
    def buy(self, amount: int = 1) -> str:
        """Buy what the shop you are in sells: groceries (meals to eat at home), a book, flowers ..."""
        place = self._inside()
        item = place.kind_info.sells
        if not item:
            raise Refused(f"{place.title} ({place.id}) is no shop; go to a supermarket, a bookshop, a florist ...")
        if not 1 <= amount <= 20:
            raise Refused(f"You can carry from 1 to 20 of {item}, not {amount}.")
        self._buy_from(place, amount * place.price_cents)
        self.belongings[item] = self.belongings.get(item, 0) + amount
        _begin(self, "shopping", minutes=20)
        return f"bought {amount} x {item} for {euros(amount * place.price_cents)}"

    @own_agent_only
    @narrates("starts to work")
    def work(self) -> str:
        """Work at your workplace until your shift ends; you are paid when you stop, and may take a lunch break."""
        if self.workplace is None or self.shift_starts_h == self.shift_ends_h:
            raise Refused(f"{self.title} has no job; enjoy the day.")
        if self.location is not self.workplace:
            raise Refused(f"You are not at work: your workplace is {self.workplace.title} ({self.workplace.id}).")
        left_h = shift_left_h(self)
        if not left_h:
            shift = f"{clock_text(self.shift_starts_h)} to {clock_text(self.shift_ends_h)}"
            raise Refused(f"Your shift is from {shift}; it is {clock_text(self.world.clock.hour)}.")
        if self.activity != "working":
            _begin(self, "working", minutes=left_h * 60)
        return f"working until {clock_text(self.shift_ends_h)}"

    @own_agent_only
    @narrates("goes to sleep")
    def sleep(self) -> str:
        """Go to sleep at home until about your usual hour. Whoever sleeps hears nothing."""
        if self.location is None or self.location is not self.home:
            raise Refused("You can only sleep at home; go there first.")
        clock = self.world.clock
        oversleep_h = self.world.rng("sleep", self.id).uniform(-0.3, 0.5)
        hours = (self.wakes_h + oversleep_h - clock.hour) % 24
        hours = hours if 0.5 <= hours <= LONGEST_NIGHT_H else NAP_H
        _begin(self, "sleeping", minutes=hours * 60)
        return f"asleep until about {clock_text(clock.hour + hours)}"

    @own_agent_only
    @narrates("sits down to rest")
    def rest(self, minutes: int = 30) -> str:
        """Sit down and rest, at home, in a park or a shelter."""
        place = self._inside()
        if place.kind_info.use not in ("home", "park", "shelter", "culture"):
            raise Refused(f"There is nowhere to rest at {place.title} ({place.id}); go home, to a park or a library.")
        _begin(self, "resting", minutes=minutes)
        return f"resting at {place.title}"

    @own_agent_only
    @narrates("enjoys the place")
    def enjoy(self, minutes: int = 60) -> str:
        """Spend time at a park, museum, cinema, library, pool or salon; some charge admission (price_cents)."""
        place = self._inside()
        if place.kind_info.use not in ("park", "culture", "sport", "care"):
            raise Refused(f"There is nothing to do at {place.title} ({place.id}); go to a park, a museum, a cinema ...")
        self._buy_from(place, place.price_cents)
        _begin(self, "relaxing", minutes=minutes)
        if place.kind_info.use == "sport":
            self._feel(energy=-0.05)
        return f"enjoying {place.title}"

    @own_agent_only
    @narrates("says to {other}: “{text}”")
    def say(self, other: "Resident", text: str) -> str:
        """Say something to somebody who is where you are and awake; they hear it, and you know each other better."""
        self._check_within_earshot(other)
        now, words = f"{self.world.clock.now:%H:%M}", " ".join(text.split())[:200]
        if self._said_unanswered(other, now) >= AT_ONCE:
            raise Refused(f"You have said enough to {other.title} ({other.id}) for now; let them answer.")
        other.heard.append(f"{now} {self.title} ({self.id}): {words}")
        self.heard.append(f"{now} you to {other.id}: {words}")
        bring_together(self._town(), self.id, other.id)
        if self.activity in ("waiting", "resting"):
            _begin(self, "talking", minutes=10)
        return f"{other.title} heard you"

    @own_agent_only
    @narrates(
        "asks {other}: “Shall we meet at {place} at {at}?”",
        if_written={"Yes, at": "agrees with {other}: “Yes, at {place} at {at}!”"},
    )
    def meet(self, other: "Resident", place: Place | str, at: TimeOfDay) -> str:
        """Ask somebody here to meet at a place later, `at="18:00"`; or agree, if they have asked you for the same.

        Then it stands in both plans. Until they agree it is a question, which holds your hour and lapses unanswered.
        """
        self._check_within_earshot(other)
        goal = self._find(place)
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", at):
            raise Refused(f'Say when as a time of day, at="18:00", not {at!r}.')
        mine, theirs = asked(self.plan, at), asked(other.plan, at)
        if at in self.plan and (mine is None or mine.whom != other.id):
            raise Refused(f"You have a plan for {at} already.")
        if theirs and (theirs.whom, theirs.place) == (self.id, goal.id):
            self.say(other, f"Yes, at {goal.title} ({goal.id}) at {at}!")
            agree(self, other, goal.id, at)
            return f"agreed: you meet {other.title} at {at}"
        if mine:
            raise Refused(f"You have asked {other.title} ({other.id}) for {at} already; let them answer.")
        outcome = self.say(other, f"Shall we meet at {goal.title} ({goal.id}) at {at}?")
        ask(self, other, goal.id, at)
        return f"{outcome}; it stands once they agree"

    @own_agent_only
    @narrates("gives {other} {cents} cents")
    def give(self, other: "Resident", cents: int) -> str:
        """Give money to somebody who is where you are."""
        self._check_within_earshot(other)
        if cents <= 0:
            raise Refused(f"You can give 1 cent or more, not {cents}.")
        pay(self, other, cents)
        return f"gave {other.title} {euros(cents)}"

    @own_agent_only
    @narrates("writes in the diary: “{text}”")
    def note(self, text: str) -> None:
        """Write a line into your diary; the oldest lines fade."""
        self.diary.append(f"{self.world.clock.now:%a %H:%M} {text[:200]}")

    def observe(self) -> dict[str, object]:
        """Return what this resident perceives now."""
        return self._sight().at_once()

    def _sight(self) -> Sight:
        return sight(self)

    # -- what the deeds are made of ------------------------------------------------------------------------------

    def _feel(self, **by: float) -> None:
        for name, change in by.items():
            setattr(self, name, round(min(1.0, max(0.0, getattr(self, name) + change)), 2))

    def _eat_at_home(self) -> str:
        if not self.belongings.get("groceries"):
            raise Refused("The kitchen is empty; buy groceries in a supermarket, or eat out.")
        self.belongings["groceries"] -= 1
        _begin(self, "eating", minutes=30)
        self._feel(hunger=-0.6, mood=0.01)
        return "ate at home"

    def _buy_from(self, place: Place, cents: int) -> None:
        self._check_door(place)
        pay(self, place, cents)

    def _find(self, place: Place | str) -> Place:
        goal = self.world[place] if isinstance(place, str) and place in self.world else place
        if not isinstance(goal, Place):
            raise Refused(
                f"There is no place named {place!r}; see `places` in what you observe, or `world.all(Place)`."
            )
        return goal

    def _inside(self) -> Place:
        if self.location is None:
            raise Refused("You are out on the street; go to a place first.")
        return self.location

    def _check_door(self, place: Place) -> None:
        arrival = self.world.clock.now + timedelta(minutes=10)
        if not place.is_open and (place.closed or not place.is_open_at(arrival)):
            raise Refused(f"{place.title} ({place.id}) is {place.door_sign()}.")

    def _check_within_earshot(self, other: "Resident") -> None:
        if not isinstance(other, Resident) or other is self:
            raise Refused("You can only talk to another resident.")
        together = (
            other.location is self.location if self.location else other.location is None and other.node == self.node
        )
        if not together:
            raise Refused(f"{other.title} ({other.id}) is not here.")
        if other.activity == "sleeping":
            raise Refused(f"{other.title} ({other.id}) is asleep.")

    def _said_unanswered(self, other: "Resident", now: str) -> int:
        """Return how many things one has said to somebody by this time of day since they last said anything."""
        count = 0
        for line in self.heard:
            count += line.startswith(f"{now} you to {other.id}: ")
            count *= f" ({other.id}): " not in line
        return count

    def _knows_somebody_in(self, home: Place) -> bool:
        people = self.world.all(Resident)  # whether they are at home is not to be seen from outside
        return any(other.home is home and self._town().strength(self.id, other.id) >= FRIENDS for other in people)

    def _town(self) -> Town:
        town: Town = self.world["town"]
        return town


def stop(person: Resident) -> None:
    """End what somebody was doing; whoever stops working is paid for the time."""
    world = person.world
    if person.activity == "working":
        pay_wage(world["town"], person, (world.clock.time_s - person.since_s) / 3600)
    person.activity = "waiting"


def _begin(person: Resident, activity: Activity, minutes: float = 0.0) -> None:
    stop(person)
    now_s = person.world.clock.time_s
    person.activity, person.since_s = activity, now_s
    person.until_s = round(now_s + 60 * minutes, 1) if minutes else 0.0


def _set_out(person: Resident, goal: Place) -> None:
    _turn_round(person)
    leave(person)
    person.destination = goal
    _begin(person, "walking")


def _turn_round(person: Resident) -> None:
    """Break off a walk at the last corner that was passed."""
    if person.destination is not None:
        town_map = installed(person.world["town"].map_name)
        person.node = town_map.route(person.node, person.destination.node).passed(person.walked_m)
        person.lon, person.lat = town_map.point(person.node)
        person.destination, person.walked_m = None, 0.0


def leave(person: Resident) -> None:
    """Bring somebody out of the place where they are."""
    if person.location is not None:
        person.location.guests.discard(person)
        person.location = None


def shift_left_h(person: Resident) -> float:
    """Return the hours until somebody's shift ends; 0 if it is over, or does not begin soon."""
    early_h, hour = person.shift_starts_h - EARLY_H, float(person.world.clock.hour)
    hour += 24 if hour < early_h else 0
    return person.shift_ends_h - hour if early_h <= hour < person.shift_ends_h else 0.0
