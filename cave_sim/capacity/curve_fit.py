"""Curves that fit thresholds best, by least squares (Gen-Pilot, §3.2); where nothing failed, only a bound is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cave_sim.capacity.degradation import Degradation, Logistic, Table
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits

PRECISION = 1.03
"""Halving ends when the shortest answer that failed is so little longer than the longest that came."""
LEAST_POINTS = 3
LOGISTIC_PARAMETERS = 2
POOR_RMSE = 0.1
"""A logistic curve that is further off describes nothing, and a table takes its place."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What was found at one occupancy, in tokens of the answer.

    Attributes:
        occupancy: of the window.
        whole_tokens: the longest answer that came whole; 0 if none did.
        failed_tokens: the shortest that did not; None if all did.
    """

    occupancy: Occupancy
    whole_tokens: int
    failed_tokens: int | None

    @property
    def share(self) -> float:
        """The capacity, as a share of what was free: in the middle of what is known of it."""
        middle = (
            self.whole_tokens
            if self.failed_tokens is None
            else math.sqrt(max(1, self.whole_tokens) * self.failed_tokens)
        )
        return min(1.0, middle / max(1, self.occupancy.free_tokens))


def fit(thresholds: Sequence[Threshold], base: OutputLimits) -> tuple[OutputLimits, float | None]:
    """Return the limits that fit thresholds best, and their error (RMSE) where they are known from both sides.

    None for an error that says nothing: of what has as many parameters as there are points, a table most of all.

    With at least three such, it is a logistic curve, anchored or not, whichever fits better; with fewer, or where that
    fits badly, a table of them. Where so many tokens come however full the window is, which no curve of shares tells,
    it is a stall limit instead: the least of the longest answers that came whole.
    Where nothing failed, curves are only kept from lying lower; what the longest output cuts off tells nothing of the
    curve, either.

    Args:
        thresholds: what was found.
        base: what the model says of itself.
    """
    known = known_from_both_sides(thresholds, base)
    bounds = [each for each in thresholds if each not in known]
    if not known:
        return base, None
    curve = _curve(known, bounds)
    least = min(each.whole_tokens for each in known)
    candidates = [replace(base, degradation=curve)]
    if least and all(each.whole_tokens <= least for each in bounds):
        candidates.append(replace(base, stall_tokens=least))
    best = min(candidates, key=lambda one: _error(one, known))
    return best, _error(best, known) if len(known) > _parameters(best) else None


def known_from_both_sides(thresholds: Sequence[Threshold], limits: OutputLimits) -> list[Threshold]:
    """Return those that are known from both sides, and not for the longest output of the model."""
    cut = None if limits.longest_tokens is None else limits.longest_tokens / PRECISION
    return [each for each in thresholds if each.failed_tokens is not None and not (cut and each.whole_tokens >= cut)]


def _parameters(limits: OutputLimits) -> int:
    """Return how many numbers were fitted: of a table, its levels."""
    if limits.stall_tokens is not None:
        return 1
    return len(set(limits.degradation.shares)) if isinstance(limits.degradation, Table) else LOGISTIC_PARAMETERS


def _curve(known: Sequence[Threshold], bounds: Sequence[Threshold]) -> Degradation:
    table = _table(known)
    if len(known) < LEAST_POINTS:
        return table
    curves = {anchored: _logistic(known, bounds, anchored) for anchored in (True, False)}
    errors = {anchored: _error(OutputLimits(curve), known) for anchored, curve in curves.items()}
    anchored = errors[True] <= errors[False]
    return curves[anchored] if errors[anchored] <= POOR_RMSE else table


def _logistic(known: Sequence[Threshold], bounds: Sequence[Threshold], is_anchored: bool) -> Logistic:
    at, shares = _points(known)
    low_at, low_shares = _points(bounds)

    def residuals(parameters: Any) -> Any:
        curve = Logistic(float(np.exp(parameters[0])), float(parameters[1]), is_anchored)
        misses = [curve(each) - share for each, share in zip(at, shares, strict=True)]
        lacks = [min(0.0, curve(each) - share) for each, share in zip(low_at, low_shares, strict=True)]
        return np.array(misses + lacks)

    from scipy.optimize import least_squares  # takes a while to import

    tries = [least_squares(residuals, [np.log(8.0), middle], bounds=([-3, -1], [5, 2])) for middle in (0.3, 0.6, 0.9)]
    best = min(tries, key=lambda each: float(each.cost))
    return Logistic(float(np.exp(best.x[0])), float(best.x[1]), is_anchored)


def _table(known: Sequence[Threshold]) -> Table:
    from scipy.optimize import isotonic_regression  # takes a while to import

    at, shares = _points(known)
    return Table(tuple(at), tuple(isotonic_regression(shares, increasing=False).x.clip(0, 1)))


def _points(thresholds: Sequence[Threshold]) -> tuple[list[float], list[float]]:
    return [each.occupancy.share for each in thresholds], [each.share for each in thresholds]


def share_left(occupancy: Occupancy, limits: OutputLimits) -> float:
    """Return the share of the free window that can be written, 0 to 1, by the curve and the stall limit."""
    share = limits.degradation(occupancy.share)
    return share if limits.stall_tokens is None else min(share, limits.stall_tokens / max(1, occupancy.free_tokens))


def _error(limits: OutputLimits, thresholds: Sequence[Threshold]) -> float:
    errors = [share_left(each.occupancy, limits) - each.share for each in thresholds]
    return math.sqrt(sum(error * error for error in errors) / len(errors))
