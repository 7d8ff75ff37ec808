"""Which estimators of ``scikit-learn`` cells have, what they may ask of one, and how much one may be given.

Left out is what goes on threads, keeps what is no plain data (boosting, support vectors, text vectors) or takes more
time and memory than what it is given lets one expect.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any

import numpy as np

from cave_sim.errors import Blocked

KINDS: Mapping[str, str] = {
    name: module
    for module, names in {
        "cluster": "AgglomerativeClustering DBSCAN KMeans",
        "compose": "ColumnTransformer",
        "decomposition": "FactorAnalysis FastICA NMF PCA TruncatedSVD",
        "dummy": "DummyClassifier DummyRegressor",
        "ensemble": "ExtraTreesClassifier ExtraTreesRegressor IsolationForest RandomForestClassifier "
        "RandomForestRegressor",
        "feature_selection": "SelectKBest SelectPercentile VarianceThreshold",
        "impute": "KNNImputer SimpleImputer",
        "linear_model": "ARDRegression BayesianRidge ElasticNet ElasticNetCV HuberRegressor Lasso LassoCV "
        "LinearRegression LogisticRegression LogisticRegressionCV Ridge RidgeCV RidgeClassifier",
        "mixture": "GaussianMixture",
        "model_selection": "GroupKFold KFold LeaveOneOut RepeatedKFold RepeatedStratifiedKFold ShuffleSplit "
        "StratifiedKFold StratifiedShuffleSplit TimeSeriesSplit",
        "naive_bayes": "BernoulliNB GaussianNB MultinomialNB",
        "neighbors": "KNeighborsClassifier KNeighborsRegressor LocalOutlierFactor NearestNeighbors",
        "pipeline": "Pipeline",
        "preprocessing": "Binarizer FunctionTransformer KBinsDiscretizer LabelBinarizer LabelEncoder MaxAbsScaler "
        "MinMaxScaler Normalizer OneHotEncoder OrdinalEncoder PolynomialFeatures PowerTransformer QuantileTransformer "
        "RobustScaler StandardScaler",
        "tree": "DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor",
    }.items()
    for name in names.split()
}
"""The estimators, and what splits data for them, and in which module of scikit-learn each is."""
ASKED = frozenset(
    "decision_function fit fit_predict fit_transform get_depth get_feature_names_out get_n_leaves get_n_splits "
    "get_params get_support inverse_transform kneighbors predict predict_log_proba predict_proba score score_samples "
    "set_params split transform aic bic".split()
)
"""Their methods, for cells."""
MOST_COLUMNS = 1_000
MOST_CLASSES = 100
MOST_COMPARED = 2_000
"""Rows, of what compares each with each, or makes a column of each value."""
MOST_MADE = 400_000
"""Values, of what makes columns of columns."""
MOST_MIXED = 4_000_000
"""Values, of each component of a mixture."""
ALWAYS: Mapping[str, Mapping[str, Any]] = {
    "ColumnTransformer": {"sparse_threshold": 0},
    "KBinsDiscretizer": {"encode": "onehot-dense"},
    "OneHotEncoder": {"sparse_output": False},
    "KNeighborsClassifier": {"algorithm": "brute"},
    "KNeighborsRegressor": {"algorithm": "brute"},
    "LocalOutlierFactor": {"algorithm": "brute"},
    "NearestNeighbors": {"algorithm": "brute"},
}
"""What estimators are made with that their own defaults are not."""
_SETTLED = {
    "n_jobs": None,
    "verbose": 0,
    "sparse_output": False,
    "copy_X": True,
    "copy": True,
    "memory": None,
    "sparse_threshold": 0,
    "store_cv_results": False,
    "check_input": True,
    "pre_dispatch": "all",
}
"""Parameters that have this one value here: no threads, no prints, no files, nothing of whoever gave it written to,
nothing read past the end of what is given."""
_AT_MOST = {
    "centers": 100,
    "n_classes": MOST_CLASSES,
    "n_clusters_per_class": 20,
    "n_features": 100,
    "n_samples": 20_000,
    "n_targets": 10,
    "cv": 20,
    "degree": 4,
    "Cs": 100,
    "max_samples": 200_000,
    "n_alphas": 100,
    "n_bins": 100,
    "max_iter": 10_000,
    "n_clusters": 100,
    "n_components": 1_000,
    "n_estimators": 200,
    "n_init": 20,
    "n_iter": 50,
    "n_oversamples": 100,
    "n_quantiles": 10_000,
    "n_repeats": 20,
    "n_splits": 20,
}
_COMPARING = frozenset(
    "AgglomerativeClustering DBSCAN KBinsDiscretizer KNNImputer KNeighborsClassifier KNeighborsRegressor "
    "LabelBinarizer LeaveOneOut LocalOutlierFactor NearestNeighbors OneHotEncoder".split()
)
_SLOW = frozenset({"newton-cholesky", "covariance_eigh", "absolute_error"})
"""Ways to solve, and to measure, that take the square of what is given, or more."""
_TREES = frozenset({"auto", "kd_tree", "ball_tree"})
"""Ways to find neighbours that are no plain data."""
_NOT_HERE = frozenset({"dtype", "add_indicator", "gcv_mode"})
_LONGEST = {"alphas": 100, "Cs": 100, "cv": 20, "l1_ratio": 20, "train_sizes": 100}
"""Of lists that each item of makes one fit more."""
MOST_PARTS = 100
"""Steps of a pipeline, and what is done to columns."""


SCORES = frozenset("chi2 f_classif f_regression r_regression".split())
"""Functions by which columns are chosen: the only ones that an estimator is made with."""


def is_score(value: Any) -> bool:
    """Say whether a value is a function of scikit-learn's by which columns are chosen."""
    name = getattr(value, "__name__", None)
    return name in SCORES and getattr(sys.modules.get("sklearn.feature_selection"), name, None) is value


def is_estimator(kind: Any) -> bool:
    """Say whether a class is an estimator that cells have. scikit-learn is not loaded for it."""
    module = KINDS.get(kind.__name__) if isinstance(kind, type) else None
    return module is not None and getattr(sys.modules.get(f"sklearn.{module}"), kind.__name__, None) is kind


def whole(estimator: Any) -> Iterator[Any]:
    """Yield an estimator and those in it, such as the steps of a pipeline."""
    yield estimator
    parts = list(parameters(estimator).values())  # a cv= may be what splits data
    if type(estimator).__name__ == "Pipeline":
        parts += [step for _, step in estimator.steps]
    elif type(estimator).__name__ == "ColumnTransformer":
        parts += [part for _, part, _ in estimator.transformers]
        parts += [part for _, part, _ in getattr(estimator, "transformers_", ())]
    for part in parts:
        if is_estimator(type(part)):
            yield from whole(part)


def parameters(estimator: Any) -> dict[str, Any]:
    """Return what an estimator, or what splits data, was made with."""
    if hasattr(estimator, "get_params"):
        settings: dict[str, Any] = estimator.get_params(deep=False)
        return settings
    return {name: value for name, value in vars(estimator).items() if not name.startswith("_")}


def settle(title: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as scikit-learn gets them; raises Blocked for what would take too long."""
    for name, value in options.items():
        own = str(name).rpartition("__")[2]
        if own == "memory" and value is not None:
            raise Blocked(f"{title}: memory= keeps what was fitted in files, and cells write none; leave it out")
        if own == "return_times" and value:
            raise Blocked(f"{title}: return_times= tells how fast this machine is, and no two are alike; leave it out")
        if own == "params" and isinstance(value, dict):  # what each fit is handed
            options[name] = settle(title, value)
        if own in _SETTLED:
            options[name] = _SETTLED[own]
        if own in _LONGEST and (len(value) if isinstance(value, Sized) else _most(value)) > _LONGEST[own]:
            raise Blocked(f"{title}: {own}= at most {_LONGEST[own]:,} of them")
        if own in _AT_MOST and not _most(value) <= _AT_MOST[own]:
            raise Blocked(f"{title}: {own}= at most {_AT_MOST[own]:,}")
        if isinstance(value, str) and value in _SLOW:
            raise Blocked(f"{title}: {own}={value!r} is not for cells; leave it out")
        if own == "encode" and value == "onehot":
            options[name] = "onehot-dense"
        if own == "algorithm" and isinstance(value, str) and value in _TREES:
            options[name] = "brute"
        if own in _NOT_HERE:
            raise Blocked(f"{title}: {own}= is not for cells; make such columns with pandas")
    return options


def check_cost(title: str, estimators: Iterable[Any], data: list[Any]) -> None:
    """Return if estimators take no longer for data than its size lets one expect; raises Blocked."""
    shapes = [_shape(each) for each in data]
    rows, columns = (max((each[axis] for each in shapes), default=0) for axis in (0, 1))
    if columns > MOST_COLUMNS:
        raise Blocked(f"{title}: more than {MOST_COLUMNS:,} columns")
    parts = [each for part in estimators for each in whole(part)]
    if len(parts) > MOST_PARTS:
        raise Blocked(f"{title}: more than {MOST_PARTS} estimators in one another")
    taken = sum(_named(each) for each in parts)
    if rows * taken > MOST_MADE:
        raise Blocked(f"{title}: takes {rows * taken:,} values, more than {MOST_MADE:,}; name a column once")
    columns = max(columns, taken)
    kinds = {type(each).__name__ for each in parts}
    if kinds & _COMPARING:
        check_compared(f"{title}, of a {min(kinds & _COMPARING)}", *data)
    for each in parts:
        if type(each).__name__ == "GaussianMixture":
            sizes = each.n_components * max(1, columns) * max(rows, columns)
            if sizes > MOST_MIXED:
                raise Blocked(f"{title}: works on {sizes:,} values, more than {MOST_MIXED:,}; take fewer components")
    degrees = [each.degree for each in parts if hasattr(each, "degree")]
    if len(degrees) > 1 or (degrees and "OneHotEncoder" in kinds):
        raise Blocked(f"{title}: one PolynomialFeatures at a time, and of numbers that were measured")
    for degree in degrees:
        terms = rows * math.comb(columns + int(np.max(degree)), columns)
        if terms > MOST_MADE:
            raise Blocked(f"{title}: makes {terms:,} values, more than {MOST_MADE:,}; take a lower degree")


def _named(estimator: Any) -> int:
    """Return how many columns an estimator names, of which it then makes copies."""
    if type(estimator).__name__ != "ColumnTransformer":
        return 0
    return sum(1 if isinstance(named, (str, int)) else np.size(named) for _, _, named in estimator.transformers)


def check_compared(title: str, *data: Any) -> None:
    """Return if data have no more rows than can be compared each with each; raises Blocked."""
    if any(_shape(each)[0] > MOST_COMPARED for each in data):
        raise Blocked(f"{title}: more than {MOST_COMPARED:,} rows; take a sample")


def check_classes(title: str, labels: Any) -> None:
    """Return if labels are of no more kinds than a classifier is for; raises Blocked."""
    if len(set(np.asarray(labels).ravel().tolist())) > MOST_CLASSES:
        raise Blocked(f"{title}: more than {MOST_CLASSES} classes; for numbers there are regressors")


def _most(value: Any) -> float:
    """Return the largest number of a parameter: of several, such as sizes, all of them together."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, (list, tuple)):
        return sum(max(0.0, _most(each)) for each in value)
    number: Any = value if isinstance(value, (int, float, np.number)) else 0
    return float(min(number, 1e9))


def _shape(data: Any) -> tuple[int, int]:
    if isinstance(data, (list, tuple)):
        return len(data), len(data[0]) if data and isinstance(data[0], (list, tuple, np.ndarray)) else 1
    shape: Any = (*getattr(data, "shape", (0,)), 1, 1)
    return shape[0], shape[1]
