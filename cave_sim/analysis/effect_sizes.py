"""Effect sizes: how large a difference is beside how much runs differ anyway. NaN where there is no spread to tell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ROUNDING = 1e-12
"""Spreads below so small a part of the numbers themselves come of how floats are rounded."""

Numbers = np.ndarray[Any, np.dtype[np.float64]]


def cohens_d(one: Numbers, other: Numbers) -> float:
    """Return the difference of means in pooled standard deviations (Cohen 1988)."""
    degrees = len(one) + len(other) - 2
    if min(len(one), len(other)) < 2:
        return math.nan
    pooled = ((len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1)) / degrees
    return _over(float(one.mean() - other.mean()), math.sqrt(pooled))


def paired_d(gaps: Numbers) -> float:
    """Return the mean of paired differences in their standard deviations: Cohen's d_z."""
    return _over(mean_gap(gaps), float(gaps.std(ddof=1))) if len(gaps) > 1 else math.nan


def mean_gap(gaps: Numbers) -> float:
    """Return the mean of paired differences; those that cancel out have none, whatever rounding leaves."""
    mean = float(gaps.mean())
    return 0.0 if abs(mean) <= ROUNDING * float(np.abs(gaps).max()) else mean


def cliffs_delta(one: Numbers, other: Numbers) -> float:
    """Return how much more often a value of the one is the greater of the two than a value of the other (Cliff 1993).

    It asks for order alone, so that an outlier weighs as much as any other value; -1 to 1.
    """
    if not len(one) or not len(other):
        return math.nan
    ranked = np.sort(other)
    below, above = np.searchsorted(ranked, one, "left"), len(ranked) - np.searchsorted(ranked, one, "right")
    return float((below - above).mean() / len(ranked))


def _over(difference: float, spread: float) -> float:
    if spread <= ROUNDING * abs(difference):
        return 0.0 if difference == 0 else math.nan
    return difference / spread
