"""``scipy.optimize.linprog`` in a cell: the least of a linear cost within linear bounds, of plain numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.libraries.scipy_solvers import OptimizeResult, as_found
from cave_sim.policy.libraries.scipy_stats import as_seen

MOST_UNKNOWNS, MOST_BOUNDS, MOST_STEPS = 200, 200, 5_000
_METHODS = ("highs", "highs-ds", "highs-ipm")


def linprog(
    c: Any,
    A_ub: Any = None,  # noqa: N803 -- named as SciPy names it
    b_ub: Any = None,
    A_eq: Any = None,  # noqa: N803
    b_eq: Any = None,
    bounds: Any = (0, None),
    method: Any = "highs",
    **options: Any,
) -> OptimizeResult:
    """``scipy.optimize.linprog``, of numbers that may have parts."""
    title = "scipy.optimize.linprog"
    odd = sorted(name for name, value in options.items() if value is not None)
    if odd:
        instead = "; round what it finds, and look beside it" if odd[0] == "integrality" else ""
        raise Blocked(f"{title}: {odd[0]}= is not for cells{instead}")
    if method not in _METHODS:
        raise Blocked(f"{title}: method={str(method)[:40]!r} is not for cells; take {', '.join(_METHODS)}")
    cost, *tables = (as_seen(each, title) for each in (c, A_ub, b_ub, A_eq, b_eq))
    if np.size(cost) > MOST_UNKNOWNS or any(len(each) > MOST_BOUNDS for each in tables if np.ndim(each)):
        raise Blocked(f"{title}: at most {MOST_UNKNOWNS} numbers and {MOST_BOUNDS} bounds on them")
    with one_thread(np.zeros(MOST_UNKNOWNS * MOST_BOUNDS)):
        return as_found(
            load("scipy.optimize").linprog(
                cost, *tables, bounds=_pairs(bounds, title), method=method, options={"maxiter": MOST_STEPS}
            )
        )


def _pairs(bounds: Any, title: str) -> Any:
    """Return bounds as SciPy is to see them: a pair for all, or one for each."""
    listed = [] if bounds is None else list(bounds)
    if len(listed) > MOST_UNKNOWNS:
        raise Blocked(f"{title}: at most {MOST_UNKNOWNS} pairs of bounds")
    if not any(isinstance(each, (list, tuple, np.ndarray)) for each in listed):
        return tuple(as_seen(end, title) for end in listed) or None
    return [tuple(as_seen(end, title) for end in pair) for pair in listed]
