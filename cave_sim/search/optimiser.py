"""The order in which changes are tried: differential evolution, and then what was found is made smaller.

Differential evolution (Storn and Price 1997, as scipy has it) needs no derivative and takes whole numbers. What does
not flip the condition comes behind all that does, the nearer the better (Deb, An Efficient Constraint Handling Method
for Genetic Algorithms, 2000). What flips it is then made smaller: each parameter put back to usual if that will do, and
all of them, and each, halved towards it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cave_sim.search.change import Change, SearchSpace

PATIENCE = 4
"""After so many generations that found nothing smaller no more are tried."""
LEAST_MEMBERS, MOST_MEMBERS, MEMBERS_EACH = 8, 32, 4
HALVINGS = 6
MOST_GENERATIONS = 10_000


@dataclass(frozen=True)
class Flip:
    """What came of a change.

    Attributes:
        flips: whether the condition is flipped, under every seed.
        margin: by how much, under the seed where that is least; None if a trial failed.
    """

    flips: bool
    margin: float | None


class OutOfTrials(Exception):
    """No more trials may be run."""


Evaluate = Callable[[Sequence[Change]], list[Flip]]
"""Tries changes; raises OutOfTrials once that would take too many trials."""


def optimise(space: SearchSpace, evaluate: Evaluate, seed: int) -> None:
    """Try changes until none smaller is to be expected; with a larger budget it does the same, and goes on.

    Args:
        space: of changes.
        evaluate: tries some; it keeps what came of them.
        seed: of what is drawn.

    Raises:
        OutOfTrials: the budget is used up.
    """
    flips: dict[Change, Flip] = {}
    bests: list[float] = []  # the smallest size that flips, after each generation

    def tried(changes: Sequence[Change]) -> list[Flip]:
        outcomes = evaluate(changes)
        flips.update(zip(changes, outcomes, strict=True))
        return outcomes

    def costs(columns: Any) -> list[float]:
        changes = [space.snapped(tuple(map(float, column))) for column in columns.T]
        return [_cost(space, change, outcome) for change, outcome in zip(changes, tried(changes), strict=True)]

    def best() -> Change | None:
        return min((change for change, each in flips.items() if each.flips), key=space.size, default=None)

    def after_generation(intermediate_result: Any) -> bool:  # noqa: ARG001  # scipy knows callbacks by this name
        change = best()
        if change is not None and (not bests or space.size(change) < bests[-1]):
            _shrink(space, change, tried)
        bests.append(math.inf if change is None else space.size(best() or change))
        return len(bests) > PATIENCE and math.isfinite(bests[-1]) and bests[-1] >= bests[-1 - PATIENCE]

    from scipy.optimize import differential_evolution  # takes a while to import

    first = _first(space, seed)
    costs(first.T)
    after_generation(None)
    differential_evolution(
        costs, list(zip(space.low, space.high, strict=True)), maxiter=MOST_GENERATIONS, tol=0, atol=-1, polish=False,
        rng=np.random.default_rng(seed), init=first, callback=after_generation, updating="deferred", vectorized=True,
        integrality=np.array(space.whole),
    )  # fmt: skip


def _cost(space: SearchSpace, change: Change, outcome: Flip) -> float:
    """Return the size of a change that flips; of others, more than any size, the less they lack the less."""
    worst = float(len(space.names))
    if outcome.flips:
        return space.size(change)
    if outcome.margin is None:
        return worst + 2
    lack = max(0.0, -outcome.margin)
    return worst + 1 + lack / (1 + lack)


def _first(space: SearchSpace, seed: int) -> Any:
    """Return the first changes: each parameter alone at its ends, and a Sobol sequence between all bounds."""
    count = min(MOST_MEMBERS, max(LEAST_MEMBERS, MEMBERS_EACH * len(space.names)))
    alone = [
        (*space.usual[:place], end, *space.usual[place + 1 :])
        for place in range(len(space.names))
        for end in (space.low[place], space.high[place])
        if end != space.usual[place]
    ][: count - 4]
    from scipy.stats import qmc  # takes a while to import

    sobol = qmc.Sobol(len(space.names), rng=np.random.default_rng(seed)).random_base2(5)[: count - len(alone)]
    return np.array([*alone, *qmc.scale(sobol, space.low, space.high)])


def _shrink(space: SearchSpace, change: Change, tried: Evaluate) -> None:
    """Make a change that flips smaller, one trial at a time."""

    def flips(other: Change) -> bool:
        return tried([space.snapped(other)])[0].flips

    shares = space.shares(change)
    for place in sorted(range(len(change)), key=lambda place: shares[place]):
        without = (*change[:place], space.usual[place], *change[place + 1 :])
        if change != without and without != space.usual and flips(without):
            change = without
    change = _halved(space, change, range(len(change)), flips)
    for place in 2 * sorted(range(len(change)), key=lambda place: -shares[place]):
        change = _halved(space, change, [place], flips)


def _halved(space: SearchSpace, change: Change, places: Sequence[int], flips: Callable[[Change], bool]) -> Change:
    """Bring some parameters nearer to usual, half of what is left at a time, as long as the condition flips."""
    nearest = {place: space.usual[place] for place in places}  # the nearest to usual that is not known to flip
    for _ in range(HALVINGS):
        middle = list(change)
        for place, near in nearest.items():
            middle[place] = (change[place] + near) / 2
        candidate = space.snapped(tuple(middle))
        if candidate == change or all(candidate[place] == near for place, near in nearest.items()):
            break
        if flips(candidate):
            change = candidate
        else:
            nearest = {place: candidate[place] for place in nearest}
    return change


def front(tried: Sequence[tuple[float, float]]) -> Iterator[int]:
    """Yield the places of what nothing else beats: no change as small goes as far (Pareto front), smallest first."""
    best = -np.inf
    for place in sorted(range(len(tried)), key=lambda place: (tried[place][0], -tried[place][1])):
        if tried[place][1] > best:
            best = tried[place][1]
            yield place
