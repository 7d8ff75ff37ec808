"""What stands around scikit-learn while it learns: chance is an agent's, there is one thread, and C comes to an end.

What estimators are given for that while is taken back afterwards, from what they learned as well: a search, or what
learns by several, makes copies of what it was made with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from cave_sim.policy.libraries.estimators import SEARCHES, is_estimator, parameters, whole
from cave_sim.policy.libraries.fit_steps import VECTORS, most_rounds
from cave_sim.policy.libraries.one_thread import all_on_one_thread

_ANY_SEED = 1
"""For what draws a number from numpy's own stream, makes nothing of it, and cannot be told another, as SVR is."""
_LAID_OUT = frozenset({"PolynomialFeatures"})
"""What makes room by what it learned and fills it by its parameters: set anew, some would hold what memory held."""
_TRACE = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)+(?:sklearn\.[\w.]+\.(?=\w+: ))?")
"""What scikit-learn tells of fits that failed: where its files lie on this machine, and only then why."""
_TIMES = frozenset("mean_fit_time mean_score_time std_fit_time std_score_time".split())


@contextmanager
def at_work(estimators: list[Any], draw: Callable[[], int], given: Sequence[Any] = ()) -> Iterator[None]:
    """Seed what would draw from nobody's stream, keep to one thread, and let errors be of Python's classes.

    What fails leaves estimators as they were: with sizes of new data and parts of old ones, C would read past these.

    Args:
        estimators: those that work.
        draw: draws a seed from the acting agent's stream.
        given: what they are given, and so go through again and again.
    """
    parts = [each for part in estimators for each in whole(part)]
    before = [(each, dict(vars(each))) for each in parts]
    lent: list[tuple[str, Any, Any]] = []
    changed = []
    for each in parts:
        if _draws(each):
            lent.append(("random_state", seed := draw(), None))
            changed.append((each, "random_state", None))
            each.random_state = seed
        if type(each).__name__ in VECTORS:
            most = most_rounds(each, given)
            if not 0 <= each.max_iter <= most:
                lent.append(("max_iter", most, each.max_iter))
                changed.append((each, "max_iter", each.max_iter))
                each.max_iter = most
    stream = np.random.get_state()
    np.random.seed(_ANY_SEED)
    try:
        with all_on_one_thread(), plain_errors():
            yield
    except BaseException:
        for each, was in before:
            vars(each).clear()
            vars(each).update(was)
        raise
    finally:
        np.random.set_state(stream)
        for each, name, own in changed:
            setattr(each, name, own)
        for part in estimators:
            _give_back(part, lent)


def _give_back(estimator: Any, lent: list[tuple[str, Any, Any]]) -> None:
    """Take from what was learned what was lent to what it was copied from, and how long this machine took."""
    for each in learned_by(estimator):
        for name, value, own in lent:
            if name in vars(each) and type(vars(each)[name]) is int and vars(each)[name] == value:
                setattr(each, name, own)
        if type(each).__name__ in SEARCHES and hasattr(each, "cv_results_"):
            each.cv_results_ = {
                name: np.zeros_like(value) if name in _TIMES else value for name, value in each.cv_results_.items()
            }
            if hasattr(each, "refit_time_"):
                each.refit_time_ = 0.0


def forget(estimator: Any) -> None:
    """Have an estimator whose parameters were set, and those in it, learn again before it is used, where it must."""
    for each in whole(estimator):
        if type(each).__name__ in _LAID_OUT:
            for name in vars(each).keys() - parameters(each).keys():
                delattr(each, name)


def learned_by(estimator: Any) -> Iterator[Any]:
    """Yield an estimator, those that it was made with, and those that it learned, whose names end in `_`."""
    seen: set[int] = set()
    left = [estimator]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            left += each.values()
        elif isinstance(each, (list, tuple)) or (isinstance(each, np.ndarray) and each.dtype == object):
            left += each.ravel().tolist() if isinstance(each, np.ndarray) else each
        elif is_estimator(type(each)) and id(each) not in seen:
            seen.add(id(each))
            yield each
            left += [value for value in vars(each).values() if isinstance(value, (list, tuple, dict, np.ndarray))]
            left += [value for value in vars(each).values() if is_estimator(type(value))]


def _draws(estimator: Any) -> bool:
    """Say whether an estimator would draw from nobody's stream."""
    made_with = parameters(estimator)
    shuffles = hasattr(estimator, "get_params") or made_with.get("shuffle", True)  # what splits draws to shuffle
    return made_with.get("random_state", 0) is None and shuffles


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise what scikit-learn raises as an error of Python's own, in its words."""
    try:
        yield
    except ValueError as error:  # one that is not fitted, or a parameter out of its bounds, is such
        raise ValueError(_TRACE.sub("", str(error))) from None
