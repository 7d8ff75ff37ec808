"""``scipy.stats.gaussian_kde`` in a cell: a density over points, kept as the points, and asked what it is somewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class, kept_of
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.scipy_stats import as_kept, as_seen

MOST_POINTS = 10_000
MOST_AXES = 10
MOST_COMPARED = 10_000_000
"""Pairs of a point and a place, of which each is looked at."""
_TITLE = "scipy.stats.gaussian_kde"


@kept_class("_dataset", "_width", "_weights")
class Density:
    """``gaussian_kde(points)``: called with places, it returns how dense the points are there."""

    __slots__ = ("_dataset", "_weights", "_width")

    def __init__(self, dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        self._dataset = np.atleast_2d(as_seen(dataset, _TITLE))
        self._width, self._weights = as_seen(bw_method, _TITLE), as_seen(weights, _TITLE)
        whole_density(self)

    def evaluate(self, points: Any) -> Any:
        """Return the density at places."""
        return self._asked("evaluate", points)

    def __call__(self, points: Any) -> Any:
        return self._asked("evaluate", points)

    def pdf(self, x: Any) -> Any:
        """Return the density at places."""
        return self._asked("evaluate", x)

    def logpdf(self, x: Any) -> Any:
        """Return the logarithm of the density at places."""
        return self._asked("logpdf", x)

    def _asked(self, name: str, points: Any) -> Any:
        places = as_seen(points, _TITLE)
        if np.size(places) * self._dataset.size > MOST_COMPARED:
            raise Blocked(f"{_TITLE}: more than {MOST_COMPARED:,} points times places; ask at fewer of them")
        return as_kept(getattr(whole_density(self), name)(places))

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """Return the share of the density between two numbers."""
        return as_kept(whole_density(self).integrate_box_1d(as_seen(low, _TITLE), as_seen(high, _TITLE)))

    @property
    def factor(self) -> Any:
        """By how much the spread of the points is multiplied."""
        return as_kept(whole_density(self).factor)

    @property
    def covariance(self) -> Any:
        """The spread of what stands for each point."""
        return as_kept(whole_density(self).covariance)

    @property
    def dataset(self) -> Any:
        """The points, a row for each axis."""
        return self._dataset.copy()

    @property
    def d(self) -> int:
        """How many axes there are."""
        return len(self._dataset)

    @property
    def n(self) -> int:
        """How many points there are."""
        return int(self._dataset.shape[1])

    def __repr__(self) -> str:
        return "<scipy.stats.gaussian_kde of its points>"


def _whole(dataset: Any, width: Any, weights: Any) -> Any:
    """Return SciPy's density of points; raises Blocked where that were too much."""
    if not isinstance(dataset, np.ndarray) or dataset.ndim != 2 or dataset.dtype.kind != "f":
        raise Blocked(f"{_TITLE}: takes points as numbers, or as a row for each axis")
    if dataset.shape[1] > MOST_POINTS or len(dataset) > MOST_AXES:
        raise Blocked(f"{_TITLE}: at most {MOST_POINTS:,} points on {MOST_AXES} axes; take a sample")
    if not (width is None or isinstance(width, (int, float)) or width in ("scott", "silverman")):
        raise Blocked(f"{_TITLE}: bw_method is a number, 'scott' or 'silverman'")
    return load("scipy.stats").gaussian_kde(dataset, width, as_seen(weights, _TITLE))


def whole_density(density: Density) -> Any:
    """Return SciPy's own, made anew of what is kept."""
    return _whole(*kept_of(density))
