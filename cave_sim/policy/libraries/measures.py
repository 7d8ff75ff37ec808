"""``make_scorer`` in a cell: measures of scikit-learn with their settings, and functions of numpy for each item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.estimators import settle
from cave_sim.policy.libraries.kept_classes import kept_class, kept_of
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.numpy_api import ARRAYS
from cave_sim.policy.libraries.plain_data import NO_SHAPE, Screen

MEASURES = frozenset(
    "accuracy_score adjusted_mutual_info_score adjusted_rand_score auc average_precision_score "
    "balanced_accuracy_score brier_score_loss calinski_harabasz_score classification_report cohen_kappa_score "
    "completeness_score confusion_matrix d2_absolute_error_score d2_pinball_score d2_tweedie_score "
    "davies_bouldin_score dcg_score det_curve explained_variance_score f1_score fbeta_score "
    "fowlkes_mallows_score hamming_loss hinge_loss homogeneity_completeness_v_measure homogeneity_score "
    "jaccard_score log_loss matthews_corrcoef max_error mean_absolute_error mean_absolute_percentage_error "
    "mean_gamma_deviance mean_pinball_loss mean_poisson_deviance mean_squared_error mean_squared_log_error "
    "mean_tweedie_deviance median_absolute_error multilabel_confusion_matrix mutual_info_score "
    "ndcg_score normalized_mutual_info_score precision_recall_curve precision_recall_fscore_support "
    "precision_score r2_score rand_score recall_score roc_auc_score roc_curve root_mean_squared_error "
    "root_mean_squared_log_error silhouette_samples silhouette_score top_k_accuracy_score v_measure_score "
    "zero_one_loss".split()
)
"""The measures of ``sklearn.metrics`` that cells have."""
measured: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""What cells have of measures -> the name of each."""
_RESPONSES = ("predict", "predict_proba", "decision_function")
ELEMENTWISE = frozenset("abs cbrt exp exp2 expm1 log log10 log1p log2 reciprocal sqrt square".split())
"""Functions of numpy's that a transformation of columns may be."""


def elementwise(value: Any) -> Any:
    """Return numpy's own function of which a cell has its own kind, if it may transform columns; None otherwise."""
    name = getattr(value, "__name__", None) if callable(value) else None
    return getattr(np, name) if name in ELEMENTWISE and ARRAYS.get(name) is value else None


@kept_class("_measure", "_response", "_sign", "_settings")
class Scorer:
    """A measure with its settings, as ``scoring=`` takes it."""

    __slots__ = ("_measure", "_response", "_settings", "_sign")

    def __init__(self, measure: str, response: Any, sign: bool, settings: Mapping[str, Any]) -> None:
        self._measure, self._response, self._sign, self._settings = measure, response, sign, dict(settings)

    def __call__(self, *_: Any, **__: Any) -> None:
        raise Blocked(f"a scorer is for scoring=; call the measure: {self._measure}(y, model.predict(X))")

    def __repr__(self) -> str:
        return f"<make_scorer({self._measure})>"


def make_scorer(
    score_func: Any, *, response_method: Any = "predict", greater_is_better: bool = True, **settings: Any
) -> Scorer:
    """``make_scorer`` of a measure of scikit-learn's."""
    name = measured.get(score_func) if callable(score_func) else None
    if name is None:
        raise TypeError(
            "make_scorer takes a function of sklearn.metrics, as make_scorer(f1_score, average='macro'); a measure of "
            "your own is computed from cross_val_predict(...)"
        )
    made = Scorer(name, response_method, bool(greater_is_better), settings)
    scorer_of(made)
    return made


def scorer_of(scorer: Scorer) -> Any:
    """Return scikit-learn's own, made of what is kept; raises Blocked where that is none of ours."""
    name, response, sign, settings = kept_of(scorer)
    asked = tuple(response) if isinstance(response, (list, tuple)) else (response,)
    if name not in MEASURES or not set(asked) <= set(_RESPONSES) or not isinstance(settings, dict):
        raise Blocked(f"make_scorer: takes a function of sklearn.metrics, and of {', '.join(_RESPONSES)}")
    screen = Screen("make_scorer", "take a sample", lambda _: NO_SHAPE)
    plain = settle("make_scorer", {str(key): screen.pass_through(value) for key, value in settings.items()})
    metrics = load("sklearn.metrics")
    method = list(asked) if len(asked) > 1 else asked[0]
    return metrics.make_scorer(getattr(metrics, name), response_method=method, greater_is_better=bool(sign), **plain)


def settings_of(value: Any) -> tuple[str, Any, bool, dict[str, Any]] | None:
    """Return of what make_scorer gives in scikit-learn that which a :class:`Scorer` is made of; None of any other."""
    kind = type(value)
    if kind.__name__ != "_Scorer" or kind.__module__ != "sklearn.metrics._scorer":
        return None
    parts = vars(value)
    response = parts["_response_method"]
    asked = tuple(response) if isinstance(response, (list, tuple)) else response
    return parts["_score_func"].__name__, asked, parts["_sign"] == 1, dict(parts["_kwargs"])
