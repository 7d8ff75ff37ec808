"""How likely a rule would have held by chance: one null hypothesis for each kind of rule, as logarithms to base 2.

Entities of one class often do things in one step, because something that they share makes them. So whatever happens in
one step counts as one occasion, however many take part in it.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from cave_sim.rules.table import Floats, Truths

SHUFFLES = 20_000
"""How many orders of a field's changes are tried at most."""
MOST_DRAWN = 20_000_000
"""How many numbers these are at most."""
AT_ONCE, ENOUGH = 500, 10
NEVER = 0.0


def of_visits(visits: int) -> float:
    """Return the chance that a number stopped at the lowest value that it has at each of its visits.

    At the second visit and at each later one it might as well have gone beyond. This is exact for a random walk by
    single units, of which the lowest value is visited so often.
    """
    return -float(max(0, visits - 1))


def of_signs(changes: int) -> float:
    """Return the chance that all of some changes go one way (sign test)."""
    return -float(max(0, changes - 1))  # the first one says which way


def of_settling(changes: int, until: int, steps: int) -> float:
    """Return the chance that all changes fall into the first steps of a run, were they spread over all of it."""
    if changes == 0 or until >= steps:
        return NEVER
    return _choose(until, changes) - _choose(steps, changes)


def of_sum(moves: Floats) -> float:
    """Return the chance that a sum is kept, were the changes of one of its parts in another order.

    All that the others do being given, one order of these changes keeps it.

    Args:
        moves: what the part changes by, step by step.
    """
    _, counts = np.unique(np.round(moves, 9), return_counts=True)
    return float(gammaln(counts + 1).sum() - gammaln(len(moves) + 1)) / math.log(2)


def of_answers(occasions: Truths, answered: Truths, there: Truths, apart: int) -> tuple[float, int]:
    """Return the chance that answers follow all occasions, were the occasions at any other steps; and how many count.

    Occasions that count are some steps apart, the first of a stretch each, and one a step: the one of the entity for
    which an answer is likeliest.

    Args:
        occasions: where they are, shape (rows, steps).
        answered: where an occasion would be answered.
        there: where it is known whether it would.
        apart: how many steps have to lie between two.
    """
    begins = occasions.copy()
    begins[:, 1:] &= ~occasions[:, :-1]
    shares = (answered & there).sum(axis=1) / np.maximum(1, there.sum(axis=1))
    likeliest = np.where(begins & there, shares[:, None], -1.0).max(axis=0)
    log_chance, count, last = 0.0, 0, -apart - 1
    for place in np.flatnonzero(likeliest > 0):
        if place - last > apart:
            log_chance, count, last = log_chance + float(np.log2(likeliest[place])), count + 1, int(place)
    return log_chance, count


def of_firsts(shares: Floats, moments: Floats) -> float:
    """Return the chance that one thing comes before another one in every case, were their order a matter of chance.

    Args:
        shares: for each case, how many of both were the one: the chance that one of these comes first.
        moments: when the other one came; cases of one moment count as one, the likeliest.
    """
    return float(sum(np.log2(shares[moments == moment].max()) for moment in np.unique(moments)))


def of_staying(start: float, moves: Floats, *, above: bool) -> float:
    """Return the chance that a number stays on its side of 0, were its changes in another order.

    Args:
        start: the first value.
        moves: what it changes by.
        above: which side.
    """
    begin, moves = (start, moves) if above else (-start, -moves)
    moves = moves[moves != 0]
    if begin + moves[moves < 0].sum() >= 0 or len(moves) < 2:
        return NEVER
    random = np.random.default_rng(0)
    tries, stayed = max(AT_ONCE, min(SHUFFLES, MOST_DRAWN // len(moves))), 0
    for done in range(AT_ONCE, tries + 1, AT_ONCE):
        orders = random.permuted(np.broadcast_to(moves, (AT_ONCE, len(moves))), axis=1)
        stayed += int(((begin + orders.cumsum(axis=1)).min(axis=1) >= -1e-9 * max(1.0, abs(begin))).sum())
        if stayed >= ENOUGH:  # sequential p-values (Besag and Clifford 1991): enough to know that it is not rare
            return math.log2(stayed / done)
    return math.log2((stayed + 1) / (tries + 1))


def _choose(many: int, few: int) -> float:
    if few > many:
        return -np.inf
    return float(gammaln(many + 1) - gammaln(few + 1) - gammaln(many - few + 1)) / math.log(2)
