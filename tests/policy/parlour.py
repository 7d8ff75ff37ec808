"""A house of people whose fields are not for everybody; two of them differ in nothing but bob's secrets."""

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim import Entity, Refused, Simulation, Visibility, World, field, own_agent_only

STEPS = 1
PURSE_HOLDS = 1_000


def odd(entity: Any, _reader: Any, _world: Any) -> bool:
    """A rule that falls over what it guards."""
    raise KeyError(entity.diary[0])


def is_taller(_start: Any, current: Any, written: Any) -> Any:
    """A merge that says more than it should."""
    raise ValueError(f"{current} and {written}")


ALLIES = Visibility("allies", lambda entity, reader, world: reader.id in entity.allied)


class Guest(Entity):
    """Somebody in the house."""

    title: str = field("somebody", about="what everybody calls them")
    room: str = field("hall", guarded=True, visible_to="here")
    wearing: list[str] = field(["a hat"], visible_to="here", about="what they wear")
    hands: dict[str, list[str]] = field({"left": ["a glass"]}, visible_to="here")
    chart: nx.Graph = field(nx.path_graph(2), visible_to="here")
    scores: np.ndarray = field(np.zeros(2), visible_to="here")
    friends: "list[Guest]" = field([], private=True)
    circle: "set[Guest]" = field(set(), visible_to="known")
    letters: list[str] = field([], visible_to="known", about="what they wrote to friends")
    allied: list[str] = field([], private=True)
    pact: str = field("", visible_to=ALLIES)
    broken: str = field("", visible_to=odd)

    diary: list[str] = field(["nothing"], private=True, about="what they write at night")
    counts: dict[str, int] = field({}, private=True)
    marks: set[str] = field(set(), private=True)
    pair: tuple[str, int] = field(("", 0), private=True)
    purse: int = field(0, ge=0, le=PURSE_HOLDS, merge="add", guarded=True, private=True)
    pulse: float = field(60.0, ge=0, le=300, private=True)
    height: int = field(0, merge=is_taller, private=True)
    lover: "Guest | None" = field(None, private=True)
    streets: nx.DiGraph = field(nx.DiGraph(), private=True)
    accounts: pd.DataFrame = field(pd.DataFrame({"cents": [0]}), private=True)
    grid: np.ndarray = field(np.zeros(2), private=True)
    memory: object = field(None, private=True)

    def _whereabouts(self) -> str:
        return self.room

    def _is_known_to(self, reader: Entity) -> bool:
        return reader in self.friends

    @property
    def is_rich(self) -> bool:
        """Whether there is much in the purse."""
        return self.purse > PURSE_HOLDS // 2

    @own_agent_only
    def walk(self, room: str) -> None:
        """Go to another room."""
        self.room = room

    def pay(self, other: "Guest", cents: int) -> str:
        """Give money to somebody."""
        if cents > self.purse:
            raise Refused(f"{self.id} does not have that much")
        self.purse -= cents
        other.purse += cents
        return "paid"

    def press(self, other: "Guest", grip: float) -> None:
        """Shake hands; the heart beats faster."""
        other.pulse += grip

    def measure(self, other: "Guest", height: int) -> None:
        """Write down how tall somebody is."""
        other.height = height

    def remind(self, other: "Guest", line: Any) -> None:
        """Leave a line in somebody's diary."""
        other.diary.append(line)

    def write_over(self, other: "Guest", lines: list[str]) -> None:
        """Write somebody's diary anew."""
        other.diary = lines

    def wave(self, other: "Guest") -> str:
        """Wave at somebody and whoever they love."""
        return f"waved at {other.id}" if other.lover is None else f"waved at {other.id} and somebody"


class Box(Entity):
    """A box that nobody is."""

    label: str = field("a box")
    inside: str = field("", private=True)


SECRETS: tuple[dict[str, Any], dict[str, Any]] = (
    {"word": "rosebud", "number": 7, "lover": "eve"},
    {"word": "xanadu", "number": 953, "lover": "dan"},
)
PEOPLE = ("ann", "bob", "dan", "eve", "mayor")


def build(*, secret: int = 0, told: bool = False) -> World:
    """Return the house; ann is in the hall with bob, and neither a friend nor an ally of his.

    Args:
        secret: which of two sets of secrets bob and the box have.
        told: whether ann may read everything.
    """
    world = World(seed=3)
    for name in PEOPLE:
        world.add(name, Guest(purse=500))
    bob, kept = world["bob"], SECRETS[secret]
    word, number = kept["word"], kept["number"]
    bob.diary, bob.counts, bob.marks, bob.pair = [word], {word: number}, {word}, (word, number)
    bob.purse, bob.pulse, bob.height, bob.lover = number, float(number % 300), number, world[kept["lover"]]
    bob.friends, bob.circle, bob.letters = [world[kept["lover"]]], {world[kept["lover"]]}, [word]
    bob.allied, bob.pact, bob.broken, bob.memory = [kept["lover"]], word, word, {"is": [word, number]}
    bob.streets = nx.DiGraph([(word, "b", {"m": number})])
    bob.accounts, bob.grid = pd.DataFrame({"cents": [number]}), np.array([number, 1.0])
    world.add("box", Box(inside=word))
    world.grant("mayor", "*")
    world.inject("plain_sum", sum)
    world.execute(f"secret = {word!r}\ndef mine():\n    return secret", agent="bob")
    if told:
        world.grant_reading("ann", "*")
    return world


def create(*, secret: int = 0, told: bool = False, **options: Any) -> Simulation:
    """Return a simulation of the house in which nobody acts by themselves."""
    return Simulation(build(secret=secret, told=told), **options)
