"""Who bargains: with no intelligence (Gode and Sunder 1993), or with a margin that learns (Cliff 1997)."""

from __future__ import annotations

import math
from typing import Any

from cave_sim import Agent
from cave_sim.simulations.bargaining.exchange import BUYER, CEILING_C, Pit


class ZeroIntelligence(Agent):
    """Offers any price at random, whatever it means; what it cannot afford, the exchange may refuse."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run."""
        return "" if observation["done"] else f"me.offer({self.price_c(observation)})"

    def price_c(self, observation: dict[str, Any]) -> int:
        """Return a price in cents."""
        return self.rng.randint(1, CEILING_C)


class Constrained(ZeroIntelligence):
    """Offers any price at random at which it would not lose."""

    def price_c(self, observation: dict[str, Any]) -> int:
        worth_c = observation["worth_c"]
        return self.rng.randint(1, worth_c) if observation["side"] == BUYER else self.rng.randint(worth_c, CEILING_C)


RATE, RELATIVE, BEYOND_C = 0.3, 0.05, 2.5
"""How fast margins learn; and by how much at most, in shares and in cents, a target lies beyond what was heard."""


class Learner(Agent):
    """Wants a margin: it rises where others trade at better prices, and falls where they trade, or offer, at worse."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run: what was learned from today's offers, and an offer where it would better others'."""
        exchange: Pit = self.model.world["exchange"]
        margin, heard = self._learned(observation, exchange), len(exchange.tape)
        news = (margin, heard) != (observation["margin"], observation["heard"])
        cell = f"me.margin, me.heard = {margin}, {heard}" if news else ""
        buys = observation["side"] == BUYER
        price_c = _price_c(observation["worth_c"], margin, buys)
        betters = price_c > exchange.bid_c if buys else price_c < exchange.ask_c
        if observation["done"] or not betters:
            return cell
        return f"{cell}\nme.offer({price_c})".strip()

    def _learned(self, observation: dict[str, Any], exchange: Pit) -> float:
        """Return the margin after the offers since the last look (Widrow and Hoff's rule, as Cliff 1997 has it).

        An offer of the own side that nobody takes counts anew in each round: without that, a market would fall silent
        between bids and asks that nobody betters.
        """
        margin, worth_c = float(observation["margin"]), observation["worth_c"]
        side, sign = observation["side"], -1 if observation["side"] == BUYER else 1
        stands_c = exchange.bid_c if side == BUYER else exchange.ask_c
        waits = [(stands_c, side, False)] if (exchange.bidder if side == BUYER else exchange.asker) else []
        for heard_c, whose, taken in [*exchange.tape[observation["heard"] :], *waits]:
            mine_c = worth_c * (1 + sign * margin)
            ahead_c = sign * (heard_c - _price_c(worth_c, margin, sign < 0))  # above 0: better for me than mine
            if taken and ahead_c >= 0:
                towards = sign
            elif not observation["done"] and ahead_c <= 0 and taken == (whose != side):
                towards = -sign
            else:
                continue
            target_c = heard_c * (1 + towards * self.rng.uniform(0, RELATIVE)) + towards * self.rng.uniform(0, BEYOND_C)
            wanted_c = mine_c + RATE * (target_c - mine_c)
            margin = round(max(0.0, sign * (wanted_c / worth_c - 1)), 4)
        return margin


def _price_c(worth_c: int, margin: float, buys: bool) -> int:
    """Return the price at a margin, in cents, within what can be offered."""
    price_c = math.floor(worth_c * (1 - margin)) if buys else math.ceil(worth_c * (1 + margin))
    return max(1, min(CEILING_C, price_c))


KINDS: dict[str, type[Agent]] = {
    "zi_unconstrained": ZeroIntelligence,
    "zi_constrained": Constrained,
    "learning": Learner,
}
