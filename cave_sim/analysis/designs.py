"""Designs of a study: at which points between the bounds of its parameters it is run."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

import pandas as pd

from cave_sim.analysis.sensitivity import Bounds, Design, design

Sample = Literal["latin_hypercube", "sobol"]
Screening = Literal["morris", "saltelli"]
SAMPLES: tuple[Sample, ...] = get_args(Sample)
"""Points that fill the space between the bounds; so many as one asks for (scipy.stats.qmc)."""
SCREENINGS: tuple[Screening, ...] = get_args(Screening)
"""Designs of sensitivity (SALib): groups of points, one for each parameter and one (Morris) or two (Saltelli) more."""
ANALYSES: dict[str, Design] = {"morris": "morris", "saltelli": "sobol"}
"""Design of sensitivity -> what its outcomes are analysed by."""


def group_size(method: str, parameters: int) -> int:
    """Return how many points one group of a design of sensitivity has."""
    return parameters + (1 if method == "morris" else 2)


def points_between(
    bounds: Bounds, method: Sample | Screening, size: int, seed: int, whole: Collection[str] = ()
) -> pd.DataFrame:
    """Return points between bounds, the same for the same arguments: a row for each, a column for each parameter.

    Args:
        bounds: parameter -> lowest and highest value.
        method: one of ``SAMPLES`` or ``SCREENINGS``.
        size: how many points of a sample; how many groups of a design of sensitivity.
        seed: of what is drawn.
        whole: parameters that take whole numbers alone; rounded here.

    Raises:
        MissingExtra: SALib, which makes designs of sensitivity, is not installed.
    """
    if method in SCREENINGS:
        points = design(bounds, ANALYSES[method], size, seed)
    else:
        from scipy.stats import qmc  # takes a while to import, and is needed for this alone

        kinds = {"latin_hypercube": qmc.LatinHypercube, "sobol": qmc.Sobol}
        drawn = kinds[method](d=len(bounds), rng=seed).random(size)
        lows, highs = zip(*bounds.values(), strict=True)
        points = pd.DataFrame(qmc.scale(drawn, lows, highs), columns=list(bounds))
    for name in bounds:  # digits that a table keeps
        points[name] = points[name].map(round if name in whole else _short)
    return points.astype({name: int for name in bounds if name in whole})


def _short(value: float) -> float:
    return float(f"{value:.9g}")
