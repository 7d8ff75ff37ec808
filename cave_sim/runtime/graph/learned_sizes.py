"""Whether the parts of an estimator that was read back fit each other: C goes by sizes that nobody checks later."""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.policy.libraries.fit_steps import VECTORS

_KERNELS = frozenset("linear poly rbf sigmoid".split())
_LEAF = -1


def check_nodes(nodes: Any, features: int) -> None:
    """Return if every way through a tree leads down and to a leaf; raises ValueError."""
    here, left, right = np.arange(len(nodes)), nodes["left_child"], nodes["right_child"]
    inner = left != _LEAF
    leads_down = (left > here) & (left < len(nodes)) & (right > here) & (right < len(nodes))
    asks = (nodes["feature"] >= 0) & (nodes["feature"] < features)
    if not len(nodes) or not np.all(~inner | (leads_down & asks)):
        raise ValueError("a tree whose ways lead out of it")


def check_fit(estimator: Any) -> None:
    """Return if the parts of an estimator are of one size; raises ValueError."""
    learned, name = vars(estimator), type(estimator).__name__
    columns = learned.get("n_features_in_")
    several = learned.get("estimators_", ())
    several = several.ravel().tolist() if isinstance(several, np.ndarray) else several
    trees = [learned["tree_"]] if "tree_" in learned else []
    trees += [each.tree_ for each in several if hasattr(each, "tree_")]
    if (chosen := learned.get("estimators_features_")) is not None:  # each tree knows some of the columns
        pairs = list(zip(trees, chosen, strict=True)) if trees else []
        if any(
            tree.n_features != len(names) or not all(0 <= name < columns for name in names) for tree, names in pairs
        ):
            raise ValueError("trees of other columns")
        trees = []
    sizes = {tree.n_features for tree in trees}
    sizes |= {learned[name].shape[1] for name in ("cluster_centers_", "_fit_X") if name in learned}
    if sizes - {columns}:
        raise ValueError("parts of several sizes")
    if name.startswith("GradientBoosting") and "estimators_" in learned:
        _check_stages(learned, several)
    if name in VECTORS and "support_vectors_" in learned:
        _check_vectors(learned, columns)


def _check_stages(learned: dict[str, Any], trees: list[Any]) -> None:
    """Return if each stage has a tree of one value for each column of scores; raises ValueError."""
    classes = learned.get("n_classes_", 2)
    if np.ndim(learned["estimators_"]) != 2 or learned["estimators_"].shape[1] != (1 if classes <= 2 else classes):
        raise ValueError("stages of another number of classes")
    if any(each.tree_.n_outputs != 1 or each.tree_.max_n_classes != 1 for each in trees):
        raise ValueError("stages with trees of several values")


def _check_vectors(learned: dict[str, Any], columns: Any) -> None:
    """Return if support vectors are as many as what is said of them; raises ValueError."""
    count = len(learned["support_vectors_"])
    classes = len(learned["classes_"]) if "classes_" in learned else 2
    pairs = classes * (classes - 1) // 2
    wanted: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
        "support_vectors_": ("float64", [(count, columns)]),
        "support_": ("int32", [(count,)]),
        "_n_support": ("int32", [(classes,)]),
        "_dual_coef_": ("float64", [(classes - 1, count)]),
        "_intercept_": ("float64", [(pairs,)]),
        "_probA": ("float64", [(0,), (pairs,)]),
        "_probB": ("float64", [(0,), (pairs,)]),
    }
    for name, (dtype, shapes) in wanted.items():
        if learned[name].dtype != dtype or learned[name].shape not in shapes:
            raise ValueError(f"support vectors whose {name} is of another size")
    counts = learned["_n_support"]
    if "classes_" in learned and (counts.min() < 0 or counts.sum() != count):
        raise ValueError("support vectors of other classes")
    if learned["_probA"].shape != learned["_probB"].shape:
        raise ValueError("support vectors whose probabilities are of two sizes")
    if learned["_sparse"] is not False or learned["kernel"] not in _KERNELS:
        raise ValueError("support vectors of another kind")
