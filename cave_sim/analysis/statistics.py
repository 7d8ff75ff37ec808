"""Means and differences over replicates, with the intervals that so few numbers allow; none without replicates.

A replicate is one run of the same settings under another seed. Steps of one run depend on each other and are none.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.analysis.effect_sizes import ROUNDING, Numbers, cliffs_delta, cohens_d, mean_gap, paired_d
from cave_sim.analysis.wording import estimate_text

LEVEL = 0.95
RESAMPLES = 9_999
ALIKE, PAIRS_ALIKE = "all alike", "all pairs alike"
"""In place of a method, where replicates have one value: there is no spread that an interval could be made of."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over replicates.

    Attributes:
        mean: NaN if there is nothing to take it of.
        low, high: the ends of its interval; NaN where there is none: of a single replicate, and of several that are
            alike, which have no spread to tell how sure the mean is.
        n: how many replicates it rests on.
        level: how often such intervals hold the true value: 0.95.
        method: how the interval was made; "" if there is none.
    """

    mean: float
    low: float
    high: float
    n: int
    level: float
    method: str

    @property
    def has_interval(self) -> bool:
        """Whether there were replicates enough for an interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def is_alike(self) -> bool:
        """Whether there are several replicates, and all have one value."""
        return self.method in (ALIKE, PAIRS_ALIKE)

    @property
    def halfwidth(self) -> float:
        """Half the width of the interval; NaN if there is none."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        if not self.n:
            return "nothing to estimate"
        text = estimate_text(self.mean, self.low, self.high, n=self.n)
        return f"{text} (n = 1: no interval)" if self.n == 1 else text

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data; what there is none of is None."""
        rows = asdict(self).items()
        return {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in rows}


@dataclass(frozen=True, slots=True)
class MeanDifference(Estimate):
    """By how much the mean under one condition is above that under another one.

    Attributes:
        p_value: of the hypothesis that there is no difference, two-sided; NaN without replicates, and where all differ
            by the same, of which a t test says nothing.
        d: standardised by the spread within conditions (Cohen 1988).
        d_z: standardised by the spread of the paired differences; NaN where runs are not paired.
        delta: how much more often a value of the one exceeds one of the other than the reverse (Cliff 1993), -1 to 1.
        variance_ratio: the variance that the difference would have of independent runs, over the one that it has of
            pairs: so many times the seeds would be needed without common random numbers. NaN where runs are not paired.
    """

    p_value: float
    d: float
    d_z: float
    delta: float
    variance_ratio: float

    def is_sure(self, p_value: float, alpha: float) -> bool:
        """Say whether there is a difference at all, by what is seen where no test can be made.

        Args:
            p_value: as it is, or allowing for how many differences are tested.
            alpha: below which it says that there is one.
        """
        return self.mean != 0 if self.n < 2 or self.is_alike else p_value < alpha

    def __str__(self) -> str:
        # zero-argument super() does not know a dataclass that was made again for its slots
        return ("+" if self.mean > 0 else "") + Estimate.__str__(self)


def mean_interval(values: Iterable[float], level: float = LEVEL, *, share: bool = False) -> Estimate:
    """Return the mean of replicates with its t interval (Student 1908).

    Args:
        values: one number for each replicate, as a list, an array or a column of a frame; missing ones are left out.
        level: how often such intervals are to hold the true mean.
        share: whether they are shares, from 0 to 1; see :func:`ends_of`. Where all are 0, or all are 1, they have no
            spread to go by: they get Wilson's interval, as so many independent trials do, which holds for any share.
    """
    known = _known(values)
    mean = float(known.mean()) if len(known) else math.nan
    if share and len(known) > 1 and mean in (0, 1) and np.ptp(known) == 0:
        return share_interval(round(known.sum()), len(known), level)
    low, high = map(float, ends_of(mean, _reach(known, level), share=share))
    way = "t of log-odds" if share and 0 < mean < 1 else "t"
    return Estimate(mean, low, high, len(known), level, _method(known, way, ALIKE))


def ends_of(mean: Any, reach: Any, *, share: bool) -> tuple[Any, Any]:
    """Return the ends of intervals around means, as numbers or as columns.

    Those of a share are as far away on the scale of log-odds, by the delta method, as surveys have it (Korn, Graubard
    1998): they never leave 0 to 1. What is declared to be one and lies outside has the ends of any other number.

    Args:
        mean: between the ends.
        reach: how far they are to either side.
        share: whether the means are of shares, from 0 to 1.
    """
    from scipy import special

    low, high = mean - reach, mean + reach
    if not share:
        return low, high
    inside = (mean > 0) & (mean < 1)
    with np.errstate(all="ignore"):
        odds, off = special.logit(mean), reach / np.asarray(mean * (1 - mean))
        ends = special.expit(odds - off), special.expit(odds + off)
    return np.where(inside, ends[0], low), np.where(inside, ends[1], high)


def bootstrap_interval(
    values: Iterable[float],
    level: float = LEVEL,
    statistic: Callable[..., Any] = np.mean,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return a statistic of replicates with its bootstrap interval (BCa, Efron 1987), which supposes no normal law.

    Of fewer than ten replicates it is too narrow: the t interval holds its level better there.

    Args:
        values: one number for each replicate; missing ones are left out.
        level: how often such intervals are to hold the true value.
        statistic: of an array along an ``axis``; numpy's mean and median are such.
        resamples: how often replicates are drawn anew.
        seed: of these draws, so that the same numbers give the same interval.
    """
    from scipy import stats

    expect_share("level", level)
    known = _known(values)
    value = float(statistic(known)) if len(known) else math.nan
    if len(known) < 2 or _are_alike(known):
        return Estimate(value, math.nan, math.nan, len(known), level, _method(known, "BCa bootstrap", ALIKE))
    rng = np.random.default_rng(seed)
    drawn = stats.bootstrap((known,), statistic, confidence_level=level, n_resamples=resamples, method="BCa", rng=rng)
    low, high = map(float, drawn.confidence_interval)
    return Estimate(value, low, high, len(known), level, "BCa bootstrap")


def share_interval(good: int, of: int, level: float = LEVEL) -> Estimate:
    """Return a share of independent trials with its interval (Wilson 1927), from 0 to 1; one trial has none."""
    from scipy import stats

    expect_share("level", level)
    if of < 2:
        return Estimate(good / of if of else math.nan, math.nan, math.nan, of, level, "")
    ends = stats.binomtest(good, of).proportion_ci(level, method="wilson")
    return Estimate(good / of, float(ends.low), float(ends.high), of, level, "Wilson")


def paired_difference(treated: Iterable[float], reference: Iterable[float], level: float = LEVEL) -> MeanDifference:
    """Return by how much runs of one condition are above those of another with the same seeds: common random numbers.

    Args:
        treated: one number for each seed, as columns of frames with the seed as index, which are paired by it; or in
            the same order as the other ones.
        reference: what it is compared with.
        level: of the t interval of the mean difference.

    Raises:
        ValueError: there are not as many of the one as of the other, and no index says which belong together.
    """
    one, other = paired(treated, reference)
    gaps = _gaps(one, other)
    mean = mean_gap(gaps) if len(gaps) else math.nan
    low, high = _around(mean, gaps, level)
    spread = float(gaps.var(ddof=1)) if len(gaps) > 1 else math.nan
    apart = float(one.var(ddof=1) + other.var(ddof=1)) if len(gaps) > 1 else math.nan
    ratio = apart / spread if spread > 0 else math.nan
    return MeanDifference(
        *(mean, low, high, len(gaps), level, _method(gaps, "paired t", PAIRS_ALIKE), _paired_p(gaps)),
        *(cohens_d(one, other), paired_d(gaps), cliffs_delta(one, other), ratio),
    )


def unpaired_difference(treated: Iterable[float], reference: Iterable[float], level: float = LEVEL) -> MeanDifference:
    """Return by how much runs of one condition are above those of another one that has other seeds (Welch 1947)."""
    from scipy import stats

    expect_share("level", level)
    one, other = _known(treated), _known(reference)
    least = min(len(one), len(other))
    mean = float(one.mean() - other.mean()) if least else math.nan
    low = high = p_value = math.nan
    alike = least > 1 and _are_alike(one) and _are_alike(other)
    if least > 1:
        if alike:
            p_value = 1.0 if mean == 0 else math.nan
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # one side may be constant, and the result holds
                test = stats.ttest_ind(one, other, equal_var=False)
                low, high = map(float, test.confidence_interval(level))
            p_value = float(test.pvalue)
    return MeanDifference(
        *(mean, low, high, least, level, ALIKE if alike else "Welch's t" if least > 1 else "", p_value),
        *(cohens_d(one, other), math.nan, cliffs_delta(one, other), math.nan),
    )


def expect_share(name: str, value: float) -> None:
    """Refuse by ValueError what is no share between 0 and 1, such as a level of 95, which means 0.95."""
    if not 0 < value < 1:
        meant = f"; write {value / 100:g}" if 1 < value < 100 else ""
        raise ValueError(f"{name}={value:g}: takes a share between 0 and 1{meant}")


def _known(values: Iterable[float]) -> Numbers:
    given: Numbers = np.asarray(values if isinstance(values, (np.ndarray, pd.Series)) else list(values), dtype=float)
    if given.ndim != 1:
        raise ValueError(f"one number for each replicate is asked for, not {given.ndim} dimensions of them")
    return given[np.isfinite(given)]


def paired(treated: Iterable[float], reference: Iterable[float]) -> tuple[Numbers, Numbers]:
    """Return what both have a number of, in the same order: Series by their index, others as they stand.

    Raises:
        ValueError: there are not as many of the one as of the other, or a seed has two.
    """
    if isinstance(treated, pd.Series) and isinstance(reference, pd.Series):
        for given in (treated, reference):
            if given.index.has_duplicates:
                raise ValueError("two numbers have the same seed, so it does not say which belong together")
        both = pd.concat([treated, reference], axis=1, join="inner", keys=["treated", "reference"])
        one, other = both["treated"].to_numpy(dtype=float), both["reference"].to_numpy(dtype=float)
    else:
        one, other = (np.asarray(list(values), dtype=float) for values in (treated, reference))
    if len(one) != len(other):
        raise ValueError(f"{len(one)} numbers cannot be paired with {len(other)}; give Series indexed by seed")
    known = np.isfinite(one) & np.isfinite(other)
    return one[known], other[known]


def _gaps(one: Numbers, other: Numbers) -> Numbers:
    """Return the paired differences; those that differ by what rounding leaves are the same, and none is that small."""
    gaps = one - other
    if len(gaps):
        rounding = ROUNDING * np.abs([one, other]).max()
        gaps[np.abs(gaps) <= rounding] = 0.0
        gaps[np.abs(gaps - gaps[0]) <= rounding] = gaps[0]
    return gaps


def _around(middle: float, values: Numbers, level: float) -> tuple[float, float]:
    """Return the ends of the t interval around a mean; no ends without replicates that differ."""
    reach = _reach(values, level)
    return middle - reach, middle + reach


def _reach(values: Numbers, level: float) -> float:
    """Return how far the t interval of a mean reaches to either side; NaN without replicates that differ."""
    expect_share("level", level)
    if len(values) < 2 or _are_alike(values):
        return math.nan
    return t_quantile(len(values), level) * float(values.std(ddof=1)) / math.sqrt(len(values))


def _method(values: Numbers, way: str, alike: str) -> str:
    """Return how an interval was made, or why there is none."""
    if len(values) < 2:
        return ""
    return alike if _are_alike(values) else way


def _are_alike(values: Numbers) -> bool:
    """Say whether replicates have one value, but for what rounding leaves."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def t_quantile(n: int, level: float = LEVEL) -> float:
    """Return how many standard errors an interval over so many replicates reaches to either side."""
    from scipy import stats

    return float(stats.t.ppf((1 + level) / 2, n - 1))


def _paired_p(gaps: Numbers) -> float:
    from scipy import stats

    if len(gaps) < 2:
        return math.nan
    if _are_alike(gaps):
        return 1.0 if gaps[0] == 0 else math.nan
    error = float(gaps.std(ddof=1)) / math.sqrt(len(gaps))
    if error == 0:  # of gaps so small that their squares are none
        return float(gaps.mean() == 0)
    t = abs(float(gaps.mean())) / error
    return float(2 * stats.t.sf(t, len(gaps) - 1))  # ttest_1samp takes twenty times as long over as few
