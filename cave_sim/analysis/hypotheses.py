"""Tests of more than one difference at once, and of there being none worth the name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cave_sim.analysis.effect_sizes import Numbers
from cave_sim.analysis.statistics import expect_share, paired, paired_difference
from cave_sim.loading.extras import extra

Correction = Literal["holm", "bh"]


def corrected(p_values: Sequence[float], method: Correction = "holm") -> list[float]:
    """Return p-values that allow for how many hypotheses were tested; NaN stays NaN and counts for nothing.

    Args:
        p_values: of all hypotheses that were tested, not only of those that came out.
        method: ``holm`` bounds how often any false alarm is raised (Holm 1979); ``bh`` the share of false alarms among
            the alarms (Benjamini and Hochberg 1995).

    Raises:
        ValueError: there is no such method; or a number is no p-value, which is one from 0 to 1.
    """
    if method not in METHODS:
        raise ValueError(f"method={method!r}: takes {' or '.join(map(repr, METHODS))}")
    given = np.array(p_values, dtype=float)
    known = np.isfinite(given)
    if odd := given[known & ((given < 0) | (given > 1))].tolist():
        raise ValueError(f"{odd[0]:g} is no p-value: those are from 0 to 1")
    if known.any():
        given[known] = METHODS[method](given[known])
    return [float(each) for each in given]


def _holm(p_values: Numbers) -> Numbers:
    """Multiply the smallest by how many there are, the next by one less, and let none be below one before it."""
    order = np.argsort(p_values)
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1))
    return np.minimum(steps, 1.0)[np.argsort(order)]


def _benjamini_hochberg(p_values: Numbers) -> Numbers:
    from scipy import stats

    return np.asarray(stats.false_discovery_control(p_values))


METHODS: dict[Correction, Callable[[Numbers], Numbers]] = {"holm": _holm, "bh": _benjamini_hochberg}


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two conditions are the same for what matters: two one-sided tests (Schuirmann 1987).

    Attributes:
        margin: the largest difference that does not matter, in the unit of the measure.
        p_value: of the hypothesis that they differ by more; small says that they do not. NaN without replicates.
        n: how many pairs.
    """

    margin: float
    p_value: float
    n: int

    def holds(self, alpha: float = 0.05) -> bool:
        """Say whether they are equivalent, with so many false alarms: a share between 0 and 1, or ValueError."""
        expect_share("alpha", alpha)
        return self.p_value < alpha


def equivalence(treated: Iterable[float], reference: Iterable[float], margin: float) -> Equivalence:
    """Test whether two conditions with the same seeds differ by less than a margin.

    That a difference is not significant does not say so: it may be large and the seeds few.

    Args:
        treated: one number for each seed, as columns of frames with the seed as index, which are paired by it; or in
            the same order as the other ones.
        reference: what it is compared with.
        margin: above 0, chosen before the numbers were seen.

    Raises:
        MissingExtra: statsmodels is not installed.
        ValueError: no such margin; or no index says which numbers belong together.
    """
    with extra("lab", "a test of equivalence"):
        from statsmodels.stats.weightstats import ttost_paired
    if not margin > 0:
        raise ValueError(f"a margin is above 0, not {margin:g}")
    one, other = paired(treated, reference)
    gap = paired_difference(one, other)
    if gap.n < 2:
        return Equivalence(margin, float("nan"), gap.n)
    if gap.is_alike:  # no spread, so no t: were half of all pairs farther apart, so many within were as rare
        return Equivalence(margin, 0.5**gap.n if abs(gap.mean) < margin else 1.0, gap.n)
    p_value = ttost_paired(one, other, -margin, margin)[0]
    return Equivalence(margin, float(p_value), gap.n)
