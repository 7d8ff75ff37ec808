"""A double auction in rounds: who offers the best price waits for somebody to take it (Smith 1962).

What a unit is worth to a buyer, or costs a seller, is theirs alone to know. Each trader has one unit a day.
"""

from __future__ import annotations

import math

from cave_sim import Entity, Refused, World, field, narrates, own_agent_only

BUYER, SELLER = "buyer", "seller"
CEILING_C = 200


class Pit(Entity):
    """The floor: the best bid and ask that stand, and what was traded."""

    guarded_budget: bool = field(True, guarded=True, about="whether an offer that would lose money is refused")
    bid_c: int = field(0, unit="cent", ge=0, guarded=True, about="the best bid that stands; 0: none")
    bidder: str = field("", guarded=True, about="whose it is")
    ask_c: int = field(CEILING_C + 1, unit="cent", ge=0, guarded=True, about="the best ask that stands; 201: none")
    asker: str = field("", guarded=True, about="whose it is")
    tape: list[tuple[int, str, bool]] = field([], guarded=True, about="today's offers: cents, who, whether taken")
    prices: list[int] = field([], guarded=True, about="of today's trades, in cents, in order")
    day: int = field(0, ge=0, guarded=True, about="from 0")
    round: int = field(0, ge=0, guarded=True, about="of the day, from 0")
    rounds: int = field(20, ge=1, guarded=True, about="how many a day has")
    gains_c: list[int] = field([], guarded=True, about="what all gained together, by day, in cents")
    trades: list[int] = field([], guarded=True, about="how many units were traded, by day")
    off_c: list[float] = field([], guarded=True, about="how far prices lay off equilibrium, root mean square, by day")
    gain_c: int = field(0, guarded=True, about="what all have gained together today, in cents")
    equilibrium_c: float = field(0.0, guarded=True, private=True, about="where demand meets supply")
    most_c: int = field(0, guarded=True, private=True, about="what all could gain together in a day")


class Trader(Entity):
    """Somebody with one unit to buy or to sell each day."""

    side: str = field(BUYER, guarded=True, about="buyer or seller")
    worth_c: int = field(100, unit="cent", ge=0, guarded=True, private=True, about="its value to me, or its cost")
    margin: float = field(0.0, private=True, about="the share of what it is worth that I want to gain")
    heard: int = field(0, ge=0, private=True, about="how many of today's offers I have learned from")
    done: bool = field(False, guarded=True, about="whether today's unit is traded")

    @own_agent_only
    @narrates("offers {price_c} cent")
    def offer(self, price_c: int) -> str:
        """Bid, or ask, a price in cents: `me.offer(95)`. It must better what stands; one that is taken is a trade."""
        exchange: Pit = self.world["exchange"]
        if self.done:
            raise Refused("your unit of today is traded")
        if not 1 <= price_c <= CEILING_C:
            raise Refused(f"{price_c}: prices go from 1 to {CEILING_C} cent")
        if exchange.guarded_budget and self.gain_at(price_c) < 0:
            raise Refused(f"{price_c}: nobody may trade at a loss")
        taken = self._bid(exchange, price_c) if self.side == BUYER else self._ask(exchange, price_c)
        exchange.tape.append((exchange.prices[-1] if taken else price_c, self.side, taken))
        return "traded" if taken else "it stands"

    def gain_at(self, price_c: int) -> int:
        """Return what I would gain at a price, in cents."""
        return self.worth_c - price_c if self.side == BUYER else price_c - self.worth_c

    def _bid(self, exchange: Pit, price_c: int) -> bool:
        if price_c <= exchange.bid_c:
            raise Refused(f"{price_c}: somebody bids {exchange.bid_c} already")
        if price_c >= exchange.ask_c:
            _trade(exchange, self, self.world[exchange.asker], exchange.ask_c)
            return True
        exchange.bid_c, exchange.bidder = price_c, self.id
        return False

    def _ask(self, exchange: Pit, price_c: int) -> bool:
        if price_c >= exchange.ask_c:
            raise Refused(f"{price_c}: somebody asks {exchange.ask_c} already")
        if price_c <= exchange.bid_c:
            _trade(exchange, self.world[exchange.bidder], self, exchange.bid_c)
            return True
        exchange.ask_c, exchange.asker = price_c, self.id
        return False


def _trade(exchange: Pit, buyer: Trader, seller: Trader, price_c: int) -> None:
    """Let two trade at the price that stood first; all offers are void then."""
    buyer.done = seller.done = True
    exchange.prices.append(price_c)
    exchange.gain_c += buyer.worth_c - seller.worth_c
    _clear(exchange)


def _clear(exchange: Pit) -> None:
    exchange.bid_c, exchange.bidder, exchange.ask_c, exchange.asker = 0, "", CEILING_C + 1, ""


def pass_time(world: World) -> None:
    """Count a round; behind the last one, close the day and hand everybody a new unit."""
    exchange: Pit = world["exchange"]
    exchange.round += 1
    if exchange.round < exchange.rounds:
        return
    off = [(price_c - exchange.equilibrium_c) ** 2 for price_c in exchange.prices]
    exchange.off_c.append(math.sqrt(sum(off) / len(off)) if off else 0.0)
    exchange.gains_c.append(exchange.gain_c)
    exchange.trades.append(len(exchange.prices))
    exchange.tape, exchange.prices, exchange.gain_c, exchange.round = [], [], 0, 0
    exchange.day += 1
    _clear(exchange)
    for trader in world.all(Trader):
        trader.done, trader.heard = False, 0


def equilibrium(values_c: list[int], costs_c: list[int]) -> tuple[float, int]:
    """Return the competitive price, the middle of those that clear the market, and the most that all can gain."""
    values_c, costs_c = sorted(values_c, reverse=True), sorted(costs_c)
    pairs = [pair for pair in zip(values_c, costs_c, strict=True) if pair[0] >= pair[1]]
    traded = len(pairs)
    low = max([costs_c[traded - 1], *values_c[traded : traded + 1]])
    high = min([values_c[traded - 1], *costs_c[traded : traded + 1]])
    return (low + high) / 2, sum(value - cost for value, cost in pairs)


def efficiency(world: World) -> float:
    """Return what all gained on the last whole day, as a share of the most that they could; 0 before there was one."""
    exchange: Pit = world["exchange"]
    return exchange.gains_c[-1] / exchange.most_c if exchange.gains_c else 0.0


def alpha(world: World) -> float:
    """Return Smith's coefficient of the last whole day: how far prices lay off equilibrium, in percent of it."""
    exchange: Pit = world["exchange"]
    return 100 * exchange.off_c[-1] / exchange.equilibrium_c if exchange.off_c else 0.0


def trades(world: World) -> int:
    """Return how many units were traded on the last whole day; 0 before there was one."""
    exchange: Pit = world["exchange"]
    return exchange.trades[-1] if exchange.trades else 0
