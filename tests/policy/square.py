"""A small town square, with something in it for every kind of attack, and ordinary people who live there."""

import collections
import io
import sqlite3
from typing import ClassVar

import networkx as nx
import numpy as np
import pandas as pd
import plotly.graph_objects as graphs

from cave_sim import Entity, Limits, Refused, World, field


class Citizen(Entity):
    """Somebody who lives at the square and acts by cells."""

    mood: float = field(0.5, ge=0, le=1)
    plan: str = field("")
    notes: list[str] = field([])
    counts: dict[str, int] = field({})
    friends: "list[Citizen]" = field([])
    tags: set[str] = field(set())
    memory: object = field(None)
    money_cents: int = field(1_000, unit="EUR cent", ge=0, guarded=True)
    map: nx.Graph = field(nx.path_graph(3))
    grid: np.ndarray = field(np.zeros(4))
    diary: pd.DataFrame = field(pd.DataFrame({"day": [1, 2], "text": ["rain", "sun"]}))

    def cheer(self) -> str:
        """Say something kind."""
        return f"{self.id} is glad"


class Shop(Entity):
    """Where people buy things."""

    HOURS: ClassVar[list[int]] = [8, 20]
    OPENING: tuple[int, int] = field((8, 20))
    title: str = field("Corner shop")
    price_cents: int = field(300, unit="EUR cent", ge=0)
    is_open: bool = field(True)
    stock: dict[str, int] = field({"bread": 5, "milk": 3})
    guests: list[str] = field(["old Eva"])
    owner: "Citizen | None" = field(None)
    till_cents: int = field(0, unit="EUR cent", ge=0, guarded=True)

    def buy(self, customer: Citizen, item: str, count: int = 1) -> int:
        """Buy something; returns the price paid in cents."""
        if self.stock.get(item, 0) < count:
            raise Refused(f"{self.title} has no {count} {item}")
        self.stock[item] -= count
        paid = self.price_cents * count
        customer.money_cents -= paid
        self.till_cents += paid
        return paid

    def open(self) -> None:
        """Open the door."""
        self.is_open = True

    def look_up(self, prices) -> object:
        """Ask for something in a table of prices; looks into whatever it is given."""
        self.till_cents += 0
        return prices["missing"] if "missing" in str(prices) else len(prices)

    def half(self, count: int) -> None:
        """Fail after a first write."""
        self.stock["bread"] = 0
        self.till_cents = 10 // count


class Vault(Entity):
    """What nobody here may touch."""

    treasury_cents: int = field(100_000, unit="EUR cent", ge=0)
    entries: list[dict[str, int]] = field([{"paid": 1}])
    streets: nx.Graph = field(nx.Graph([("a", "b"), ("b", "c"), ("c", "d")]))
    accounts: pd.DataFrame = field(pd.DataFrame({"who": ["x", "y"], "cents": [10, 20]}))
    grid: np.ndarray = field(np.arange(6))


class Board:
    """An object of the researcher's own class, lent to all cells."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tags = {"old", "new"}
        self.pairs = [("three", {3})]
        self.queue = collections.deque([{1}])

    def post(self, line: str) -> int:
        """Pin up a line of text."""
        self.lines.append(str(line))
        return len(self.lines)


def apply_to_each(items, function):
    """A tool that calls back."""
    return [function(item) for item in items]


def weather_of(day: int) -> str:
    """A tool that answers."""
    return ["sun", "rain"][day % 2]


def chart(title: str, x: list[float], y: list[float]) -> object:
    """A tool that draws."""
    return graphs.Figure([graphs.Scatter(x=x, y=y, name="line")], {"title": title})


def database() -> sqlite3.Connection:
    """A database that people may ask."""
    found = sqlite3.connect(":memory:")
    found.execute("create table sales (part text, units integer, price real)")
    found.executemany("insert into sales values (?, ?, ?)", [("east", 3, 2.5), ("west", 5, 4.0), ("east", 4, 3.0)] * 4)
    found.commit()
    return found


pd.read_csv(io.StringIO("text\nwords"))  # loads what pandas keeps texts in

# plotly loads its parts when they are first used, which a sandboxed process may not do
chart("", [0], [0]).update_layout(xaxis_title="").to_json()


def build(*, ticks: int = 30_000, deadline_s: float = 2.0) -> World:
    """Return the square with ann, bob and the mayor, who may write everything."""
    world = World(
        seed=11, start="2012-06-01T06:00", limits=Limits(deadline_s=deadline_s, ticks=ticks, output_chars=4_000)
    )
    for name in ("ann", "bob", "mayor"):
        world.add(name, Citizen(notes=[f"I am {name}"], counts={"walks": 2}, tags={"kind", "tall"}))
    world.add("shop", Shop(owner=world["bob"]))
    world.add("vault", Vault())
    world["ann"].friends = [world["bob"]]
    world.grant("mayor", "*")
    world.inject("prices", {"bread": 300, "milk": 120}, about="what things cost")
    world.inject(
        "census", pd.DataFrame({"part": ["east", "west", "east"], "people": [3, 5, 4]}), about="who lives where"
    )
    world.inject("db", database(), about="who bought what: sales(part, units, price)")
    world.inject("apply_to_each", apply_to_each)
    world.inject("weather_of", weather_of)
    world.inject("chart", chart)
    world.inject("board", Board())
    world.execute("secret = [1, 2]\ndef mine():\n    return secret\n", agent="bob")
    world.state_hash()
    return world
