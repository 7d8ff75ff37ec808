"""A town of two on one long street, for tests; and how to act in it."""

from cave_sim import World
from cave_sim.worlds.town import Mayor, Place, Resident, Town, Weather, govern, install
from cave_sim.worlds.town.maps import Route

OPENING = {"cafe": (7.5, 19.0), "grocer": (7.0, 22.0), "park": (0.0, 24.0), "office": (8.0, 17.0)}


class Line:
    """A map of one long street: node n lies n metres from its beginning."""

    name, attribution = "Line", "nobody"

    def point(self, node):
        return float(node), 0.0

    def route(self, start, goal):
        step = 1 if goal >= start else -1
        nodes = tuple(range(start, goal + step, step))
        return Route(nodes, tuple(map(self.point, nodes)), tuple(float(abs(node - start)) for node in nodes))

    def distance_m(self, a, b):
        return abs(a[0] - b[0])

    def sketch(self):
        return {"name": self.name, "attribution": self.attribution, "axes": "xy", "lines": [[[0, 0], [5000, 0]]]}


def line_town(town=Town, people=Resident):
    """Return a town of two on a line, at nine on a sunny Wednesday: Ann with 50 EUR at home, Bob in the café."""
    install(Line())
    world = World(seed=1, step_s=600, start="2012-06-06T09:00")
    world.add("town", town(title="Line", map_name="Line", treasury_cents=1_000_000, landmarks=["park"]))
    world.add("weather", Weather())
    places = {
        "home": ("home", 0),
        "cafe": ("cafe", 500),
        "grocer": ("supermarket", 100),
        "park": ("park", 2000),
        "office": ("company", 300),
        "bobs": ("home", 900),
    }
    for name, (kind, node) in places.items():
        opens_h, closes_h = OPENING.get(name, (0.0, 24.0))
        world.add(
            name,
            Place(
                title=name.title(),
                kind=kind,
                node=node,
                lon=float(node),
                opens_h=opens_h,
                closes_h=closes_h,
                price_cents=500 if name in ("cafe", "grocer") else 0,
                cash_cents=100_000,
            ),
        )
    person(
        world,
        "ann",
        "home",
        people,
        workplace=world["office"],
        shift_starts_h=9.0,
        shift_ends_h=17.0,
        wage_cents_h=2000,
    )
    person(world, "bob", "cafe", people)
    person(world, "mayor", "office", Mayor)
    world.grant("mayor", "*")
    govern(world)
    return world


def person(world, name, at, kind=Resident, **about):
    home = world["home" if name == "ann" else "bobs"]
    one = world.add(name, kind(title=name.title(), home=home, money_cents=5000, haunts=["cafe", "grocer"], **about))
    place = world[at]
    one.location, one.node, one.lon = place, place.node, place.lon
    place.guests.add(one)
    return one


def act(world, code, agent="ann"):
    """Run a cell that has to land."""
    turn = world.execute(code, agent=agent)
    assert turn.status == "committed", turn.error
    return turn


def refusal(world, code, agent="ann"):
    """Run a cell that must not land; return why."""
    turn = world.execute(code, agent=agent)
    assert turn.status != "committed"
    return turn.error


def wait(world, steps):
    for _ in range(steps):
        world.advance()
