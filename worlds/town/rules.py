"""What goes on in a town by itself: walking, closing time, bodies and moods, pensions. And what must always hold."""

from cave_sim import World
from cave_sim.worlds.town.appointments import lapse
from cave_sim.worlds.town.economy import (
    GRANT_CENTS,
    MONEY_FIELDS,
    PENSION_CENTS,
    audit,
    moved_money_adds_up,
    pay,
    total_cents,
)
from cave_sim.worlds.town.maps import installed
from cave_sim.worlds.town.person import DIARY, HEARD, LEARNED
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.resident import Resident, leave, shift_left_h, stop
from cave_sim.worlds.town.weather import Weather, follow_the_records

WALKING_M_S = 1.3
BODY_S = 1800.0  # bodies and moods change on every half-hour: slower than a step, and a third of the writes
ENERGY_PER_H = {"sleeping": 0.13, "resting": -0.02, "working": -0.07, "walking": -0.08}
HUNGER_PER_H = {"sleeping": 0.025, "resting": 0.07}
PLEASURE = {"relaxing": 0.25, "talking": 0.15}
BENEFITS_H = 8.0
BOARD = 12  # notices that stay up


def govern(world: World) -> None:
    """Give the rules of a town to a world that holds a "town", a "weather", places and residents; call once."""
    world["town"].money_supply_cents = total_cents(world)
    for rule in (follow_the_records, move_walkers, end_activities, close_doors, live, pay_benefits):
        world.dynamics(rule)
    world.invariant("money is neither made nor lost", moved_money_adds_up, touching=MONEY_FIELDS)
    world.invariant("the books agree with the money supply", audit, touching=("step", "money_supply_cents"))


def move_walkers(world: World) -> None:
    """Bring everyone who walks a step further, and in at the door of where they were going."""
    town_map, step_m = installed(world["town"].map_name), WALKING_M_S * world.step_s
    for person in world.all(Resident):
        goal = person.destination
        if goal is None:
            if person.activity == "walking":  # the place has gone from the world
                _idle(person, did="leaving")
            continue
        route, walked_m = town_map.route(person.node, goal.node), person.walked_m + step_m
        if walked_m >= route.length_m:
            _arrive(person, goal)
        else:
            x, y = route.at(walked_m)
            person.walked_m, person.lon, person.lat = round(walked_m, 1), round(x, 6), round(y, 6)


def end_activities(world: World) -> None:
    """End what had an end: shifts, meals, naps and nights."""
    now_s = world.clock.time_s
    for person in world.all(Resident):
        if 0 < person.until_s <= now_s:
            done = person.activity
            stop(person)
            _idle(person, did=done)


def close_doors(world: World) -> None:
    """Ask everyone but the staff on duty to leave a place that has closed."""
    for place in world.all(Place):
        if place.guests and place.kind != "home" and not place.is_open:
            for guest in [person for person in place.guests if isinstance(person, Resident)]:
                if place.closed or guest.workplace is not place or not shift_left_h(guest):
                    _turn_out(guest, f"{place.title} ({place.id}) is {place.door_sign()}; everybody has to leave.")


def live(world: World) -> None:
    """Let bodies tire and hunger, moods follow, memories fade and unanswered questions lapse; every half-hour."""
    now_s = world.clock.time_s
    halves = int(now_s // BODY_S) - int((now_s - world.step_s) // BODY_S)
    if not halves:
        return
    hours, weather = halves * BODY_S / 3600, world["weather"]
    for person in world.all(Resident):
        _live(person, hours, weather)
        _fade(person)
        lapse(person)
    if len(world["town"].announcements) > BOARD:
        del world["town"].announcements[:-BOARD]


def pay_benefits(world: World) -> None:
    """Pay pensions and study grants at eight in the morning, as long as the treasury lasts."""
    hour, town = world.clock.hour, world["town"]
    if not BENEFITS_H <= hour < BENEFITS_H + world.step_s / 3600:
        return
    for person in world.all(Resident):
        cents = {"retired": PENSION_CENTS, "student": GRANT_CENTS}.get(person.job, 0)
        if 0 < cents <= town.treasury_cents:
            pay(town, person, cents)


def _arrive(person: Resident, goal: Place) -> None:
    person.node, person.lon, person.lat, person.walked_m, person.destination = goal.node, goal.lon, goal.lat, 0.0, None
    refusal = _refusal(person, goal)
    if refusal:
        person.heard.append(f"{goal.title} ({goal.id}) is {refusal}.")
    else:
        person.location = goal
        goal.guests.add(person)
    if goal.kind not in ("home", "park") and goal is not person.workplace:
        person.learned[goal.id] = goal.door_sign()
    _idle(person, did="walking")


def _refusal(person: Resident, goal: Place) -> str:
    """Return why somebody at the door does not get in; nothing if they do."""
    if goal.closed or not (goal.is_open or goal is person.workplace or goal.kind == "home"):
        return goal.door_sign()
    return "full" if goal.is_full and goal is not person.workplace else ""


def _turn_out(person: Resident, why: str) -> None:
    leave(person)
    stop(person)
    person.heard.append(why)
    _idle(person, did="leaving")


def _idle(person: Resident, did: str) -> None:
    """Let somebody stand or, at home, sit around until they choose what to do."""
    at_home = person.location is not None and person.location is person.home
    person.activity, person.did = "resting" if at_home else "waiting", did
    person.since_s, person.until_s = person.world.clock.time_s, 0.0


def _live(person: Resident, hours: float, weather: Weather) -> None:
    activity, place = person.activity, person.location
    energy = _within(person.energy + hours * ENERGY_PER_H.get(activity, -0.05))
    hunger = _within(person.hunger + hours * HUNGER_PER_H.get(activity, 0.085))
    outside = place is None or place.kind == "park"
    sky = (-0.3 if weather.precipitation_mm > 0 else 0.1) if outside else 0.0
    comfort = 0.25 + 0.35 * energy + 0.3 * (1 - hunger) + sky + PLEASURE.get(activity, 0.0)
    mood = _within(person.mood + 0.3 * hours * (comfort - person.mood))
    for name, value, before in (
        ("energy", energy, person.energy),
        ("hunger", hunger, person.hunger),
        ("mood", mood, person.mood),
    ):
        if value != before:
            setattr(person, name, value)


def _fade(person: Resident) -> None:
    if len(person.heard) > HEARD:
        del person.heard[:-HEARD]
    if len(person.diary) > DIARY:
        del person.diary[:-DIARY]
    while len(person.learned) > LEARNED:
        del person.learned[next(iter(person.learned))]


def _within(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 2)
