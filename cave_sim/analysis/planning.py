"""How many seeds: for an interval as narrow as asked for, or to find an effect that is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from cave_sim.analysis.statistics import LEVEL, expect_share, mean_interval, t_quantile
from cave_sim.loading.extras import extra

LEAST = 5
"""Replicates before which a narrow interval counts as luck: their spread says too little of the true one."""

MOST = 1_000_000
POWER = 0.8
LARGEST = 100.0


class TooManySeeds(ValueError):
    """What was asked for takes more seeds than anybody runs."""


def seeds_needed(values: Iterable[float], halfwidth: float, level: float = LEVEL) -> int:
    """Return how many seeds in all make an interval reach no further than asked, if they spread as those so far do.

    Args:
        values: one number for each seed so far, two at least; of a comparison, the paired differences.
        halfwidth: in the unit of the measure, above 0.
        level: of the t interval.

    Raises:
        ValueError: fewer than two numbers, which have no spread; no such half-width; or a million seeds are too few.
    """
    known = np.asarray(list(values), dtype=float)
    known = known[np.isfinite(known)]
    if len(known) < 2:
        raise ValueError("how far seeds spread is seen from two of them on")
    if not halfwidth > 0:
        raise ValueError(f"a half-width is above 0, not {halfwidth:g}")
    expect_share("level", level)
    spread = float(known.std(ddof=1))
    return _least(lambda seeds: t_quantile(seeds, level) * spread / math.sqrt(seeds) <= halfwidth)


def is_precise(values: Iterable[float], halfwidth: float, level: float = LEVEL, least: int = LEAST) -> bool:
    """Say whether no more seeds are needed: the rule by which a study stops after each seed (Chow and Robbins 1965).

    Args:
        values: one number for each seed so far; of a comparison, the paired differences.
        halfwidth: how far the interval may reach to either side, in the unit of the measure.
        level: of the t interval.
        least: never before so many seeds: looking after each one stops where the spread so far happens to be small. So
            many that are all alike are enough: more of them would show no spread, either, where nothing is random.
    """
    mean = mean_interval(values, level)
    return mean.n >= max(2, least) and (mean.is_alike or mean.halfwidth <= halfwidth)


def seeds_for_effect(effect: float, power: float = POWER, level: float = LEVEL, *, paired: bool = True) -> int:
    """Return how many seeds of each condition find an effect of a size, if it is there, with so much power.

    Args:
        effect: standardised: d_z of paired runs, d of others; not 0.
        power: how often it is to be found.
        level: one less the share of false alarms.
        paired: whether runs of both conditions share their seeds.

    Raises:
        MissingExtra: statsmodels is not installed.
        ValueError: an effect of 0 is never found, one without a number is none, and a power is below 1; or a million
            seeds are too few.
    """
    if effect == 0 or math.isnan(effect):
        raise ValueError(f"an effect of {effect:g} is not found with any number of seeds")
    expect_share("power", power)
    return _least(lambda seeds: power_of(seeds, effect, level, paired=paired) >= power)


def power_of(seeds: int, effect: float, level: float = LEVEL, *, paired: bool = True) -> float:
    """Return how often so many seeds of each condition find an effect of a size; the arguments are as above.

    Returns:
        NaN for one seed, which has no test, and for an effect without a number.

    Raises:
        MissingExtra: statsmodels is not installed.
    """
    with extra("lab", "the power of a test"):
        from statsmodels.stats.power import TTestIndPower, TTestPower
    expect_share("level", level)
    if seeds < 2 or math.isnan(effect):
        return math.nan
    power = float((TTestPower() if paired else TTestIndPower()).power(abs(effect), seeds, 1 - level))
    return power if math.isfinite(power) else 1.0  # what its distribution knows no number for is found without fail


def _least(enough: Callable[[int], bool]) -> int:
    """Return the least number of seeds, two or more, that is enough, where more are never too many.

    Raises:
        TooManySeeds: not even a million are.
    """
    low, high = 1, 2
    while not enough(high):
        if high >= MOST:
            raise TooManySeeds(f"not even {MOST:,} seeds are enough")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_effect(seeds: int, power: float = POWER, level: float = LEVEL, *, paired: bool = True) -> float:
    """Return the smallest effect, standardised, that so many seeds of each condition find with so much power.

    Raises:
        MissingExtra: statsmodels is not installed.
        ValueError: fewer than three seeds find next to nothing.
    """
    from scipy.optimize import brentq

    expect_share("power", power)
    if seeds < 3:
        raise ValueError("what fewer than three seeds find is too large to be put into numbers")
    return float(brentq(lambda effect: power_of(seeds, effect, level, paired=paired) - power, 1e-6, LARGEST))
