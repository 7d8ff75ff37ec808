"""Sensitivity: which parameters an outcome depends on, by designs of SALib and by samples that a study has anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.loading.extras import extra

Bounds = Mapping[str, tuple[float, float]]
Design = Literal["sobol", "morris"]
LEVELS = 4


def design(bounds: Bounds, method: Design, size: int, seed: int = 0) -> pd.DataFrame:
    """Return the points at which a simulation is to be run: a row for each, a column for each parameter.

    Args:
        bounds: parameter -> lowest and highest value.
        method: ``morris`` screens many parameters with ``size`` times one more than there are parameters (Morris 1991);
            ``sobol`` splits the variance with ``size`` times two more, a size that is a power of two (Saltelli 2010).
        size: of the design.
        seed: of what is drawn; the same one gives the same points.

    Raises:
        MissingExtra: SALib is not installed.
        WorldError: there is no such method, no parameter, no point, or nothing between the bounds of one.
    """
    _expect_method(method, get_args(Design))
    if not bounds or size < 1:
        raise WorldError(f"a design has a parameter and a size of at least 1, not {len(bounds)} and {size}")
    for name, ends in bounds.items():
        if not isinstance(ends, Sequence) or len(ends) != 2:
            raise WorldError(f"{name}: {ends!r}: takes the lowest and the highest value, such as (0, 1)")
        low, high = ends
        if not low < high:
            raise WorldError(f"{name}: ({low:g}, {high:g}) has nothing between its ends; give the lower one first")
    with extra("lab", "a design for sensitivity"):
        from SALib.sample import morris, sobol
    if method == "morris":
        points = morris.sample(_problem(bounds), size, num_levels=LEVELS, seed=seed)
    else:
        points = sobol.sample(_problem(bounds), size, calc_second_order=False, seed=seed)
    return pd.DataFrame(points, columns=list(bounds))


def sensitivity(
    points: pd.DataFrame, outcomes: Sequence[float], bounds: Bounds, method: Design | Literal["rbd_fast"], seed: int = 0
) -> pd.DataFrame:
    """Return how much an outcome depends on each parameter.

    Args:
        points: those of :func:`design` in their order; for ``rbd_fast`` any sample, a Latin hypercube say.
        outcomes: one for each point; where there are several seeds, their mean.
        bounds: those of the design.
        method: that of the design; or ``rbd_fast``, by the order of what is there anyway (Tarantola et al. 2006).
        seed: of the resampling behind the intervals.

    Returns:
        A row for each parameter, the most important first. ``sobol``: ``S1``, its share of the variance by itself, and
        ``ST``, that with all interactions. ``morris``: ``mu_star``, the mean size of its effects, and ``sigma``, their
        spread, which tells of interactions and curves. ``rbd_fast``: ``S1``. Columns that end in ``_conf``
        are half-widths of 95 % bootstrap intervals.

    Raises:
        MissingExtra: SALib is not installed.
        WorldError: there is no such method; an outcome is missing, so that the design has a hole; or all are the same.
    """
    _expect_method(method, (*get_args(Design), "rbd_fast"))
    with extra("lab", "an analysis of sensitivity"):
        from SALib.analyze import morris, rbd_fast, sobol
    values, problem = np.asarray(outcomes, dtype=float), _problem(bounds)
    columns: tuple[str, ...]
    if len(values) != len(points) or not np.isfinite(values).all():
        known = int(np.isfinite(values).sum())
        raise WorldError(f"{len(points)} points have {known} outcomes: a design of sensitivity has no holes")
    if np.ptp(values) == 0:
        raise WorldError("the outcome is the same at all points, so it depends on no parameter")
    inputs = points[list(bounds)].to_numpy(dtype=float)
    if method == "morris":
        indices, columns = morris.analyze(problem, inputs, values, num_levels=LEVELS, seed=seed), MORRIS
    elif method == "sobol":
        indices, columns = sobol.analyze(problem, values, calc_second_order=False, seed=seed), SOBOL
    else:
        indices, columns = rbd_fast.analyze(problem, inputs, values, seed=seed), RBD_FAST
    table = pd.DataFrame({name: np.asarray(indices[name], dtype=float) for name in columns}, index=list(bounds))
    return table.rename_axis("parameter").sort_values(columns[0], ascending=False, kind="stable")


SOBOL = ("ST", "ST_conf", "S1", "S1_conf")
MORRIS = ("mu_star", "mu_star_conf", "mu", "sigma")
RBD_FAST = ("S1", "S1_conf")


def _expect_method(given: str, known: Sequence[str]) -> None:
    if given not in known:
        raise WorldError(f"method={given!r}: takes {', '.join(known)}.{did_you_mean(given, known)}")


def _problem(bounds: Bounds) -> dict[str, Any]:
    return {"num_vars": len(bounds), "names": list(bounds), "bounds": [list(each) for each in bounds.values()]}
