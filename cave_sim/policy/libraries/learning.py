"""``sklearn`` in a cell: estimators that learn from plain data, and measures of them.

An estimator is scikit-learn's own, so that it comes out by ``retrieve`` as one that a tool fitted. What it is given
are copies of numbers, texts and tables of them; what it learned is read as copies. Chance is the agent's own stream
wherever no ``random_state`` is given.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.loading.extras import extra
from cave_sim.policy.libraries.estimators import (
    ALWAYS,
    ASKED,
    KINDS,
    SCORES,
    SEARCHES,
    check_classes,
    check_compared,
    check_cost,
    is_estimator,
    parameters,
    settle,
    settled_grid,
    whole,
)
from cave_sim.policy.libraries.fitting import at_work, forget, learned_by, plain_errors
from cave_sim.policy.libraries.late import aside, load
from cave_sim.policy.libraries.measures import MEASURES, Scorer, elementwise, make_scorer, measured, scorer_of
from cave_sim.policy.libraries.one_thread import all_on_one_thread
from cave_sim.policy.libraries.plain_data import NO_SHAPE, Screen
from cave_sim.policy.libraries.scipy_results import as_result
from cave_sim.policy.libraries.scipy_stats import FrozenDistribution, whole_of
from cave_sim.policy.libraries.searches import candidates, grid
from cave_sim.policy.libraries.toy_data import SETS, load_sets

Draw = Callable[[], int]
"""Draws a seed from the acting agent's stream."""
_FUNCTIONS = {
    "base": "clone",
    "datasets": "make_blobs make_circles make_classification make_friedman1 make_friedman2 make_friedman3 "
    "make_gaussian_quantiles make_hastie_10_2 make_moons make_regression make_s_curve make_swiss_roll",
    "compose": "make_column_transformer",
    "feature_selection": " ".join(sorted(SCORES)) + " mutual_info_classif mutual_info_regression",
    "metrics": " ".join(sorted(MEASURES)),
    "metrics.pairwise": "cosine_distances cosine_similarity euclidean_distances manhattan_distances",
    "model_selection": "cross_val_predict cross_val_score cross_validate learning_curve train_test_split "
    "validation_curve",
    "pipeline": "make_pipeline",
    "preprocessing": "maxabs_scale minmax_scale normalize robust_scale scale",
}
_OF_LABELS = frozenset({"calinski_harabasz_score", "davies_bouldin_score"})
"""Of these, the classes are what comes second."""
_OF_PARTITIONS = frozenset(
    "adjusted_mutual_info_score adjusted_rand_score completeness_score fowlkes_mallows_score "
    "homogeneity_completeness_v_measure homogeneity_score mutual_info_score normalized_mutual_info_score rand_score "
    "v_measure_score".split()
)
"""Of these, both."""
_COMPARED = frozenset("silhouette_score silhouette_samples mutual_info_classif mutual_info_regression".split())
_OF_CLASSES = frozenset(
    "adjusted_rand_score classification_report cohen_kappa_score confusion_matrix f1_score fbeta_score jaccard_score "
    "log_loss matthews_corrcoef normalized_mutual_info_score precision_recall_fscore_support precision_score "
    "recall_score adjusted_mutual_info_score calinski_harabasz_score completeness_score davies_bouldin_score "
    "fowlkes_mallows_score homogeneity_completeness_v_measure homogeneity_score multilabel_confusion_matrix "
    "mutual_info_score rand_score top_k_accuracy_score v_measure_score".split()
)
"""What makes something of each class."""
REACHING = ASKED | {"named_steps", "steps", "tree_", "estimators_", "get_metadata_routing", "set_output", "apply"}
"""What estimators have that cells do not get as it is: a field of that name is no reason to read it unguarded."""


def of_estimator(estimator: Any, name: str, draw: Draw) -> Any:
    """Return an attribute of an estimator as cells get it: what it learned, a parameter, or a method for plain data.

    Raises:
        Blocked: it is there, but not for cells.
    """
    title = f"{type(estimator).__name__}.{name}"
    if name == "named_steps" and type(estimator).__name__ == "Pipeline":
        return dict(estimator.steps)
    if name in ASKED and hasattr(estimator, name):
        return _method(estimator, name, title, draw)
    if name in parameters(estimator) or (name.endswith("_") and hasattr(estimator, name)):
        with plain_errors():
            value = getattr(estimator, name)
            return _told(deepcopy(value) if name.endswith("_") and _holds_estimators(value) else value, title)
    if hasattr(estimator, name):
        raise Blocked(f"{title} is not for cells; what it learned and its parameters are")
    raise AttributeError(f"a {type(estimator).__name__} has no attribute {name!r}")


def _holds_estimators(value: Any) -> bool:
    """Say whether estimators are in what was learned: if a cell had them fit again, C would go by sizes of before."""
    return next(learned_by([value]), None) is not None


def _told(value: Any, title: str) -> Any:
    """Return what an estimator learned as a cell keeps it: copies of arrays, numbers, texts, and lists of them."""
    if isinstance(value, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(value), np.nan, value.data) if np.any(value.mask) else value.data.copy()
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(_told(each, title) for each in value)
    if isinstance(value, dict):
        return {key: _told(each, title) for key, each in value.items()}
    if value is None or isinstance(value, (str, bool, int, float, np.number, np.bool_)) or is_estimator(type(value)):
        return value
    raise Blocked(f"{title} is no plain data, and not for cells")


def _screen(title: str) -> Screen:
    return Screen(title, "take a sample", functools.partial(_estimator_or_score, title))


def _estimator_or_score(title: str, value: Any) -> Any:
    if type(value) is FrozenDistribution:
        return whole_of(value)
    if type(value) is Scorer:
        return scorer_of(value)
    if (function := elementwise(value)) is not None:
        return function
    if isinstance(value, types.FunctionType):
        if value in _scores:
            return getattr(load_learning("feature_selection"), _scores[value])
        if title.startswith("Select"):
            names = ", ".join(sorted(SCORES))
            raise TypeError(f"{title}: the functions that cells choose columns by are {names}, not {value.__name__}")
    return value if is_estimator(type(value)) else NO_SHAPE


def _read(title: str, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    screen = _screen(title)
    plain = [screen.pass_through(each) for each in args]
    return plain, settle(title, {key: screen.pass_through(value) for key, value in options.items()})


def _method(estimator: Any, name: str, title: str, draw: Draw) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        plain, named = _read(title, args, options)
        if name == "split":
            check_cost(title, [estimator], plain)
            with at_work([estimator], draw):
                return iter(list(estimator.split(*plain, **named)))
        if name == "get_params":
            parameters = estimator.get_params(*plain, **named)
            return {
                key: _told(value, title)
                for key, value in parameters.items()
                if not callable(value) or is_estimator(type(value))
            }
        plain, named = _arguments(getattr(estimator, name), title, plain, named)
        given = [*plain, *named.values()]
        check_cost(title, [estimator], given)
        if name.startswith("fit") and len(plain) > 1 and _classifies(estimator):
            check_classes(title, plain[1])
        with at_work([estimator], draw, given):
            if name.startswith("fit"):
                _check_tried(title, estimator, given)
            found = getattr(estimator, name)(*plain, **named)
            if name == "set_params":
                forget(estimator)
            return iter(list(found)) if name.startswith("staged") else found

    call.__name__ = call.__qualname__ = name
    return call


def _check_tried(title: str, estimator: Any, given: list[Any]) -> None:
    """Return if each candidate of the searches in an estimator takes no longer than one that a cell may fit."""
    for search in [each for each in whole(estimator) if type(each).__name__ in SEARCHES]:
        for tried in candidates(search):
            made = load("sklearn.base").clone(search.estimator).set_params(**tried)
            check_cost(title, [made], given)


def _classifies(estimator: Any) -> bool:
    return hasattr(estimator, "get_params") and bool(load("sklearn.base").is_classifier(estimator))


def _settled(function: Any, title: str, plain: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """Return arguments by name, with those that have one value here."""
    return settle(title, dict(inspect.signature(function).bind(*plain, **named).arguments))


def _arguments(function: Any, title: str, plain: list[Any], named: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments with those that have one value here, also where they came without their names."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*plain, **named)
    except TypeError as error:
        raise TypeError(f"{title}: {error}") from None
    gathered = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    own = {name: value for name, value in bound.arguments.items() if signature.parameters[name].kind not in gathered}
    bound.arguments.update(settle(title, own))
    return list(bound.args), bound.kwargs


def _making(name: str) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        plain, named = _read(name, args, options)
        kind = getattr(load_learning(KINDS[name]), name)
        with plain_errors():
            return kind(**{**ALWAYS.get(name, {}), **_settled(kind, name, plain, named)})

    call.__name__ = call.__qualname__ = name
    return call


_MAKING = {name: _making(name) for name in KINDS}


def _function(module: str, name: str, draw: Draw) -> Callable[..., Any]:
    title = f"sklearn.{module}.{name}"

    def call(*args: Any, **options: Any) -> Any:
        plain, named = _read(title, args, options)
        function = getattr(load_learning(module), name)
        if name == "make_column_transformer":
            named["sparse_threshold"] = 0
        plain, named = _arguments(function, title, plain, named)
        if name == "validation_curve":
            plain, named = _curve(title, dict(inspect.signature(function).bind(*plain, **named).arguments))
        given = [*plain, *named.values()]
        estimators = [each for each in given if is_estimator(type(each))]
        check_cost(title, estimators, [each for each in given if not is_estimator(type(each))])
        if name in _OF_CLASSES:
            for labels in given[1:2] if name in _OF_LABELS else given[:2] if name in _OF_PARTITIONS else given[:1]:
                check_classes(title, labels)
        if name in _COMPARED or module == "metrics.pairwise":
            check_compared(title, *given)
        if "random_state" in inspect.signature(function).parameters and named.get("random_state") is None:
            named["random_state"] = draw()
        for each in estimators:
            _check_tried(title, each, given)
        with at_work(estimators if module == "model_selection" else [], draw, given):
            return _without_times(function(*plain, **named))

    call.__name__ = call.__qualname__ = name
    if name in SCORES:
        _scores[call] = name
    if module == "metrics":
        measured[call] = name
    return call


_scores: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""What cells have of functions by which columns are chosen -> the name of each."""


def _curve(title: str, named: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of ``validation_curve``, of which each value is one that cells may give the estimator."""
    if not is_estimator(type(named["estimator"])):
        raise TypeError(f"{title} takes an estimator")
    name = str(named["param_name"])
    named["param_range"] = settled_grid(title, {name: named["param_range"]})[name]
    for value in named["param_range"]:
        made = load("sklearn.base").clone(named["estimator"])
        with plain_errors():
            check_cost(title, [made.set_params(**{name: value})], [named["X"], named["y"]])
    return [], named


def _without_times(found: Any) -> Any:
    """Return what was found, without how long this machine took: as cross_validate tells it, in no time."""
    if isinstance(found, dict):
        return {name: value * 0 if name in ("fit_time", "score_time") else value for name, value in found.items()}
    return found


def _importance(draw: Draw) -> Callable[..., Any]:
    def permutation_importance(
        estimator: Any,
        X: Any,  # noqa: N803 -- named as scikit-learn names it
        y: Any,
        *,
        scoring: Any = None,
        n_repeats: int = 5,
        random_state: Any = None,
        **options: Any,
    ) -> Any:
        title = "sklearn.inspection.permutation_importance"
        given = {"scoring": scoring, "n_repeats": n_repeats, "random_state": random_state, **options}
        (model, rows, wanted), named = _read(title, (estimator, X, y), given)
        if not is_estimator(type(model)):
            raise TypeError(f"{title} takes an estimator that was fitted")
        check_cost(title, [model], [rows, wanted])
        if named["random_state"] is None:
            named["random_state"] = draw()
        with at_work([model], draw):
            found = load_learning("inspection").permutation_importance(model, rows, wanted, **named)
        return as_result(found, "importances_mean importances_std importances", lambda value: value)

    return permutation_importance


def export_text(decision_tree: Any, *, feature_names: Any = None, class_names: Any = None, **options: Any) -> str:
    """``export_text``: a tree as a text."""
    title = "sklearn.tree.export_text"
    given = {"feature_names": feature_names, "class_names": class_names, **options}
    (tree,), named = _read(title, (decision_tree,), given)
    if not is_estimator(type(tree)) or not hasattr(tree, "tree_"):
        raise TypeError(f"{title} takes a tree that was fitted")
    plain = [value for value in named.values() if isinstance(value, (int, float))]
    if tree.tree_.node_count > MOST_NODES or max(plain, default=0) > MOST_LEVELS:
        raise Blocked(f"{title}: a tree of at most {MOST_NODES:,} nodes, and numbers to {MOST_LEVELS}")
    words = [word for names in (named["feature_names"], named["class_names"]) if names is not None for word in names]
    if any(len(str(word)) > MOST_CHARS for word in words):
        raise Blocked(f"{title}: a name of more than {MOST_CHARS} characters")
    with plain_errors():
        return str(load_learning("tree").export_text(tree, **named))


MOST_NODES, MOST_LEVELS, MOST_CHARS = 2_000, 20, 200


def load_learning(module: str) -> Any:
    """Return a module of scikit-learn, loaded whole."""
    with extra("learn", "to learn from data"):
        loaded = load(f"sklearn.{module}")
    _look_up_threads()
    return loaded


@functools.cache
def _look_up_threads() -> None:
    """Find what works on threads, and how each is told: both are looked up in files, and no cell's doing."""
    with aside(), all_on_one_thread():
        pass


@functools.cache
def load_whole() -> None:
    """Load what cells may come to use, and use it once: a sandboxed process may read no file by then."""
    data = np.arange(24.0).reshape(12, 2) % 7
    for name in KINDS:
        load_learning(KINDS[name])
    for module in (*_FUNCTIONS, "inspection"):
        load_learning(module)
    load_sets()
    modules = {module: learning(module, lambda: 0) for module in LEARNING}
    names = "PolynomialFeatures StandardScaler PCA RandomForestClassifier".split()
    pipe = modules["pipeline"]["make_pipeline"](*(modules[KINDS[name]][name]() for name in names))
    modules["model_selection"]["cross_val_score"](pipe, data, data[:, 0] > 3, cv=2)
    table = pd.DataFrame({"a": data[:, 0], "b": data[:, 1], "c": list("abcdef" * 2)})
    for name in (
        "OneHotEncoder",
        "KMeans",
        "AgglomerativeClustering",
        "KNeighborsRegressor",
        "LogisticRegression",
        "Lasso",
    ):
        learned = modules[KINDS[name]][name]()
        columns = table if name == "OneHotEncoder" else table[["a", "b"]]
        repr(_method(learned, "fit", name, lambda: 0)(columns, table["a"] > 2))
    modules["metrics"]["classification_report"](table["c"], table["c"])


LEARNING = tuple(dict.fromkeys([*KINDS.values(), *_FUNCTIONS, "inspection"]))
"""The modules of ``sklearn`` of which something is offered."""


def learning(module: str, draw: Draw) -> dict[str, Any]:
    """Return what a module of ``sklearn`` offers.

    Args:
        module: one of :data:`LEARNING`.
        draw: draws a seed from the acting agent's stream.
    """
    made = {name: _MAKING[name] for name, of in KINDS.items() if of == module}
    made |= {name: _function(module, name, draw) for name in _FUNCTIONS.get(module, "").split()}
    return made | {"inspection": {"permutation_importance": _importance(draw)}, **_OTHERS}.get(module, {})


_OTHERS: dict[str, dict[str, Any]] = {
    "datasets": SETS,
    "metrics": {"make_scorer": make_scorer},
    "model_selection": {"ParameterGrid": grid},
    "tree": {"export_text": export_text},
}
"""What is asked of no stream, and is no function of scikit-learn's as it is."""
