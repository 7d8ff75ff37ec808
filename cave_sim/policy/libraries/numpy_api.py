"""What a cell gets of numpy: the part that computes, bounded before memory is asked for; its draws are the agent's."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np

from cave_sim.diagnostics.told_names import told_as
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.array_texts import ArrayText, clean_texts
from cave_sim.policy.libraries.numpy_arguments import in_order
from cave_sim.policy.libraries.numpy_bounds import (
    bounded,
    check_dtype,
    check_items,
    check_listed,
    linear,
    multiplying,
    product,
)
from cave_sim.policy.libraries.numpy_dates import DATES, DateClass, check_cast
from cave_sim.policy.libraries.numpy_in_place import check_numbers
from cave_sim.policy.libraries.numpy_sizes import CHECKED, DTYPES, SIZES, degree_with_roots
from cave_sim.policy.libraries.object_bounds import EXPLODING, check_call, items_of
from cave_sim.policy.libraries.one_thread import on_one_thread
from cave_sim.policy.libraries.stand_ins import StandIn


class _ArrayClass(StandIn):
    stands_for = np.ndarray

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Blocked("np.ndarray() shows whatever lay in memory before; use np.zeros or np.array")


class Array(metaclass=_ArrayClass):
    """``np.ndarray`` in a cell: a class to ask for, not to call."""


Array.__name__ = "ndarray"

_ELEMENTWISE = (
    "abs absolute fabs sqrt cbrt square reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos "
    "arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil round around rint trunc fix sign negative positive "
    "deg2rad rad2deg degrees radians isnan isfinite isinf isneginf "
    "isposinf signbit nan_to_num real imag angle conj conjugate "
    "iscomplex isreal iscomplexobj isrealobj logical_not invert bitwise_not sinc i0 unwrap modf frexp real_if_close "
    "isnat spacing acos acosh asin asinh atan atanh bitwise_count bitwise_invert"
)
_REDUCING = (
    "sum mean std var median min max amin amax argmin argmax ptp prod any all count_nonzero average nansum nanmean "
    "nanstd nanvar nanmin nanmax nanmedian nanprod nanargmin nanargmax cumsum cumprod nancumsum nancumprod diff "
    "ediff1d gradient trapezoid trace cumulative_sum cumulative_prod"
)
_CHOOSING = (
    "sort argsort partition argpartition lexsort searchsorted digitize nonzero flatnonzero argwhere extract compress "
    "take_along_axis unique isin intersect1d union1d setdiff1d setxor1d ix_ unravel_index ravel_multi_index"
)
_SHAPING = (
    "array asarray copy concatenate stack vstack hstack dstack column_stack block ravel reshape transpose swapaxes "
    "moveaxis squeeze expand_dims flip fliplr flipud rot90 roll append insert delete trim_zeros atleast_1d atleast_2d "
    "atleast_3d zeros_like ones_like full_like diagonal interp polyval isscalar ndim shape size iterable "
    "may_share_memory broadcast_shapes issubdtype can_cast concat asanyarray ascontiguousarray permute_dims rollaxis "
    "matrix_transpose unstack diag_indices_from tril_indices_from triu_indices_from packbits polyadd polysub "
    "sort_complex result_type promote_types"
)
_SIZED = " ".join(name for name in SIZES if hasattr(np, name) and name not in CHECKED)
_NAMES = " ".join(
    name
    for names in (_ELEMENTWISE, _REDUCING, _CHOOSING, _SHAPING, _SIZED)
    for name in names.split()
    if hasattr(np, name)  # some are numpy 2.1's
)

_MULTIPLYING = "inner outer vdot corrcoef cov polyfit cross"
"""What hands arrays to the library of linear algebra below numpy."""
_TYPES = (
    "__version__ bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp float16 float32 float64 complex64 "
    "complex128 "
    "str_ number integer floating signedinteger unsignedinteger generic inexact complexfloating True_ False_ "
    "byte ubyte short ushort intc uintc int_ uint uintp long ulong half single double csingle cdouble"
)


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        check_call(function.__name__, *args)
        return function(*args, **kwargs)

    return call


_HARMLESS = (np.maximum, np.minimum, np.logical_and, np.logical_or)


class Ufunc:
    """A function of numpy that goes through arrays item by item, with the ways to add up by it."""

    __slots__ = ("_call", "_function")

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        self._call, self._function = call, getattr(np, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    @property
    def __name__(self) -> str:
        """What numpy calls it."""
        return str(self._function.__name__)

    def reduce(self, array: Any, axis: Any = 0, *, keepdims: bool = False, initial: Any = None) -> Any:
        """Return what comes of it along an axis, beginning with a number."""
        options = {} if initial is None else {"initial": self._numbers(initial, "prod")}
        numbers = self._numbers(array, "prod")
        return self._held(self._function.reduce, numbers, axis=axis, keepdims=bool(keepdims), **options)

    def accumulate(self, array: Any, axis: int = 0) -> Any:
        """Return what comes of it along an axis, step by step."""
        return self._held(self._function.accumulate, self._numbers(array, "cumprod", "cumsum"), axis=axis)

    def reduceat(self, array: Any, indices: Any, axis: int = 0) -> Any:
        """Return what comes of each stretch between indices, along an axis."""
        numbers, places = self._numbers(array, "prod"), np.asarray(indices)
        check_items(places.size * numbers.size, f"{self._function.__name__}.reduceat")
        return self._held(self._function.reduceat, numbers, places, axis=axis)

    def at(self, array: Any, indices: Any, values: Any) -> None:
        """Do it with items of an array of numbers, in place, once for each time that one is named."""
        (array, indices, values), _ = in_order((), (array, indices, values), {})
        check_numbers(f"{self._function.__name__}.at", array, values)
        self._function.at(array, indices, values)

    def outer(self, left: Any, right: Any) -> Any:
        """Return it of every pair."""
        one, other = self._numbers(left), self._numbers(right)
        check_items(one.size * other.size, self._function.__name__)
        check_call("power" if self._function is np.power else "multiply", one, other)
        return self._held(self._function.outer, one, other)

    def _held(self, call: Callable[..., Any], *arrays: Any, **options: Any) -> Any:
        items = items_of(arrays)
        result = call(*arrays, **options)
        del items
        return result

    def _numbers(self, array: Any, *likened: str) -> Any:
        if isinstance(array, (list, tuple)):
            check_listed(array, self._function.__name__)
        numbers = np.asarray(array)
        for name in likened:
            if self._function not in _HARMLESS:
                check_call(name, numbers)
        return numbers

    def __repr__(self) -> str:
        return f"<ufunc '{self._function.__name__}'>"


told_as(Ufunc, "numpy.ufunc")


def _function(name: str) -> Callable[..., Any]:
    original = getattr(np, name)
    if isinstance(original, np.ufunc):
        original = _whole_results(original)
    if name in EXPLODING:
        original = _of_numbers(original)
    return bounded(original, SIZES.get(name), DTYPES.get(name))


def _whole_results(function: Any) -> Callable[..., Any]:
    """A function that leaves no item of its result as whatever lay in memory before."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if "where" in options and options.get("out") is None:
            raise Blocked(f"{function.__name__}(where=...) needs out=...; or use np.where")
        return function(*args, **options)

    return call


def _emptied(zeros: Any) -> Callable[..., Any]:
    """``np.empty`` by way of ``np.zeros``: what it shows is whatever lay in memory before, and None among objects."""

    @wraps(zeros)
    def call(*args: Any, **options: Any) -> Any:
        array = zeros(*args, **options)
        if array.dtype == object:
            array[...] = None
        return array

    return call


def _is_kind_of(one: Any, other: Any) -> bool:
    """``np.issubdtype``, which asks numpy's own classes of texts and dates."""
    own: dict[Any, Any] = {ArrayText: np.str_, DateClass: np.datetime64}
    return np.issubdtype(*(own.get(each, each) if isinstance(each, type) else each for each in (one, other)))


def _limits_of_floats(dtype: Any) -> Any:
    """``np.finfo``, of the types that are the same on every machine."""
    try:
        return np.finfo(check_dtype(dtype, "finfo"))
    except TypeError:  # it is a number, and no type
        return np.finfo(check_dtype(type(dtype), "finfo"))


ARRAYS: dict[str, Any] = {
    **{name: _function(name) for name in _NAMES.split()},
    **{
        name: bounded(
            on_one_thread(_of_numbers(getattr(np, name)) if name in EXPLODING else getattr(np, name)),
            SIZES.get(name),
            None,
        )
        for name in _MULTIPLYING.split()
    },
    **{name: getattr(np, name) for name in f"newaxis pi e euler_gamma inf iinfo {_TYPES}".split()},
    "nan": math.nan,  # the same object as in `math`, and as what is kept of any: `np.nan in xs` asks which it is
    **{name: multiplying(on_one_thread(getattr(np, name))) for name in ("dot", "matmul")},
    "empty": bounded(_emptied(np.zeros), product, 1),
    "empty_like": bounded(_emptied(np.zeros_like), None, 1),
    "ndarray": Array,
    "str_": ArrayText,
    "issubdtype": _is_kind_of,
    "finfo": _limits_of_floats,
    **DATES,
}
ARRAYS |= {
    name: Ufunc(name, ARRAYS[name])
    for name in "add subtract multiply divide maximum minimum logical_and logical_or power".split()
}
"""What ``np`` offers beside its parts (:mod:`~cave_sim.policy.libraries.numpy_parts`)."""

_LINEAR = (
    "norm inv pinv det slogdet solve lstsq eig eigh eigvals eigvalsh svd svdvals qr cholesky matrix_rank cond "
    "matrix_power matrix_norm vector_norm diagonal trace"
)
_ALSO_LINEAR = "matmul outer cross tensordot vecdot matrix_transpose"
"""What ``np.linalg`` offers of ``np``."""
LINEAR: dict[str, Any] = {
    **{name: ARRAYS[name] for name in _ALSO_LINEAR.split() if name in ARRAYS and hasattr(np.linalg, name)},
    **{name: linear(on_one_thread(getattr(np.linalg, name))) for name in _LINEAR.split() if hasattr(np.linalg, name)},
    "LinAlgError": np.linalg.LinAlgError,
}


def applied(array: Any, name: str) -> Callable[..., Any]:
    """Return a method of an array in the form of the function of the same name."""
    return partial(ARRAYS[name], array)


def dense(array: Any, _name: str) -> Callable[..., Any]:
    """Return what makes a plain array of a sparse one of scikit-learn: in cells it is plain already."""
    return lambda: array.copy()


def finding_roots(polynomial: Any, name: str) -> Any:
    """The roots of a polynomial, which are found in a matrix of as many rows as it has coefficients."""
    check_items(degree_with_roots(polynomial.coef), "roots")
    return getattr(polynomial, name)


def casting(array: Any, _name: str) -> Callable[..., Any]:
    """``astype``, to types that compute."""

    def astype(dtype: Any, *, copy: bool = True) -> Any:
        kind = check_dtype(dtype, "astype")
        check_cast(array, kind)
        return clean_texts(array.astype(kind, copy=bool(copy)))

    return astype
