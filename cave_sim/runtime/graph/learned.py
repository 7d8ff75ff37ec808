"""The form of an estimator: its parameters and what it learned, as plain data; no code is in it and none runs.

A tree that was grown is checked when it is put together again: its walk goes by numbers that nobody checks later.
"""

from __future__ import annotations

import base64
import sys
from importlib import import_module
from typing import Any

import numpy as np

from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.estimators import KINDS, SCORES, is_estimator, is_score
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

_TYPES = {"float64": np.float64, "float32": np.float32, "int64": np.int64}
_REPEATED = ("KFold", "StratifiedKFold")
"""What RepeatedKFold and RepeatedStratifiedKFold make again and again."""
_LEAF = -1


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
    if type(value) is dict:
        return {"dict": [[_apart(key), _apart(each)] for key, each in value.items()]}
    if isinstance(value, np.dtype) and value.kind in "biuf":
        return {"dtype": value.str}
    if isinstance(value, type) and (value in _TYPES.values() or _is_repeated(value)):
        return {"type": value.__name__}
    if is_score(value):
        return {"score": value.__name__}
    if is_estimator(type(value)):
        return {"estimator": [type(value).__name__, {key: _apart(each) for key, each in vars(value).items()}]}
    if _is_tree(value):
        _, made_of, state = value.__reduce__()
        nodes = state["nodes"]
        columns = {name: _apart(nodes[name]) for name in nodes.dtype.names}
        return {"tree": [_apart(made_of), state["max_depth"], columns, _apart(state["values"])]}
    raise SchemaError(f"an estimator with a {type(value).__name__} in it cannot be kept")


def _is_repeated(kind: type) -> bool:
    return kind.__name__ in _REPEATED and is_estimator(kind)


def _is_tree(value: Any) -> bool:
    trees = sys.modules.get("sklearn.tree._tree")
    return trees is not None and type(value) is trees.Tree


def _array_apart(array: Any) -> Any:
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
    _check_fit(estimator)
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
    _check_nodes(nodes, features)
    tree = kind.Tree(features, classes, outputs)
    state = {"max_depth": int(depth), "node_count": len(nodes), "nodes": nodes, "values": _together(values)}
    tree.__setstate__(state)
    return tree


def _check_nodes(nodes: Any, features: int) -> None:
    """Return if every way through a tree leads down and to a leaf; raises ValueError."""
    here, left, right = np.arange(len(nodes)), nodes["left_child"], nodes["right_child"]
    inner = left != _LEAF
    leads_down = (left > here) & (left < len(nodes)) & (right > here) & (right < len(nodes))
    asks = (nodes["feature"] >= 0) & (nodes["feature"] < features)
    if not len(nodes) or not np.all(~inner | (leads_down & asks)):
        raise ValueError("a tree whose ways lead out of it")


def _check_fit(estimator: Any) -> None:
    """Return if the parts of an estimator are of one size; raises ValueError."""
    learned = vars(estimator)
    columns = learned.get("n_features_in_")
    trees = [learned["tree_"]] if "tree_" in learned else []
    trees += [each.tree_ for each in learned.get("estimators_", ())]
    if (chosen := learned.get("estimators_features_")) is not None:  # each tree knows some of the columns
        pairs = list(zip(trees, chosen, strict=True))
        if any(
            tree.n_features != len(names) or not all(0 <= name < columns for name in names) for tree, names in pairs
        ):
            raise ValueError("trees of other columns")
        trees = []
    sizes = {tree.n_features for tree in trees}
    sizes |= {learned[name].shape[1] for name in ("cluster_centers_", "_fit_X") if name in learned}
    if sizes - {columns}:
        raise ValueError("parts of several sizes")


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
}


def _make(content: Any, _reader: Any) -> Any:
    try:
        estimator = _estimator(content["$json"]["estimator"])
    except (ImportError, AttributeError, LookupError, TypeError, ValueError, OverflowError) as error:
        raise Malformed(f"an estimator that cannot be put together: {error}") from None
    return estimator


def _write(estimator: Any, _see: See) -> Any:
    return {"$json": _apart(estimator)}


ESTIMATOR = Form("$estimator", _write, _make)
