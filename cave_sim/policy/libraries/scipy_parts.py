"""What a cell gets of SciPy beside its statistics: special functions, distances, matrices, and the best assignment.

As those of ``scipy.stats``, each takes numbers and sequences of numbers, and none draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.numpy_bounds import check_items
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.libraries.scipy_programs import linprog
from cave_sim.policy.libraries.scipy_solvers import INTEGRATORS, SOLVERS
from cave_sim.policy.libraries.scipy_stats import MOST_ITEMS, all_as_seen, as_kept

MOST_STEPS = 50_000_000
"""Differences of coordinates, where each point is compared with each."""
MOST_IN_MATRIX = 250_000
MOST_IN_POWERS = 40_000
"""Values in a matrix that is multiplied by itself again and again."""
MOST_ASSIGNED = 250_000
"""Costs in a table from which an assignment is chosen."""
_METRICS = frozenset(
    "euclidean sqeuclidean cityblock chebyshev cosine correlation braycurtis canberra hamming jaccard minkowski".split()
)
_EXACT: dict[str, Callable[..., int]] = {"factorial": math.factorial, "comb": math.comb, "perm": math.perm}
_MOST_EXACT = 1_000

Cost = Callable[..., int]
"""Tells from what a function is given how many values it goes through."""


def _together(*given: Any, **_: Any) -> int:
    return math.prod(np.broadcast_shapes(*map(np.shape, given)))


def _numbers(
    name: str,
    options: str,
    cost: Cost = _together,
    most: int = MOST_ITEMS,
    *,
    is_whole: bool = False,
    arrays: int | None = None,
    is_finite: bool = False,
) -> Callable[..., Any]:
    """Return a function of SciPy for cells.

    Args:
        name: as in ``special.erf``.
        options: what it takes by name.
        cost: of what it is given.
        most: how many values it goes through at the most.
        is_whole: whether whole numbers stay such.
        arrays: how many it takes by place; None for any number of a function that has no options behind them that say
            where it writes, or what it does not look at.
        is_finite: whether it goes on for ever, or writes past the cell, where a number is none.
    """
    module, _, function = name.rpartition(".")
    title = f"scipy.{name}"

    def call(*args: Any, **named: Any) -> Any:
        given, wanted = all_as_seen(title, args, named, options.split(), is_whole=is_whole)
        if cost(*given, **wanted) > most:
            raise Blocked(f"{title}: more than {most:,} values")
        if is_finite and not all(np.isfinite(each).all() for each in given if isinstance(each, np.ndarray)):
            raise ValueError(f"{title}: array must not contain infs or NaNs")
        called = getattr(load(f"scipy.{module}"), function)
        by_place = called.nin if isinstance(called, np.ufunc) else arrays
        if by_place is not None and len(given) > by_place:
            raise Blocked(f"{title}: takes {by_place} by place in a cell, not {len(given)}")
        with one_thread(*given):
            return as_kept(called(*given, **wanted))

    call.__name__ = call.__qualname__ = function
    return call


def _counted(name: str) -> Callable[..., Any]:
    """Return ``comb``, ``perm`` or ``factorial``: of floats, or exact of whole numbers."""
    arrays = 1 if name == "factorial" else 2
    of_floats = _numbers(f"special.{name}", "exact repetition" if name == "comb" else "exact", arrays=arrays)

    def call(*numbers: Any, exact: bool = False, **options: Any) -> Any:
        if not exact:
            return of_floats(*numbers, **options)
        if options or any(type(each) is not int or each > _MOST_EXACT for each in numbers):
            raise Blocked(f"scipy.special.{name}(exact=True) takes whole numbers to {_MOST_EXACT:,}; see math.{name}")
        return _EXACT[name](*numbers)

    call.__name__ = call.__qualname__ = name
    return call


def _compared(*points: Any, **_: Any) -> int:
    """Return how many coordinates are compared, where each point is with each, of the same or the other table."""
    tables = [each for each in points if isinstance(each, np.ndarray)]
    for metric in (each for each in points if isinstance(each, str)):
        if metric not in _METRICS:
            raise Blocked(
                f"scipy.spatial.distance: {metric[:40]!r} is not for cells; take {', '.join(sorted(_METRICS))}"
            )
    if not tables or any(each.ndim != 2 for each in tables):
        return 0  # which SciPy refuses in words
    rows = [len(each) for each in tables]
    check_items(rows[0] * rows[-1], "distances")
    return rows[0] * rows[-1] * int(tables[0].shape[1])


def _metric(*points: Any, metric: Any = "euclidean", **_: Any) -> int:
    return _compared(*points, metric)


def _squared(values: Any, *_: Any, **__: Any) -> int:
    return 2 * np.size(values)  # a table from its half, or the half from the table


def _squared_side(*matrices: Any, **_: Any) -> int:
    """Return how many values a matrix has that is as wide and as high as the longest side of any."""
    return max((side for each in matrices for side in np.shape(each)), default=0) ** 2


def _spread(values: Any, *_: Any, **__: Any) -> int:
    return np.size(values)


SPECIAL: dict[str, Any] = {
    **{
        name: _numbers(f"special.{name}", "")
        for name in (
            "erf erfc erfinv erfcinv gamma gammaln loggamma beta betaln digamma expit log_expit logit xlogy xlog1py "
            "entr rel_entr kl_div binom log1p expm1 cbrt exp2 exp10 ndtr ndtri log_ndtr boxcox boxcox1p inv_boxcox "
            "inv_boxcox1p gammainc gammaincc betainc betaincinv gammaincinv huber pseudo_huber j0 j1 sinc"
        ).split()
    },
    **{name: _numbers(f"special.{name}", "axis", _spread) for name in ("softmax", "log_softmax")},
    "logsumexp": _numbers("special.logsumexp", "axis b keepdims"),
    **{name: _counted(name) for name in _EXACT},
}
"""``scipy.special``."""
DISTANCE: dict[str, Any] = {
    **{name: _numbers(f"spatial.distance.{name}", "p w", _spread, is_whole=True) for name in sorted(_METRICS)},
    **{name: _numbers(f"spatial.distance.{name}", "metric p w", _metric, MOST_STEPS) for name in ("cdist", "pdist")},
    "squareform": _numbers("spatial.distance.squareform", "", _squared),
}
"""``scipy.spatial.distance``."""
SPATIAL: dict[str, Any] = {"distance_matrix": _numbers("spatial.distance_matrix", "p", _compared, MOST_STEPS)}
"""``scipy.spatial``, beside distances."""
INTEGRATE: dict[str, Any] = {
    name: _numbers(f"integrate.{name}", "x dx axis" if name != "cumulative_trapezoid" else "x dx axis initial", _spread)
    for name in ("trapezoid", "simpson", "cumulative_trapezoid")
}
"""``scipy.integrate``: what adds up samples."""
INTEGRATE |= INTEGRATORS
OPTIMIZE: dict[str, Any] = SOLVERS | {
    "linprog": linprog,
    "linear_sum_assignment": _numbers("optimize.linear_sum_assignment", "maximize", _spread, MOST_ASSIGNED),
}
"""``scipy.optimize``."""
_TWO_MATRICES = frozenset("lstsq norm solve solve_triangular toeplitz".split())
"""Of what is computed with matrices, that which takes two by place; ``norm`` takes its order."""
LINALG: dict[str, Any] = {
    name: _numbers(
        f"linalg.{name}",
        options,
        _squared_side,
        most,
        is_whole=True,
        arrays=2 if name in _TWO_MATRICES else 1,
        is_finite=name != "toeplitz",
    )
    for most, options_of_names in (
        (MOST_IN_MATRIX, {"inv pinv det lstsq norm svd svdvals qr lu eig eigvals eigvalsh eigh cholesky": ""}),
        (MOST_IN_MATRIX, {"solve_triangular": "trans lower unit_diagonal", "solve": "assume_a lower transposed"}),
        (MOST_IN_POWERS, {"expm sqrtm null_space orth hessenberg schur polar toeplitz": ""}),
    )
    for names, options in options_of_names.items()
    for name in names.split()
}
"""``scipy.linalg``."""
