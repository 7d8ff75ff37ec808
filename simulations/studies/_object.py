"""Object types: instances of classes of one's own, read and changed by attributes and methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.experiment.task import Query, Task, Variable


class Tower:
    """A tower of blocks; only the topmost can be taken."""

    def __init__(self, *blocks: str) -> None:
        self.blocks = list(blocks)
        self.moves = 0

    def put(self, block: str) -> None:
        """Put a block on top."""
        self.blocks.append(block)
        self.moves += 1

    def take(self) -> str:
        """Take the topmost block and return it."""
        self.moves += 1
        return self.blocks.pop()

    def height(self) -> int:
        """Return how many blocks there are."""
        return len(self.blocks)


class Basket:
    """A shopping basket, with prices in cents."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.prices: dict[str, int] = {}
        self.discount = 0

    def add(self, name: str, price: int, count: int = 1) -> None:
        """Put something in, at a price for each."""
        self.prices[name] = price
        self.counts[name] = self.counts.get(name, 0) + count

    def drop(self, name: str) -> None:
        """Take all of something out."""
        del self.counts[name], self.prices[name]

    def total(self) -> int:
        """Return what all of it costs in cents, less the discount in percent, rounded down."""
        return sum(self.prices[name] * count for name, count in self.counts.items()) * (100 - self.discount) // 100


class Friend:
    """Somebody with an address and friends."""

    def __init__(self, name: str, age: int, city: str) -> None:
        self.name, self.age, self.city = name, age, city
        self.friends: list[str] = []

    def birthday(self) -> None:
        """Become a year older."""
        self.age += 1

    def move(self, city: str) -> None:
        """Live elsewhere."""
        self.city = city

    def befriend(self, name: str) -> None:
        """Make a friend; nobody is one's friend twice."""
        if name not in self.friends:
            self.friends.append(name)


class Kettle:
    """A kettle that heats water."""

    def __init__(self) -> None:
        self.litres = 0.0
        self.celsius = 15
        self.is_on = False

    def fill(self, litres: float) -> None:
        """Add cold water; at most 2 litres fit."""
        self.litres = min(2.0, self.litres + litres)
        self.celsius = 15

    def boil(self) -> None:
        """Heat to 100 degrees, if there is water; switches itself on."""
        if self.litres:
            self.is_on, self.celsius = True, 100

    def pour(self, litres: float) -> None:
        """Pour some out, and switch off when it is empty."""
        self.litres = max(0.0, self.litres - litres)
        self.is_on = self.is_on and self.litres > 0


Turn = tuple[str, str, dict[str, Any]] | tuple[str, str, dict[str, Any], str]


def _task(name: str, make: Callable[[], Any], *turns: Turn) -> Task:
    """Return a task about one object that is called like the task; a turn's values are those of its attributes."""
    variable = name.partition("_")[0]
    queries = tuple(
        Query(text, {path if path.startswith("=") else f"{variable}.{path}": value for path, value in values.items()},
              cave=code, wrong=wrong[0] if wrong else "")
        for text, code, values, *wrong in turns
    )  # fmt: skip
    queries = tuple(_with_results(query) for query in queries)
    return Task(name, "object", queries, variables=lambda: {variable: Variable(make())})


def _with_results(query: Query) -> Query:
    """Let paths that begin with "=" be names of variables of their own, for what is to be delivered."""
    expect = {path.removeprefix("="): value for path, value in query.expect.items()}
    return Query(query.text, expect, cave=query.cave, wrong=query.wrong)


def _anna() -> Friend:
    return Friend("Anna", 34, "Turku")


TASKS = [
    _task(
        "tower_build", lambda: Tower("red"),
        ("Put 'blue' and then 'green' on the tower.", "tower.put('blue')\ntower.put('green')",
         {"blocks": ["red", "blue", "green"], "moves": 2}),
        ("Take the topmost block off and keep its name in a variable taken.", "taken = tower.take()",
         {"blocks": ["red", "blue"], "moves": 3, "=taken": "green"}, "tower.take()\ntaken = tower.take()"),
        ("If it has fewer than 3 blocks, put 'gold' on it.", "if tower.height() < 3:\n    tower.put('gold')",
         {"blocks": ["red", "blue", "gold"], "moves": 4}, "if tower.height() > 3:\n    tower.put('gold')"),
    ),
    _task(
        "tower_turn", lambda: Tower("a", "b", "c"),
        ("Swap the two topmost blocks of the tower by its methods.",
         "one, two = tower.take(), tower.take()\ntower.put(one)\ntower.put(two)",
         {"blocks": ["a", "c", "b"], "moves": 4}, "one = tower.take()\ntower.put(one)"),
        ("Set its count of moves back to 0.", "tower.moves = 0", {"moves": 0}),
        ("Take blocks off until one is left.", "while tower.height() > 1:\n    tower.take()",
         {"blocks": ["a"], "moves": 2}, "tower.take()"),
    ),
    _task(
        "tower_copy", lambda: Tower("x", "y"),
        ("Put each block of the tower on it a second time, from the bottom up.",
         "for block in list(tower.blocks):\n    tower.put(block)",
         {"blocks": ["x", "y", "x", "y"], "moves": 2}, "for block in tower.blocks[::-1]:\n    tower.put(block)"),
        ("Keep its height in a variable height.", "height = tower.height()", {"=height": 4}, "height = tower.moves"),
        ("Reverse the order of the blocks, without counting moves.", "tower.blocks = tower.blocks[::-1]",
         {"blocks": ["y", "x", "y", "x"]}),
    ),
    _task(
        "basket_fill", Basket,
        ("Three apples at 45 cents each and a melon at 320 go into the basket: 'apple', 'melon'.",
         "basket.add('apple', 45, 3)\nbasket.add('melon', 320)",
         {"counts": {"apple": 3, "melon": 1}, "prices": {"apple": 45, "melon": 320}}),
        ("Keep what it costs in a variable cost.", "cost = basket.total()", {"=cost": 455}, "cost = 45 + 320"),
        ("Give 20 percent discount if it costs more than 4 euros, else 5.",
         "basket.discount = 20 if basket.total() > 400 else 5", {"discount": 20}),
    ),
    _task(
        "basket_swap", lambda: _filled({"pen": (120, 4), "ink": (800, 1)}),
        ("Take the ink out of the basket.", "basket.drop('ink')", {"counts": {"pen": 4}, "prices": {"pen": 120}}),
        ("Two more pens of the same price.", "basket.add('pen', basket.prices['pen'], 2)", {"counts": {"pen": 6}}),
        ("A pen now costs a quarter less.", "basket.prices['pen'] = basket.prices['pen'] * 3 // 4",
         {"prices": {"pen": 90}}),
    ),
    _task(
        "basket_limit", lambda: _filled({"tea": (350, 2), "cake": (1_200, 1)}),
        ("If the basket costs more than 15 euros, take the dearest good out.",
         "if basket.total() > 1500:\n    basket.drop(max(basket.prices, key=basket.prices.get))",
         {"counts": {"tea": 2}, "prices": {"tea": 350}}, "basket.drop(min(basket.prices, key=basket.prices.get))"),
        ("Fill up with biscuits at 90 cents, 'biscuit', as many as keep it at 10 euros or less.",
         "basket.add('biscuit', 90, (1000 - basket.total()) // 90)",
         {"counts": {"tea": 2, "biscuit": 3}, "prices": {"tea": 350, "biscuit": 90}}),
        ("Keep the number of all things in it in a variable things.", "things = sum(basket.counts.values())",
         {"=things": 5}, "things = len(basket.counts)"),
    ),
    _task(
        "anna_year", _anna,
        ("It is anna's birthday.", "anna.birthday()", {"age": 35}),
        ("She moves to Oulu.", "anna.move('Oulu')", {"city": "Oulu"}),
        ("There she makes friends with Ben and Cara, in this order.", "anna.befriend('Ben')\nanna.befriend('Cara')",
         {"friends": ["Ben", "Cara"]}),
    ),
    _task(
        "anna_friends", _anna,
        ("anna befriends 'Dan', 'Eve' and 'Dan' again.", "for name in ('Dan', 'Eve', 'Dan'):\n    anna.befriend(name)",
         {"friends": ["Dan", "Eve"]}),
        ("Sort her friends backwards by name.", "anna.friends.sort(reverse=True)", {"friends": ["Eve", "Dan"]}),
        ("For each friend she has she becomes a year older.", "for friend in anna.friends:\n    anna.birthday()",
         {"age": 36}, "anna.birthday()"),
    ),
    _task(
        "anna_name", _anna,
        ("anna is called 'Anna Virta' from now on.", "anna.name = 'Anna Virta'", {"name": "Anna Virta"}),
        ("Keep her initials in a variable initials.", "initials = ''.join(part[0] for part in anna.name.split())",
         {"=initials": "AV"}, "initials = anna.name[:2]"),
        ("If she is younger than 40, she moves to the city 'Vaasa', else to 'Kotka'.",
         "anna.move('Vaasa' if anna.age < 40 else 'Kotka')", {"city": "Vaasa"}, "anna.move('Kotka')"),
    ),
    _task(
        "kettle_tea", Kettle,
        ("Fill the kettle with one and a half litres.", "kettle.fill(1.5)", {"litres": 1.5}),
        ("Boil the water.", "kettle.boil()", {"is_on": True, "celsius": 100}),
        ("Pour four cups of a quarter of a litre.", "for _ in range(4):\n    kettle.pour(0.25)", {"litres": 0.5}),
    ),
    _task(
        "kettle_full", Kettle,
        ("Pour 1.2 litres into the kettle, and then as much again.", "kettle.fill(1.2)\nkettle.fill(1.2)",
         {"litres": 2.0}, "kettle.fill(1.2)"),
        ("If it is full (2 litres), boil it.", "if kettle.litres == 2.0:\n    kettle.boil()",
         {"is_on": True, "celsius": 100}),
        ("Empty it completely.", "kettle.pour(kettle.litres)", {"litres": 0.0, "is_on": False}),
    ),
    _task(
        "kettle_warm", Kettle,
        ("Half a litre into the kettle, and boil it.", "kettle.fill(0.5)\nkettle.boil()",
         {"litres": 0.5, "celsius": 100, "is_on": True}, "kettle.boil()\nkettle.fill(0.5)"),
        ("It has cooled: set its temperature to three fifths of what it is, as a whole number.",
         "kettle.celsius = kettle.celsius * 3 // 5", {"celsius": 60}),
        ("Below 80 degrees, switch it off by hand.", "if kettle.celsius < 80:\n    kettle.is_on = False",
         {"is_on": False}),
    ),
]  # fmt: skip


def _filled(goods: dict[str, tuple[int, int]]) -> Basket:
    basket = Basket()
    for name, (price, count) in goods.items():
        basket.add(name, price, count)
    return basket
