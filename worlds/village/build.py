"""A village from its blueprint: the town's places, residents, purse and rules on a map of tiles."""

from collections.abc import Callable, Mapping
from random import Random

from cave_sim import World
from cave_sim.worlds.town import Mayor, Place, Resident, Town, Weather, govern, install
from cave_sim.worlds.town.kinds import kind_of
from cave_sim.worlds.town.weather import follow_the_records
from cave_sim.worlds.village.blueprint import Blueprint, PersonPlan, PlacePlan
from cave_sim.worlds.village.tiles import TileMap

Dynamics = Callable[[World], None]
TREASURY_CENTS = 5_000_000
FLOAT_CENTS = 400_000  # what each workplace has in the till at the start
HAUNTS = 10
KNOWN_HOURS = 0.5  # the share of doors whose hours people know by heart; the others they find closed, and learn
PLANS_RENEWED_H = 3.0


def build_village(
    plan: Blueprint,
    *,
    seed: int,
    residents: int | None = None,
    step_s: float = 300.0,
    start: str = "2012-06-01T04:00",
    resident: type[Resident] = Resident,
) -> World:
    """Return a village with its people in it, ruled and ready to run.

    Args:
        plan: from `village_file.load`, `hollinweir()` or `generative_agents.load`.
        seed: decides moods, larders and what people know; the same seed, the same village.
        residents: at most so many people move in, the mayor first and then as the file has them; None: all.
        step_s: world seconds from one step to the next.
        start: world time of the first step; the weather follows its date.
        resident: the class of everybody but the mayor, for people who can do more than others.
    """
    install(plan.tiles)
    world = World(seed=seed, step_s=step_s, start=start)
    world.add("town", Town(title=plan.tiles.name, map_name=plan.tiles.name, treasury_cents=TREASURY_CENTS))
    world.add("weather", Weather())
    follow_the_records(world)
    people = _first(plan, residents)
    staffed = {person.workplace for person in people.values()}
    for key, place in plan.places.items():
        world.add(key, _place(place, plan.tiles, FLOAT_CENTS if key in staffed else 0))
    world["town"].landmarks = [place.id for place in world.all(Place) if place.kind_info.use in ("park", "shelter")]
    for key, person in people.items():
        _move_in(world, key, Mayor if key == plan.mayor else resident, person, plan.tiles)
    _acquaint(world, plan)
    govern(world)
    world.dynamics(_renewal_of({key: _errands(person) for key, person in people.items() if person.plan}))
    if plan.mayor in people:
        world.grant(plan.mayor, "*")
    return world


def _first(plan: Blueprint, count: int | None) -> dict[str, PersonPlan]:
    names = sorted(plan.people, key=lambda name: name != plan.mayor)
    return {name: plan.people[name] for name in names[:count]}


def _place(plan: PlacePlan, tiles: TileMap, cash_cents: int) -> Place:
    usual, node = kind_of(plan.kind), tiles.node(plan.tile)
    x, y = tiles.point(node)
    own = plan.model_dump(include={"opens_h", "closes_h", "weekends", "capacity", "price_cents"}, exclude_none=True)
    habits = {name: getattr(usual, name) for name in ("opens_h", "closes_h", "weekends", "capacity", "price_cents")}
    return Place(title=plan.title, kind=plan.kind, node=node, lon=x, lat=y, cash_cents=cash_cents, **habits | own)


def _move_in(world: World, key: str, kind: type[Resident], plan: PersonPlan, tiles: TileMap) -> None:
    """Put somebody into their home, in bed if it is their hour, with the groceries and the knowledge they have."""
    rng, home = world.rng("habits", key), world[plan.home]
    person = world.add(
        key,
        kind(
            title=plan.title,
            age=plan.age,
            job=plan.job,
            traits=list(plan.traits),
            biography=plan.biography,
            home=home,
            wakes_h=plan.wakes_h,
            sleeps_h=plan.sleeps_h,
            works_weekends=plan.works_weekends,
            money_cents=plan.money_cents,
            belongings={"groceries": rng.randint(1, 4)},
            mood=round(rng.uniform(0.5, 0.7), 2),
            plan=_errands(plan),
            location=home,
            **_bed(plan, home, tiles),
            **_work(world, plan),
        ),
    )
    home.guests.add(person)
    person.haunts = [name for name in plan.haunts if name in world] or _haunts(world, home, tiles)
    person.learned = {name: world[name].door_hours() for name in person.haunts if rng.random() < KNOWN_HOURS}
    _tuck_in(person, world.clock.hour, rng)


def _bed(plan: PersonPlan, home: Place, tiles: TileMap) -> dict[str, float]:
    node = tiles.node(plan.bed) if plan.bed else home.node
    x, y = tiles.point(node)
    return {"node": node, "lon": x, "lat": y}


def _work(world: World, plan: PersonPlan) -> dict[str, object]:
    if plan.workplace is None or plan.shift_h is None:
        return {}
    workplace = world[plan.workplace]
    return {
        "workplace": workplace,
        "shift_starts_h": plan.shift_h[0],
        "shift_ends_h": plan.shift_h[1],
        "wage_cents_h": workplace.kind_info.wage_cents_h,
    }


def _errands(plan: PersonPlan) -> dict[str, str]:
    """Return somebody's plan as a resident keeps it: `{"16:00": "read about balloons at library"}`."""
    return {errand.at: f"{errand.what} at {errand.place}" for errand in plan.plan}


def _haunts(world: World, home: Place, tiles: TileMap) -> list[str]:
    """Return where people shop, eat and spend time, the nearest to their home first; in a village, everywhere."""
    public = [place for place in world.all(Place) if place.kind_info.use not in ("home", "office", "park", "shelter")]
    public.sort(key=lambda place: (tiles.distance_m((home.lon, home.lat), (place.lon, place.lat)), place.id))
    return [place.id for place in public[:HAUNTS]]


def _tuck_in(person: Resident, hour: float, rng: Random) -> None:
    """Let somebody sleep if the story begins at their hour of sleep, and be as rested as they are by then."""
    sleep_left_h = (person.wakes_h - hour) % 24
    night_h = (person.wakes_h - person.sleeps_h) % 24
    if sleep_left_h <= night_h:
        person.activity, person.until_s = "sleeping", 3600 * (sleep_left_h + rng.uniform(0.0, 0.4))
        person.energy = round(max(0.3, 0.95 - 0.08 * sleep_left_h), 2)


def _acquaint(world: World, plan: Blueprint) -> None:
    relations = world["town"].relations
    for bond in plan.bonds:
        if bond.one in world and bond.other in world:
            relations.add_edge(bond.one, bond.other, strength=bond.strength, kind=bond.kind)


def _renewal_of(habits: Mapping[str, Mapping[str, str]]) -> Dynamics:
    """Return the rule that writes the habits of a day into people's plans again, every night."""

    def renew_plans(world: World) -> None:
        hour = world.clock.hour
        if not PLANS_RENEWED_H <= hour < PLANS_RENEWED_H + world.step_s / 3600:
            return
        for key, habit in habits.items():
            if key in world:
                world[key].plan |= {at: what for at, what in habit.items() if at not in world[key].plan}

    return renew_plans
