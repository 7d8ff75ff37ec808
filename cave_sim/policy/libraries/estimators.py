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
from cave_sim.policy.libraries.fit_steps import check_steps, shape_of
from cave_sim.policy.libraries.numpy_bounds import check_items

KINDS: Mapping[str, str] = {
    name: module
    for module, names in {
        "cluster": "AgglomerativeClustering DBSCAN KMeans MiniBatchKMeans",
        "compose": "ColumnTransformer TransformedTargetRegressor",
        "covariance": "EllipticEnvelope",
        "decomposition": "FactorAnalysis FastICA NMF PCA TruncatedSVD",
        "discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
        "dummy": "DummyClassifier DummyRegressor",
        "ensemble": "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor ExtraTreesClassifier "
        "ExtraTreesRegressor GradientBoostingClassifier GradientBoostingRegressor IsolationForest "
        "RandomForestClassifier RandomForestRegressor StackingClassifier StackingRegressor VotingClassifier "
        "VotingRegressor",
        "feature_selection": "RFE SelectFromModel SelectKBest SelectPercentile VarianceThreshold",
        "impute": "KNNImputer SimpleImputer",
        "linear_model": "ARDRegression BayesianRidge ElasticNet ElasticNetCV HuberRegressor Lasso LassoCV "
        "LinearRegression LogisticRegression LogisticRegressionCV Perceptron PoissonRegressor Ridge RidgeCV "
        "RidgeClassifier SGDClassifier SGDRegressor",
        "mixture": "GaussianMixture",
        "model_selection": "GridSearchCV GroupKFold KFold LeaveOneOut RandomizedSearchCV RepeatedKFold "
        "RepeatedStratifiedKFold ShuffleSplit StratifiedKFold StratifiedShuffleSplit TimeSeriesSplit",
        "multiclass": "OneVsOneClassifier OneVsRestClassifier",
        "multioutput": "MultiOutputClassifier MultiOutputRegressor",
        "naive_bayes": "BernoulliNB CategoricalNB ComplementNB GaussianNB MultinomialNB",
        "neighbors": "KNeighborsClassifier KNeighborsRegressor LocalOutlierFactor NearestCentroid NearestNeighbors",
        "neural_network": "MLPClassifier MLPRegressor",
        "pipeline": "Pipeline",
        "preprocessing": "Binarizer FunctionTransformer KBinsDiscretizer LabelBinarizer LabelEncoder MaxAbsScaler "
        "MinMaxScaler Normalizer OneHotEncoder OrdinalEncoder PolynomialFeatures PowerTransformer QuantileTransformer "
        "RobustScaler StandardScaler",
        "svm": "OneClassSVM SVC SVR",
        "tree": "DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor",
    }.items()
    for name in names.split()
}
"""The estimators, and what splits data for them, and in which module of scikit-learn each is."""
ASKED = frozenset(
    "decision_function fit fit_predict fit_transform get_depth get_feature_names_out get_n_leaves get_n_splits "
    "get_params get_support inverse_transform kneighbors predict predict_log_proba predict_proba score score_samples "
    "set_params split staged_decision_function staged_predict staged_predict_proba transform aic bic".split()
)
"""Their methods, for cells."""
SEARCHES = frozenset("GridSearchCV RandomizedSearchCV".split())
"""Which of them try parameters on others."""
MOST_COLUMNS = 1_000
MOST_CLASSES = 100
MOST_COMPARED = 2_000
"""Rows, of what compares each with each, or makes a column of each value."""
MOST_MADE = 400_000
"""Values, of what makes columns of columns."""
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
    "cache_size": 200,
    "warm_start": False,
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
    "digits": 100,
    "Cs": 100,
    "hidden_layer_sizes": 1_000,
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
    "LabelBinarizer LeaveOneOut LocalOutlierFactor NearestNeighbors OneClassSVM OneHotEncoder SVC SVR".split()
)
_SLOW = frozenset({"newton-cholesky", "covariance_eigh", "absolute_error"})
"""Ways to solve, and to measure, that take the square of what is given, or more."""
_TREES = frozenset({"auto", "kd_tree", "ball_tree"})
"""Ways to find neighbours that are no plain data."""
_NOT_HERE = frozenset({"dtype", "add_indicator", "gcv_mode"})
_LONGEST = {"alphas": 100, "Cs": 100, "cv": 20, "l1_ratio": 20, "train_sizes": 100}
"""Of lists that each item of makes one fit more."""
MOST_TRIED = 200
"""Candidates of a search, each of which is fitted once for each part of the data."""
MOST_PARTS = 100
"""Steps of a pipeline, and what is done to columns."""


_LEFT_OUT = {
    "memory": "keeps what was fitted in files, and cells write none; leave it out",
    "return_times": "tells how fast this machine is, and no two are alike; leave it out",
    "VI": "is not for cells, as C asks nobody for its size; scale the rows, or PCA(whiten=True)",
    **dict.fromkeys(
        ("kw_args", "inv_kw_args"), "is not for cells; a function of numpy's goes through each item as it is"
    ),
}
"""Parameters that cells do not give, and why."""
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
    for part in parts_of(estimator):
        yield from whole(part)


def parts_of(estimator: Any) -> list[Any]:
    """Return the estimators of which an estimator is made."""
    parts = list(parameters(estimator).values())  # a cv= may be what splits data
    if type(estimator).__name__ == "Pipeline":
        parts += [step for _, step in estimator.steps]
    elif isinstance(getattr(estimator, "estimators", None), (list, tuple)):
        parts += [part for pair in estimator.estimators if isinstance(pair, (list, tuple)) for part in pair]
    elif type(estimator).__name__ in SEARCHES:
        tried = getattr(estimator, "param_grid", None) or getattr(estimator, "param_distributions", None) or {}
        grids = tried if isinstance(tried, (list, tuple)) else [tried]
        parts += [value for each in grids for values in each.values() if isinstance(values, list) for value in values]
    elif type(estimator).__name__ == "ColumnTransformer":
        parts += [part for _, part, _ in estimator.transformers]
        parts += [part for _, part, _ in getattr(estimator, "transformers_", ())]
    return [part for part in parts if is_estimator(type(part))]


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
        _check_told(title, own, value)
        if own in ("params", "metric_params") and isinstance(value, dict):  # what each fit, or measure, is handed
            options[name] = settle(title, value)
        if own in _SETTLED:
            options[name] = _SETTLED[own]
        if own == "encode" and value == "onehot":
            options[name] = "onehot-dense"
        if own == "algorithm" and isinstance(value, str) and value in _TREES:
            options[name] = "brute"
        if own in ("param_grid", "param_distributions"):
            options[name] = settled_grid(title, value)
    return options


def _check_told(title: str, own: str, value: Any) -> None:
    """Return if a parameter is one that cells give; raises Blocked."""
    if own in _LEFT_OUT and not (value is None or value is False or (isinstance(value, dict) and not value)):
        raise Blocked(f"{title}: {own}= {_LEFT_OUT[own]}")
    if own in _LONGEST and (len(value) if isinstance(value, Sized) else _most(value)) > _LONGEST[own]:
        raise Blocked(f"{title}: {own}= at most {_LONGEST[own]:,} of them")
    is_listed = own == "cv" and isinstance(value, Sized)  # which rows are in each part
    if is_listed and any(_repeats(rows) for pair in _each(value) if isinstance(pair, (list, tuple)) for rows in pair):
        raise Blocked(f"{title}: cv= names each row once in a part, or there would be more rows than data has")
    if own in _AT_MOST and not is_listed and not _most(value) <= _AT_MOST[own]:
        raise Blocked(f"{title}: {own}= at most {_AT_MOST[own]:,}")
    if isinstance(value, str) and value in _SLOW:
        raise Blocked(f"{title}: {own}={value!r} is not for cells; leave it out")
    if own == "importance_getter" and value != "auto":
        raise Blocked(f"{title}: leave importance_getter= out; it is coef_ or feature_importances_")
    if own == "kernel" and isinstance(value, str) and value == "precomputed":
        raise Blocked(f"{title}: kernel='precomputed' is not for cells; give it the rows themselves")
    if own == "max_samples" and isinstance(value, (float, np.floating)) and value > 1:
        raise Blocked(f"{title}: max_samples= is a part of the rows, at most 1.0, or a number of them")
    if own in _NOT_HERE:
        raise Blocked(f"{title}: {own}= is not for cells; make such columns with pandas")


def _repeats(rows: Any) -> bool:
    """Say whether a part of data names a row more than once."""
    named = np.asarray(rows)
    return named.dtype != bool and np.unique(named).size < named.size


def grids_of(param_grid: Any, title: str) -> list[dict[str, Any]]:
    """Return the dicts of lists of which a search, or a grid, is made."""
    grids = param_grid if isinstance(param_grid, (list, tuple)) else [param_grid]
    if any(type(each) is not dict for each in grids):
        raise TypeError(f"{title} takes a dict of lists, or a list of such dicts")
    return list(grids)


def settled_grid(title: str, given: Any) -> Any:
    """Return what a search tries, each value as an estimator of a cell gets it; raises Blocked for too much."""
    grids = grids_of(given, title)
    settled = [{name: _settled(title, str(name), values) for name, values in each.items()} for each in grids]
    return settled if isinstance(given, (list, tuple)) else settled[0]


def _settled(title: str, name: str, values: Any) -> Any:
    if hasattr(values, "rvs"):  # a distribution, which draws none above its end
        _, end = values.support()
        largest = settle(title, {name: float(end)})[name]
        return values if largest == float(end) else [largest]
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise TypeError(f"{title}: {name[:40]} takes a list of values")
    check_items(len(values), title, MOST_TRIED)
    return [settle(title, {name: value})[name] for value in _each(values)]


def _each(values: Any) -> Iterator[Any]:
    return iter(values.tolist() if isinstance(values, np.ndarray) else values)


def check_cost(title: str, estimators: Iterable[Any], data: list[Any]) -> None:
    """Return if estimators take no longer for data than its size lets one expect; raises Blocked."""
    shapes = [shape_of(each) for each in data]
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
        if any(_most(getattr(each, "max_samples", 0)) > MOST_COMPARED for each in parts):
            raise Blocked(f"{title}: max_samples= at most {MOST_COMPARED:,} where rows are compared with each other")
    for each in parts:
        check_steps(title, each, data, rows, columns)
    degrees = [each.degree for each in parts if type(each).__name__ == "PolynomialFeatures"]
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
    if any(shape_of(each)[0] > MOST_COMPARED for each in data):
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
