"""Shapley values of causes: what each adds on average, whichever others are there; and which act only together.

Sampled orders (Castro, Gómez and Tejada 2009): candidates are put back one after the other in a random order, and each
is credited with what the question changes by. With few of them, all orders are gone through. They add up to the
difference between the run and one without any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from math import factorial
from random import Random
from typing import Any

from cave_sim.analysis.statistics import Estimate, mean_interval
from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.ranking import OutOfForks, outcome
from cave_sim.causes.removal import Removal
from cave_sim.errors import WorldError

MOST_PLAYERS = 8


@dataclass(frozen=True)
class Shares:
    """How a difference is shared out.

    Attributes:
        players: the candidates.
        values: the Shapley value of each, over the orders that were gone through.
        together: by pairs of places, what both do beyond the sum of what either does alone, all others being there:
            above 0 where they need each other, below where one would be enough.
        orders: how many.
        is_exact: whether these are all orders there are.
    """

    players: tuple[Candidate, ...]
    values: tuple[Estimate, ...]
    together: dict[tuple[int, int], float]
    orders: int
    is_exact: bool

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        shares = [
            {"name": each.name, "told": each.description, "value": value.mean, "low": value.low, "high": value.high}
            for each, value in zip(self.players, self.values, strict=True)
        ]
        together = [{"pair": list(pair), "effect": effect} for pair, effect in self.together.items()]
        return {"shares": shares, "together": together, "orders": self.orders, "is_exact": self.is_exact}


def shapley(
    counterfactuals: Counterfactuals,
    players: Sequence[Candidate],
    *,
    orders: int = 24,
    max_forks: int | None = None,
    seed: int = 0,
) -> Shares:
    """Return the Shapley values of some candidates, and which pairs of them interact.

    Args:
        counterfactuals: of the run, checked.
        players: at most 8; what is not among them stays as it was.
        orders: how many random orders are gone through, or all if there are no more.
        max_forks: how many forks may be run; as many orders are gone through as these allow.
        seed: the orders follow from it.

    Raises:
        WorldError: there are none or too many, an outcome that is needed is not known, or forks ran out before one
            order was gone through.
    """
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise WorldError(f"between 1 and {MOST_PLAYERS} candidates are put together in all orders, not {len(players)}")

    def worth(there: frozenset[int]) -> float:
        taken = [each for place, each in enumerate(players) if place not in there]
        if not taken:
            return float(counterfactuals.fact)
        result = outcome(counterfactuals, Removal.of(taken), min(each.step for each in taken), max_forks)
        if result.value is None:
            raise WorldError(f"what {len(taken)} of them do together is not known: {result.why}")
        return float(result.value)

    everybody = frozenset(range(len(players)))
    marginals: list[list[float]] = [[] for _ in players]
    together: dict[tuple[int, int], float] = {}
    done = 0
    try:
        for one, other in combinations(range(len(players)), 2):
            lacking = [worth(everybody - {each}) for each in (one, other)]
            together[one, other] = float(counterfactuals.fact) - sum(lacking) + worth(everybody - {one, other})
        for order in _orders(len(players), orders, seed):
            steps = [worth(frozenset(order[:size])) for size in range(len(players) + 1)]
            for place, before, after in zip(order, steps, steps[1:], strict=False):
                marginals[place].append(after - before)
            done += 1
    except OutOfForks:
        if not done:
            raise WorldError("forks or calls ran out before one order was gone through: raise --max-forks") from None
    values = tuple(mean_interval(each) for each in marginals)
    return Shares(tuple(players), values, together, done, done == factorial(len(players)))


def _orders(size: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return all orders if they are few; else random ones, each beside its reverse, for less scatter."""
    if factorial(size) <= most:
        return list(permutations(range(size)))
    draws, orders = Random(seed), []
    for _ in range(-(-most // 2)):
        order = tuple(draws.sample(range(size), size))
        orders += [order, order[::-1]]
    return list(islice(orders, most))
