"""What the tasks of ``token_efficiency`` are set in: a home, a depot, a shop; and how their scripts make calls."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from cave_sim import World
from cave_sim.experiment.task import Call, Calling, call
from cave_sim.worlds.market import Cart, Exchange, Portfolio, Product

Seen = list[Any]


def deciding(
    look: Sequence[Call], *decide: Callable[[Seen], Sequence[Call]], says: Callable[[Seen], str] | None = None
) -> Calling:
    """Return how to play a look around, and rounds of calls that each follow from all that was seen so far."""

    def play() -> Generator[Sequence[Call], list[Any], str]:
        seen = list((yield look))
        for each in decide:
            calls = each(seen)
            if calls:
                seen += yield calls
        return says(seen) if says else "Done."

    return play


def look(*entities: str) -> list[Call]:
    """Return the calls that look at entities."""
    return [call("look", entity=entity) for entity in entities]


LAMPS = ("hall_lamp", "kitchen_lamp", "living_lamp", "bedroom_lamp")
COLD, HOT, DUSK = ((21, 3, "dark", True),), ((15, 27, "bright", False),), ((18, 12, "dusk", False),)

QUOTES = {"ALDER": 4_120, "BIRCH": 1_875, "CEDAR": 990, "DOGWOOD": 12_300, "ELM": 655}
RATINGS = {"ALDER": 2, "BIRCH": 5, "CEDAR": 4, "DOGWOOD": 1, "ELM": 5}
HELD = {"ALDER": 30, "CEDAR": 200, "DOGWOOD": 12}


def trading(world: World) -> None:
    """Open an exchange and a portfolio."""
    exchange = world.add("exchange", Exchange(quotes_cents=QUOTES, ratings=RATINGS))
    world.add("depot", Portfolio(exchange=exchange, cash_cents=250_000, shares=HELD))


def quotes(*tickers: str) -> list[Call]:
    """Return the calls that ask for prices."""
    return [call("Exchange_quote", entity="exchange", ticker=ticker) for ticker in tickers]


def worth(shares: dict[str, int]) -> int:
    """Return what shares are worth in cents."""
    return sum(count * QUOTES[ticker] for ticker, count in shares.items())


PRODUCTS = {  # category, price in cents, stock, stars
    "kettle": ("kitchen", 3_450, 4, 4.1), "toaster": ("kitchen", 2_890, 0, 4.6), "pan": ("kitchen", 4_200, 9, 4.7),
    "novel": ("books", 1_290, 30, 3.9), "atlas": ("books", 3_900, 2, 4.8), "cookbook": ("books", 2_450, 6, 4.5),
    "ball": ("sport", 1_990, 12, 4.0), "skipping_rope": ("sport", 890, 25, 4.4),
}  # fmt: skip


def shop(world: World) -> None:
    """Open a shop, with somebody's empty cart."""
    for name, (category, price_cents, stock, stars) in PRODUCTS.items():
        world.add(name, Product(category=category, price_cents=price_cents, stock=stock, stars=stars))
    world.add("cart", Cart(budget_cents=20_000))


def add(product: str, count: int) -> Call:
    """Return the call that takes something from the shelf."""
    return call("Cart_add", entity="cart", product=product, count=count)


BOOKS = ("novel", "atlas", "cookbook")
