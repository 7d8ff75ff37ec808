"""The form of an estimator: its parameters and what it learned, as plain data; no code is in it and none runs.

A tree that was grown is checked when it is put together again: its walk goes by numbers that nobody checks later.
"""

from __future__ import annotations

import base64
import sys
from importlib import import_module
from operator import methodcaller
from typing import Any

import numpy as np

from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.estimators import KINDS, SCORES, SEARCHES, is_estimator, is_score, parts_of
from cave_sim.policy.libraries.measures import ELEMENTWISE, Scorer, scorer_of, settings_of
from cave_sim.policy.libraries.scipy_stats import FrozenDistribution, name_of, whole_of
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.learned_sizes import check_fit, check_nodes
from cave_sim.runtime.graph.node import Form, See

_MOST_LEVELS = 16
_TYPES = {"float64": np.float64, "float32": np.float32, "int64": np.int64}
_LEFT = frozenset("_base_loss _checked_cv_orig _loss _loss_function_ _optimizer _random_state _rng scorer_".split())
"""What an estimator works with while it learns, and what follows from the rest."""
_REPEATED = ("KFold", "StratifiedKFold")
"""What RepeatedKFold and RepeatedStratifiedKFold make again and again."""


def _apart(value: Any) -> Any:
    """Return an estimator, or a part of one, as JSON."""
    if value is None or type(value) in (bool, str):
        return value
    if type(value) in (int, float):
        return {type(value).__name__: repr(value)}
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_apart(value)
    if type(value) in (list, tuple):
        return {type(value).__name__: [_apart(each) for each in value]}
    if type(value) is slice:
        return {"slice": [_apart(each) for each in (value.start, value.stop, value.step)]}
    if isinstance(value, dict):  # a Bunch is one
        tag = "dict" if type(value) is dict else "bunch"
        return {tag: [[_apart(key), _apart(each)] for key, each in value.items()]}
    if isinstance(value, np.dtype) and value.kind in "biuf":
        return {"dtype": value.str}
    if isinstance(value, type) and (value in _TYPES.values() or _is_repeated(value)):
        return {"type": value.__name__}
    if is_estimator(type(value)):
        return {"estimator": [type(value).__name__, _parts(value)]}
    if _is_tree(value):
        _, made_of, state = value.__reduce__()
        nodes = state["nodes"]
        columns = {name: _apart(nodes[name]) for name in nodes.dtype.names}
        return {"tree": [_apart(made_of), state["max_depth"], columns, _apart(state["values"])]}
    return _function_apart(value)


def _parts(estimator: Any) -> dict[str, Any]:
    kept = {key: each for key, each in vars(estimator).items() if key not in _LEFT}
    if isinstance(kept.get("random_state"), np.random.RandomState):  # of a tree that boosting made, and draws no more
        kept["random_state"] = None
    return {key: _apart(each) for key, each in kept.items()}


def _function_apart(value: Any) -> Any:
    """Return what chooses, draws, measures or transforms for an estimator as JSON."""
    if is_score(value):
        return {"score": value.__name__}
    if isinstance(value, np.ufunc) and value.__name__ in ELEMENTWISE:
        return {"ufunc": value.__name__}
    if (name := name_of(value)) is not None:
        return {"distribution": [name, _apart(value.args), _apart(value.kwds)]}
    if (settings := settings_of(value)) is not None:
        return {"scorer": [_apart(each) for each in settings]}
    raise SchemaError(f"an estimator with a {type(value).__name__} in it cannot be kept")


def _is_repeated(kind: type) -> bool:
    return kind.__name__ in _REPEATED and is_estimator(kind)


def _is_tree(value: Any) -> bool:
    trees = sys.modules.get("sklearn.tree._tree")
    return trees is not None and type(value) is trees.Tree


def _array_apart(array: Any) -> Any:
    if isinstance(array, np.ma.MaskedArray):
        return {"masked": [_apart(array.data), _apart(np.ma.getmaskarray(array))]}
    title = "array" if isinstance(array, np.ndarray) else "scalar"
    if array.dtype.kind in "biufU":
        data: Any = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
        return {title: [array.dtype.str, list(array.shape), data, bool(array.ndim > 1 and array.flags.f_contiguous)]}
    if array.dtype == object:
        return {"objects": [list(array.shape), [_apart(each) for each in array.ravel().tolist()]]}
    raise SchemaError(f"an estimator with an array of {array.dtype} in it cannot be kept")


def _together(part: Any) -> Any:
    """Return what JSON stands for; raises ValueError, TypeError or KeyError where it is none of ours."""
    if not isinstance(part, dict):
        return part
    ((tag, content),) = part.items()
    return _MAKERS[tag](content)


def _array(content: Any) -> Any:
    dtype, shape, data, by_columns = content
    if np.dtype(dtype).kind not in "biufU":
        raise ValueError("an array of something else than numbers and texts")
    array = np.frombuffer(base64.b64decode(data), np.dtype(dtype)).reshape(shape).copy()
    return np.asfortranarray(array) if by_columns else array


def _objects(content: Any) -> Any:
    shape, items = content
    objects = np.empty(len(items), dtype=object)
    objects[:] = [_together(each) for each in items]
    return objects.reshape(shape)


def _estimator(content: Any) -> Any:
    name, attributes = content
    kind = getattr(import_module(f"sklearn.{KINDS[name]}"), name)
    estimator = kind.__new__(kind)
    vars(estimator).update({str(key): _together(each) for key, each in attributes.items()})
    check_fit(estimator)
    _made_again(estimator)
    return estimator


def _score(name: Any) -> Any:
    if name not in SCORES:
        raise ValueError("no function by which columns are chosen")
    return getattr(import_module("sklearn.feature_selection"), name)


def _class(name: Any) -> Any:
    return getattr(import_module("sklearn.model_selection"), name) if name in _REPEATED else _TYPES[name]


def _tree(content: Any) -> Any:
    made_of, depth, columns, values = content
    features, classes, outputs = _together(made_of)
    columns_by_name = {name: _together(each) for name, each in columns.items()}
    kind = import_module("sklearn.tree._tree")
    nodes = np.zeros(len(columns_by_name["feature"]), dtype=kind.NODE_DTYPE)
    for name in nodes.dtype.names:
        nodes[name] = columns_by_name[name]
    check_nodes(nodes, features)
    tree = kind.Tree(features, classes, outputs)
    state = {"max_depth": int(depth), "node_count": len(nodes), "nodes": nodes, "values": _together(values)}
    tree.__setstate__(state)
    return tree


def _made_again(estimator: Any) -> None:
    """Give an estimator what it works with besides what it learned, which follows from that."""
    learned, name = vars(estimator), type(estimator).__name__
    if name.startswith("GradientBoosting") and "estimators_" in learned:
        learned["_loss"] = methodcaller("_get_loss", sample_weight=None)(estimator)
    if name == "PoissonRegressor" and "coef_" in learned:
        learned["_base_loss"] = methodcaller("_get_loss")(estimator)
    if name in SEARCHES and "cv_results_" in learned:
        learned["scorer_"] = methodcaller("_get_scorers")(estimator)[0]


def _distribution(content: Any) -> Any:
    name, args, named = content
    return whole_of(FrozenDistribution(name, _together(args), _together(named)))


def _scorer(content: Any) -> Any:
    return scorer_of(Scorer(*map(_together, content)))


def _ufunc(name: Any) -> Any:
    if name not in ELEMENTWISE:
        raise ValueError("no function of each item")
    return getattr(np, name)


def _masked(content: Any) -> Any:
    data, mask = map(_together, content)
    return np.ma.MaskedArray(data, mask)


_MAKERS: dict[str, Any] = {
    "int": int,
    "float": float,
    "list": lambda items: [_together(each) for each in items],
    "tuple": lambda items: tuple(_together(each) for each in items),
    "slice": lambda ends: slice(*map(_together, ends)),
    "dict": lambda pairs: {_together(key): _together(each) for key, each in pairs},
    "dtype": np.dtype,
    "type": _class,
    "array": _array,
    "scalar": lambda content: _array(content)[()],
    "objects": _objects,
    "estimator": _estimator,
    "tree": _tree,
    "score": _score,
    "bunch": lambda pairs: import_module("sklearn.utils").Bunch(**_MAKERS["dict"](pairs)),
    "distribution": _distribution,
    "masked": _masked,
    "scorer": _scorer,
    "ufunc": _ufunc,
}


def _make(content: Any, _reader: Any) -> Any:
    try:
        estimator = _estimator(content["$json"]["estimator"])
    except (ImportError, AttributeError, LookupError, TypeError, ValueError, OverflowError) as error:
        raise Malformed(f"an estimator that cannot be put together: {error}") from None
    return estimator


def _write(estimator: Any, _see: See) -> Any:
    _check_levels(estimator)
    return {"$json": _apart(estimator)}


def _check_levels(estimator: Any) -> None:
    """Return if what is written of an estimator can be read back; raises SchemaError for too many in one another."""
    level = [estimator]
    for _ in range(_MOST_LEVELS):
        level = [part for each in level for part in parts_of(each)]
        if not level:
            return
    raise SchemaError(f"more than {_MOST_LEVELS} estimators in one another cannot be kept")


ESTIMATOR = Form("$estimator", _write, _make)
