"""How long one fit may take in which Python is not heard: C goes through data as often as it was told to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked

MOST_COUNTED = 2_000
"""Labels of which the kinds are counted before something is fitted."""
MOST_MIXED = 4_000_000
"""Values, of each component of a mixture."""
_IN_C = frozenset("Perceptron SGDClassifier SGDRegressor".split())
"""What goes through all that it is given as often as it is told to, before Python is heard again."""
_BY_ROWS = frozenset({"sag", "saga"})
"""Ways to solve that do so, too."""
VECTORS = frozenset("OneClassSVM SVC SVR".split())
"""What goes on until it is done, if it is not told otherwise."""
_FITS = 6
_LEAST_ROUNDS = 100
_MOST_ROUNDS = 100_000_000
"""Rows that C goes through before Python is heard again, for each class."""
_A_CALL = 100
"""As many products as a call for each two rows takes."""
MOST_KERNEL = 6_000_000_000
"""Products that C makes of rows with each other, between two classes at a time."""
_MOST_IN_C = 200_000_000
MOST_FOR_LIBLINEAR = 1_000_000
"""Rows times the square of columns, and the largest number: beyond, it looks for long, or for ever."""


def check_steps(title: str, each: Any, data: list[Any], rows: int, columns: int) -> None:
    """Return if one estimator takes few enough steps between which nobody is heard; raises Blocked."""
    if type(each).__name__ == "GaussianMixture":
        sizes = each.n_components * max(1, columns) * max(rows, columns)
        if sizes > MOST_MIXED:
            raise Blocked(f"{title}: works on {sizes:,} values, more than {MOST_MIXED:,}; take fewer components")
    if getattr(each, "solver", None) == "liblinear":
        _check_liblinear(title, each, data)
        if rows * columns**2 > MOST_FOR_LIBLINEAR:
            raise Blocked(f"{title}: solver='liblinear' takes fewer rows and columns than these; leave solver= out")
    if type(each).__name__ in _IN_C:
        _check_rounds(title, each.max_iter, rows * columns)
    if getattr(each, "solver", None) in _BY_ROWS:
        classes = classes_of(data[1:2]) if type(each).__name__.startswith("Logistic") else 1
        _check_rounds(title, each.max_iter or 1_000, rows * (columns * classes + 2 * _A_CALL) // 5)
    if type(each).__name__ in VECTORS:
        _check_kernel(title, each, data, rows, columns)


def _check_rounds(title: str, rounds: int, values: int) -> None:
    if rounds * values > _MOST_IN_C:
        raise Blocked(f"{title}: goes {rounds:,} times through {values:,} values; lower max_iter")


def _check_kernel(title: str, each: Any, data: list[Any], rows: int, columns: int) -> None:
    """Return if support vectors of each two classes are compared in few enough steps; raises Blocked."""
    pairs = rows**2
    if type(each).__name__ == "SVC" and len(data) > 1:
        counts = np.unique([str(label) for label in np.asarray(data[1]).ravel().tolist()], return_counts=True)[1]
        pairs += max(0, len(counts) - 2) * int(np.sum(counts**2))
    taken = pairs * (columns + _A_CALL) * fits_of(each)
    if taken > MOST_KERNEL:
        raise Blocked(f"{title}: compares rows in {taken:,} steps; take fewer rows, columns or classes")


def fits_of(vectors: Any) -> int:
    """Return how often support vectors are fitted in one call: probabilities are found by fits of parts, too."""
    return _FITS if getattr(vectors, "probability", False) is True else 1


def most_rounds(vectors: Any, given: Sequence[Any]) -> int:
    """Return how many rounds support vectors may take to be done, since they go on until they are."""
    data = [each for each in given if not hasattr(each, "get_params")]
    classes = classes_of(data[1:2]) if type(vectors).__name__ == "SVC" else 1
    rows = max(1, max(map(rows_of, data), default=1))
    return max(_LEAST_ROUNDS, _MOST_ROUNDS // (rows * classes * fits_of(vectors)))


def _check_liblinear(title: str, estimator: Any, data: list[Any]) -> None:
    """Return if an estimator by ``liblinear`` and its data are of numbers with which it ends; raises Blocked."""
    weights = estimator.class_weight.values() if isinstance(estimator.class_weight, dict) else ()
    numbers = [getattr(estimator, "C", 1.0), getattr(estimator, "Cs", 1), estimator.intercept_scaling, *weights]
    for each in (*numbers, *(each for each in data if isinstance(each, (list, np.ndarray, pd.DataFrame, pd.Series)))):
        values = np.asarray(each)
        if values.dtype.kind in "iuf" and values.size and not np.nanmax(np.abs(values)) <= MOST_FOR_LIBLINEAR:
            raise Blocked(f"{title}: solver='liblinear' takes numbers to {MOST_FOR_LIBLINEAR:,}; scale them")


def rows_of(data: Any) -> int:
    """Return how many rows something has."""
    return shape_of(data)[0]


def classes_of(data: Iterable[Any]) -> int:
    """Return how many classes there may be among what an estimator is given, of which there are few."""
    columns = [each for each in data if shape_of(each)[1] == 1 and isinstance(each, (list, np.ndarray, pd.Series))]
    listed = [each if isinstance(each, list) else each.ravel().tolist() for each in map(_plain, columns)]
    return max((len(set(map(str, each[:MOST_COUNTED]))) for each in listed), default=1)


def _plain(column: Any) -> Any:
    return column.to_numpy() if isinstance(column, pd.Series) else column


def shape_of(data: Any) -> tuple[int, int]:
    """Return how many rows and columns something has."""
    if isinstance(data, (list, tuple)):
        return len(data), len(data[0]) if data and isinstance(data[0], (list, tuple, np.ndarray)) else 1
    shape: Any = (*getattr(data, "shape", (0,)), 1, 1)
    return shape[0], shape[1]
