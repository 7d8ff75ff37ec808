"""How many items a function of numpy makes or goes through, told from its arguments before memory is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.numpy_arguments import check_turns
from cave_sim.policy.libraries.numpy_bounds import MAX_MATRIX_ITEMS, MAX_PIECES, product, together
from cave_sim.policy.libraries.numpy_dates import steps_between

MAX_DERIVED = 100
MAX_STEPS = 200_000_000
"""How many multiplications may be one item's worth of :data:`SIZES`, where a function goes through pairs."""


def _steps(*bounds: Any, start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None, **_: Any) -> Any:
    first, last, each, kind = [*bounds[:4], None, None, None, None][:4]
    given = [first if start is None else start, last if stop is None else stop, each if step is None else step]
    dated = steps_between(given, kind if dtype is None else dtype)
    if dated is not None:
        return dated
    begin, end = (first if start is None else start) or 0, last if stop is None else stop
    return abs(begin if end is None else end - begin) / abs((each if step is None else step) or 1)


def _square(values: Any, k: int = 0, **_: Any) -> Any:
    return (np.size(values) + abs(k)) ** 2 if np.ndim(values) == 1 else np.size(values)


def _pieces(values: Any, sections: Any = 1, *_: Any, **__: Any) -> Any:
    pieces = np.size(sections) + 1 if np.ndim(sections) else sections
    return np.size(values) if pieces <= MAX_PIECES else float("inf")


def _bins(_values: Any, bins: Any = 10, *_: Any, **__: Any) -> Any:
    return np.size(bins) if np.ndim(bins) or isinstance(bins, str) else bins


def _plane(_x: Any, _y: Any, bins: Any = 10, *_: Any, **__: Any) -> Any:
    sides = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else (bins, bins)
    return product([np.size(side) if np.ndim(side) else side for side in sides])


def _padded(values: Any, pad_width: Any, mode: Any = "constant", **_: Any) -> Any:
    if not isinstance(mode, str):
        raise Blocked("np.pad takes the name of a mode, such as 'edge'")
    shape = np.shape(values)
    if isinstance(pad_width, dict):
        raise Blocked("np.pad takes numbers of items, as in np.pad(a, ((1, 0), (0, 0)))")
    around = np.broadcast_to(np.asarray(pad_width, dtype=object), (len(shape), 2)).sum(axis=1)
    return product([size + int(more) for size, more in zip(shape, around, strict=True)])


def _taken(values: Any, indices: Any, axis: int | None = None, _out: Any = None, mode: Any = "raise", **_: Any) -> Any:
    check_turns("take", np.size(values) if axis is None else np.shape(values)[axis], indices, mode)
    each = 1 if axis is None else np.size(values) // max(1, np.shape(values)[axis])
    return np.size(indices) * each


def _chosen(at: Any, choices: Any, _out: Any = None, mode: Any = "raise", **_: Any) -> Any:
    check_turns("choose", len(choices), at, mode)
    return together(at, *choices)


def _ranked(values: Any, at: Any, axis: Any = None, *_: Any, **__: Any) -> Any:
    return max(np.size(values), np.size(at)) if axis is None else np.size(values) * np.size(at)


def _related(values: Any, y: Any = None, rowvar: bool = True, *_: Any, **__: Any) -> Any:
    shape = np.shape(np.atleast_2d(values))
    total = np.size(values) + (0 if y is None else np.size(y))
    return total * ((shape[0] if rowvar else shape[-1]) + (0 if y is None else 1))


def _pairs(left: Any, right: Any, *_: Any, **__: Any) -> Any:
    pairs = np.size(left) * np.size(right)
    return float("inf") if pairs > MAX_STEPS else np.size(left) + np.size(right)


def _contracted(left: Any, right: Any, axes: Any = 2) -> Any:
    shape = np.shape(left)
    if np.ndim(axes) == 0:
        shared = product(shape[len(shape) - int(axes) :]) if axes else 1
    else:
        shared = product([shape[int(axis)] for axis in np.atleast_1d(axes[0])])
    steps = np.size(left) * np.size(right) // max(1, shared)
    return float("inf") if steps > MAX_STEPS else steps // max(1, shared)


def _summed(subscripts: Any, *operands: Any, **_: Any) -> Any:
    """Every index of ``einsum`` runs through all of its values, whatever order it is computed in."""
    if not isinstance(subscripts, str):
        raise Blocked("np.einsum takes its subscripts as a text, as in np.einsum('ij,jk->ik', a, b)")
    sizes: dict[str, int] = {}
    for labels, operand in zip(subscripts.partition("->")[0].replace(" ", "").split(","), operands, strict=False):
        if "." in labels:
            return np.prod([np.size(each) for each in operands], dtype=object)
        for label, size in zip(labels, np.shape(operand), strict=False):
            sizes[label] = max(sizes.get(label, 1), size)
    steps = product(list(sizes.values()) or [1])
    return (
        float("inf") if steps > MAX_STEPS else product([sizes.get(c, 1) for c in subscripts.partition("->")[2]] or [1])
    )


def _indexed(dimensions: Any, *_: Any, **__: Any) -> Any:
    return product(dimensions) * np.size(dimensions)


def _triangle(n: int, _k: int = 0, m: int | None = None, **_: Any) -> Any:
    return n * (n if m is None else m)


def degree_with_roots(coefficients: Any) -> Any:
    """Return how many items finding the roots makes; endless where their matrix takes longer than a moment."""
    return np.size(coefficients) if np.size(coefficients) ** 2 <= MAX_MATRIX_ITEMS else float("inf")


def _quotient(dividend: Any, divisor: Any) -> Any:
    return np.size(dividend) if np.size(dividend) * np.size(divisor) <= MAX_MATRIX_ITEMS else float("inf")


def _derived(coefficients: Any, times: Any = 1, *_: Any, **__: Any) -> Any:
    return np.size(coefficients) + times if times <= MAX_DERIVED else float("inf")


SIZES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("zeros", "ones", "full", "empty"), product),
    **dict.fromkeys(("diag", "triu", "tril", "diagflat"), _square),
    **dict.fromkeys(("split", "array_split", "hsplit", "vsplit", "dsplit"), _pieces),
    **dict.fromkeys(
        (
            "where clip power float_power arctan2 maximum minimum mod remainder fmod divmod fmax fmin logical_and "
            "logical_or logical_xor isclose allclose array_equal array_equiv cross add subtract multiply divide "
            "true_divide floor_divide hypot bitwise_and bitwise_or bitwise_xor left_shift right_shift greater "
            "greater_equal less less_equal equal not_equal copysign heaviside gcd lcm logaddexp broadcast_arrays pow "
            "atan2 nextafter ldexp logaddexp2 vecdot"
        ).split(),
        together,
    ),
    "arange": _steps,
    "linspace": lambda start, stop, num=50, *_, **__: num * together(start, stop),
    "logspace": lambda start, stop, num=50, *_, **__: num * together(start, stop),
    "geomspace": lambda start, stop, num=50, *_, **__: num * together(start, stop),
    "eye": lambda rows, columns=None, *_, **__: rows * (columns or rows),
    "identity": lambda rows, *_, **__: rows * rows,
    "tri": lambda rows, columns=None, *_, **__: rows * (columns or rows),
    "vander": lambda values, columns=None, **_: np.size(values) * (columns or np.size(values)),
    "repeat": lambda values, repeats, *_, **__: np.size(values) * np.max(repeats, initial=0),
    "tile": lambda values, reps, **_: np.size(values) * product(reps),
    "resize": lambda _values, shape: product(shape),
    "broadcast_to": lambda _values, shape, **_: product(shape),
    "pad": _padded,
    "take": _taken,
    "choose": _chosen,
    "select": lambda conditions, choices, default=0: together(*conditions, *choices),
    "bincount": lambda values, _weights=None, minlength=0: max(np.max(values, initial=0) + 1, minlength),
    "histogram": _bins,
    "histogram_bin_edges": _bins,
    "histogram2d": _plane,
    "percentile": _ranked,
    "quantile": _ranked,
    "nanpercentile": _ranked,
    "nanquantile": _ranked,
    "meshgrid": lambda *axes, **_: np.prod([np.size(axis) for axis in axes], dtype=object) * len(axes),
    "indices": _indexed,
    **dict.fromkeys(("triu_indices", "tril_indices"), _triangle),
    "diag_indices": lambda n, ndim=2: n * ndim,
    **dict.fromkeys(("hanning", "hamming", "blackman", "bartlett"), lambda count: count),
    "outer": lambda left, right: np.size(left) * np.size(right),
    "inner": lambda left, right: np.size(left) * np.size(right),
    "kron": lambda left, right: np.size(left) * np.size(right),
    "convolve": _pairs,
    "correlate": _pairs,
    "tensordot": _contracted,
    "einsum": _summed,
    "corrcoef": _related,
    "cov": _related,
    **dict.fromkeys(("roots", "poly"), degree_with_roots),
    "polymul": _pairs,
    "polydiv": _quotient,
    **dict.fromkeys(("polyder", "polyint"), _derived),
    "unpackbits": lambda values, *_, **__: 8 * np.size(values),
    "kaiser": lambda count, _beta: count,
    "polyfit": lambda x, y, degree, *_, **__: np.size(x) * (degree + 1) ** 2,
}
"""How many items a function makes or goes through, where its arguments do not hold as many themselves."""

CHECKED = frozenset({"empty", "outer", "inner", "corrcoef", "cov", "polyfit", "cross"})
"""Those of them that cells get in another form than as numpy has them."""

DTYPES = {
    **dict.fromkeys("array asarray asanyarray ascontiguousarray".split(), 1),
    **dict.fromkeys("zeros ones empty zeros_like ones_like identity".split(), 1),
    **dict.fromkeys(("full", "full_like"), 2),
    **dict.fromkeys(("arange", "eye", "tri"), 3),
    **dict.fromkeys(("linspace", "logspace", "geomspace"), 5),
}
"""The place of the argument that says of which type the items are."""
