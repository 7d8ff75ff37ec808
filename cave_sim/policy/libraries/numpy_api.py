"""What a cell gets of numpy: the part that computes, bounded before memory is asked for; its draws are the agent's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.numpy_bounds import (
    MAX_PIECES,
    bounded,
    check_dtype,
    check_items,
    linear,
    multiplying,
    product,
    together,
)
from cave_sim.policy.libraries.one_thread import on_one_thread


def _steps(first: float, stop: float | None = None, step: float = 1) -> float:
    return abs(first if stop is None else stop - first) / abs(step or 1)


def _square(values: Any, k: int = 0, **_: Any) -> Any:
    return (np.size(values) + abs(k)) ** 2 if np.ndim(values) == 1 else np.size(values)


def _pieces(values: Any, sections: Any = 1, *_: Any, **__: Any) -> Any:
    return np.size(values) if np.size(sections) > 1 or sections <= MAX_PIECES else float("inf")


_SIZES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("zeros", "ones", "full", "empty"), product),
    **dict.fromkeys(("diag", "triu", "tril"), _square),
    **dict.fromkeys(("split", "array_split"), _pieces),
    **dict.fromkeys(
        "where clip power arctan2 maximum minimum mod fmax fmin logical_and logical_or isclose allclose cross".split(),
        together,
    ),
    "arange": lambda *bounds, step=1, **_: _steps(*bounds[:3]) / step,
    "linspace": lambda start, stop, num=50, *_, **__: num * together(start, stop),
    "eye": lambda rows, columns=None, *_, **__: rows * (columns or rows),
    "repeat": lambda values, repeats, *_, **__: np.size(values) * np.max(repeats, initial=0),
    "tile": lambda values, reps, **_: np.size(values) * product(reps),
    "bincount": lambda values, *_, minlength=0, **__: max(np.max(values, initial=0) + 1, minlength),
    "histogram": lambda values, bins=10, *_, **__: np.size(bins) if np.ndim(bins) or bins == "auto" else bins,
    "meshgrid": lambda *axes, **_: np.prod([np.size(axis) for axis in axes], dtype=object) * len(axes),
    "outer": lambda left, right, **_: np.size(left) * np.size(right),
    "inner": lambda left, right: np.size(left) * np.size(right),
    "corrcoef": lambda values, *_, **__: np.size(values) * np.shape(values)[0],
    "polyfit": lambda x, y, degree, *_, **__: np.size(x) * (degree + 1) ** 2,
}
"""How many items a function makes or goes through, where its arguments do not hold as many themselves."""

_DTYPES = {
    **dict.fromkeys(("array", "asarray", "zeros", "ones", "empty", "zeros_like", "ones_like"), 1),
    **dict.fromkeys(("full", "full_like"), 2),
    **dict.fromkeys(("arange", "eye"), 3),
    "linspace": 5,
}
"""The place of the argument that says of which type the items are."""


class _ArrayClass(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, np.ndarray)

    def __call__(cls, *_: Any, **__: Any) -> Any:
        raise Blocked("np.ndarray() shows whatever lay in memory before; use np.zeros or np.array")


class Array(metaclass=_ArrayClass):
    """``np.ndarray`` in a cell: a class to ask for, not to call."""


Array.__name__ = "ndarray"


_NAMES = (
    "array asarray concatenate stack vstack hstack where sum mean std var median min max argmin argmax sort argsort "
    "cumsum cumprod diff abs sqrt exp log log2 log10 sin cos tan arctan2 floor ceil round clip unique percentile "
    "quantile average isnan isfinite any all maximum minimum power sign transpose corrcoef histogram searchsorted "
    "allclose array_equal count_nonzero nonzero isclose ravel digitize append expand_dims reshape flip squeeze roll "
    "nanmean nanmax nanmin nansum nanstd nanmedian argwhere prod logical_and logical_or logical_not column_stack isin "
    "split array_split select gradient ptp ediff1d log1p expm1 tanh arcsin arccos degrees radians mod fmax fmin "
    "cross inner triu tril interp polyfit polyval zeros ones full arange linspace eye repeat tile zeros_like ones_like "
    "full_like bincount meshgrid diag outer"
)

_MULTIPLYING = "inner outer corrcoef polyfit cross"
"""What hands arrays to the library of linear algebra below numpy."""

ARRAYS: dict[str, Any] = {
    **{name: bounded(getattr(np, name), _SIZES.get(name), _DTYPES.get(name)) for name in _NAMES.split()},
    **{name: bounded(on_one_thread(getattr(np, name)), _SIZES.get(name), None) for name in _MULTIPLYING.split()},
    **{name: getattr(np, name) for name in "newaxis bool_ int32 float32 float64 int64 pi e nan inf".split()},
    **{name: multiplying(on_one_thread(getattr(np, name))) for name in ("dot", "matmul")},
    "empty": bounded(np.zeros, product, 1),  # what empty() shows is whatever lay in memory before
    "ndarray": Array,
}
"""What ``np`` offers beside ``np.random`` and ``np.linalg``."""

LINEAR: dict[str, Any] = {
    name: linear(on_one_thread(getattr(np.linalg, name))) for name in ("norm", "inv", "det", "solve", "lstsq", "eigh")
}


def applied(array: Any, name: str) -> Callable[..., Any]:
    """Return a method of an array in the form of the function of the same name."""
    return partial(ARRAYS[name], array)


def casting(array: Any, _name: str) -> Callable[..., Any]:
    """``astype``, to types that compute."""

    def astype(dtype: Any) -> Any:
        check_dtype(dtype, "astype")
        return array.astype(dtype)

    return astype


DRAWN = {
    **dict.fromkeys(("random", "permutation"), 0),
    **dict.fromkeys(("choice", "poisson", "exponential"), 1),
    **dict.fromkeys(("randint", "integers", "uniform", "normal", "binomial"), 2),
    **dict.fromkeys(("rand", "randn")),
}
"""What ``np.random`` offers, and the place of the argument that says how much; None where all of them do."""
_RENAMED = {"rand": "random", "randn": "standard_normal", "randint": "integers"}


def drawn_by(rng: Any, name: str) -> Callable[..., Any]:
    """Return a function of ``np.random`` that draws from an agent's own stream.

    Args:
        rng: the stream of the acting agent.
        name: one of DRAWN.
    """
    place, title = DRAWN[name], f"np.random.{name}"

    def draw(*args: Any, **options: Any) -> Any:
        if place is None:
            args = (args,) if args else ()
        asked = args[place or 0] if len(args) > (place or 0) else options.get("size")
        if asked is not None and (name != "permutation" or np.ndim(asked) == 0):
            check_items(product(asked), title)
        if name == "choice" and args and np.ndim(args[0]) == 0:
            check_items(args[0], title)
        elif place:
            given = (value for name, value in options.items() if name != "size")
            check_items(together(*args[:place], *given), title)
        return getattr(np.random.default_rng(rng.getrandbits(64)), _RENAMED.get(name, name))(*args, **options)

    return draw
