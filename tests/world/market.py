"""A small market: what the tests of the core act on."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from cave_sim import Entity, Refused, World, field, own_agent_only


class Stall(Entity):
    """Sells apples."""

    title: str = field("Stall")
    price_cents: int = field(100, unit="EUR cent", ge=1, about="price of one apple")
    till_cents: int = field(0, ge=0, guarded=True, merge="add")
    apples: int = field(10, ge=0, guarded=True, merge="add")
    visitors: list["Buyer"] = field([], guarded=True, merge="extend")

    def sell(self, buyer: "Buyer") -> int:
        """Sell one apple; returns its price in cents."""
        if self.apples == 0:
            raise Refused(f"{self.title} has no apples left; come back tomorrow")
        if buyer.purse_cents < self.price_cents:
            raise Refused(f"{self.title}: an apple costs {self.price_cents} cents, you have {buyer.purse_cents}")
        buyer.purse_cents -= self.price_cents
        self.till_cents += self.price_cents
        self.apples -= 1
        self.visitors.append(buyer)
        return self.price_cents

    def restock(self, apples: int) -> None:
        """Bring new apples."""
        self.apples += apples


class Buyer(Entity):
    """Buys apples."""

    mood: float = field(0.5, ge=0, le=1)
    purse_cents: int = field(1000, ge=0, guarded=True, merge="add")
    favourite: Stall | None = field(None)
    diary: list[str] = field([])
    basket: dict[str, int] = field({})
    shelves: dict[str, list[int]] = field({"a": [1, 2]})
    tags: set[str] = field(set())
    friends: list["Buyer"] = field([])
    map: nx.Graph = field(nx.path_graph(3))
    grid: np.ndarray = field(np.zeros((3, 3)))
    table: pd.DataFrame = field(pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "c"]}))

    @own_agent_only
    def sing(self, song: str) -> str:
        """Sing."""
        self.diary.append(f"sang {song}")
        return song


class Weather(Entity):
    """The weather."""

    temperature_c: float = field(15.0, unit="degC", ge=-60, le=60)
    rain_mm: float = field(0.0, unit="mm", ge=0, merge="last")
    notes: list[str] = field([], merge="extend")


def money_cents(world: World) -> int:
    """All the money there is."""
    return sum(buyer.purse_cents for buyer in world.all(Buyer)) + sum(stall.till_cents for stall in world.all(Stall))


def make_market(seed: int = 7, **options) -> World:
    world = World(seed=seed, start="2012-06-01T06:00", **options)
    world.add("stall", Stall())
    world.add("weather", Weather())
    for name in ("ann", "bob", "cem"):
        world.add(name, Buyer())
    world["ann"].friends.append(world["bob"])
    world.grant("mayor", "*")
    world.invariant("money is conserved", lambda world: money_cents(world) == 3000)

    @world.dynamics
    def weather_moves(world: World) -> None:
        world["weather"].temperature_c = 15 + world.rng("weather").uniform(-2, 2)

    return world


@pytest.fixture
def market() -> World:
    return make_market()
