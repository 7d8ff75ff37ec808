"""Money: it moves from one purse to another by `pay`, and is never made or lost on the way."""

from typing import Any

from cave_sim import Change, Refused, World
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.town import Town

Purse = Person | Place | Town
MONEY_FIELDS = ("money_cents", "cash_cents", "treasury_cents")
PURSE: dict[type[Person | Place | Town], str] = {Person: "money_cents", Place: "cash_cents", Town: "treasury_cents"}
TAX = 0.25
PENSION_CENTS, GRANT_CENTS = 5200, 3400  # paid to the retired and to students, each morning


def pay(giver: Purse, taker: Purse, cents: int) -> None:
    """Move money from one purse to another.

    Raises:
        Refused: the giver does not have that much.
    """
    have = balance_cents(giver)
    if cents > have:
        raise Refused(f"{giver.title} has {euros(have)} and cannot pay {euros(cents)}.")
    if cents > 0:
        _set_balance(giver, have - cents)
        _set_balance(taker, balance_cents(taker) + cents)
        giver.world["town"].turnover_cents += cents


def pay_wage(town: Town, worker: Person, hours: float) -> None:
    """Pay for hours worked: the workplace pays, a quarter goes to the town as tax. The town fills an empty till."""
    workplace = worker.workplace
    if workplace is None or hours <= 0:
        return
    gross_cents = round(hours * worker.wage_cents_h)
    short_cents = gross_cents - workplace.cash_cents
    if short_cents > 0:
        pay(town, workplace, min(short_cents, town.treasury_cents))
    gross_cents = min(gross_cents, workplace.cash_cents)
    tax_cents = round(gross_cents * TAX)
    pay(workplace, worker, gross_cents - tax_cents)
    pay(workplace, town, tax_cents)


def balance_cents(purse: Purse) -> int:
    """Return how much is in a purse."""
    return int(getattr(purse, _field(purse)))


def total_cents(world: World) -> int:
    """Count all the money there is: every purse, every till, the treasury."""
    return sum(int(getattr(purse, name)) for kind, name in PURSE.items() for purse in world.all(kind))


def moved_money_adds_up(_: World, changes: list[Change]) -> bool:
    """Say whether the changes leave all purses together with what they held. Cost: what was touched."""
    return sum(map(_gain_cents, changes)) == 0


def audit(world: World) -> bool:
    """Say whether all purses together hold what was issued. Cost: all of them, so once a step is enough."""
    return total_cents(world) == int(world["town"].money_supply_cents)


def euros(cents: int) -> str:
    """Return an amount as text."""
    return f"{cents / 100:,.2f} EUR"


def _gain_cents(change: Change) -> int:
    """Return how much money one change brings into the world."""
    if change.op == "set":
        return int(change.new - change.old) if len(change.path) == 1 and change.path[0] in MONEY_FIELDS else 0
    return _held_cents(change.new) - _held_cents(change.old) if change.op in ("create", "remove") else 0


def _held_cents(entity: dict[str, Any] | None) -> int:
    return sum(entity["fields"].get(name, 0) for name in MONEY_FIELDS) if entity else 0


def _field(purse: Purse) -> str:
    return next(name for kind, name in PURSE.items() if isinstance(purse, kind))


def _set_balance(purse: Purse, cents: int) -> None:
    setattr(purse, _field(purse), cents)
