"""Searches for the best parameters, in a cell: each value is one that cells may give the estimator themselves."""

from __future__ import annotations

import itertools
import math
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.estimators import MOST_TRIED, grids_of
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.numpy_bounds import check_items

MOST_COMBINED, MOST_IN_A_GRID = 10_000, 100_000


def grid(param_grid: Any) -> list[dict[str, Any]]:
    """``ParameterGrid``: every combination of values of parameters."""
    listed = []
    for each in grids_of(param_grid, "ParameterGrid"):
        lists = {name: list(itertools.islice(each[name], MOST_COMBINED + 1)) for name in sorted(each)}
        combined = math.prod(map(len, lists.values()))
        check_items(max(combined, *map(len, lists.values()), 0), "ParameterGrid", MOST_COMBINED)
        listed.append((lists, combined))
    check_items(sum(combined for _, combined in listed), "ParameterGrid", MOST_COMBINED)
    check_items(sum(combined * len(lists) for lists, combined in listed), "ParameterGrid's values", MOST_IN_A_GRID)
    return [
        dict(zip(lists, values, strict=True)) for lists, _ in listed for values in itertools.product(*lists.values())
    ]


def candidates(search: Any) -> list[dict[str, Any]]:
    """Return all parameters that a search is about to try; raises Blocked for too many."""
    if hasattr(search, "param_grid"):
        most = sum(
            math.prod(len(values) for values in each.values()) for each in grids_of(search.param_grid, "a search")
        )
        if most > MOST_TRIED:
            raise Blocked(f"GridSearchCV: tries {most:,} candidates, more than {MOST_TRIED}; take fewer values")
        return list(load("sklearn.model_selection").ParameterGrid(search.param_grid))
    sampler = load("sklearn.model_selection").ParameterSampler
    return list(sampler(search.param_distributions, search.n_iter, random_state=search.random_state))
