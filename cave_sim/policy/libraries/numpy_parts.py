"""What a cell gets of numpy beside functions of arrays: transforms, grids, polynomials, texts, and calls of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from cave_sim.diagnostics.told_names import told_as
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.array_texts import clean_texts
from cave_sim.policy.libraries.formats import MAX_WIDTH
from cave_sim.policy.libraries.null_context import NullContext
from cave_sim.policy.libraries.numpy_arguments import settled
from cave_sim.policy.libraries.numpy_bounds import (
    bounded,
    check_dtype,
    check_items,
    check_listed,
    product,
    together,
)
from cave_sim.policy.libraries.numpy_dates import involves_dates, of_one_kind
from cave_sim.policy.libraries.numpy_in_place import IN_PLACE
from cave_sim.policy.libraries.numpy_sizes import MAX_STEPS
from cave_sim.policy.libraries.numpy_texts import READING

MAX_SHOWN = 100_000
MAX_TRANSFORMED = 5_000_000


def _transforming(name: str) -> Callable[..., Any]:
    function = getattr(np.fft, name)

    @wraps(function)
    def transform(a: Any, n: Any = None, **options: Any) -> Any:
        values = settled(a)
        check_items(max(np.size(values), 1 if n is None else product(n)), f"np.fft.{name}", MAX_TRANSFORMED)
        if isinstance(values, (list, tuple)):
            check_listed(values, name)
        return function(values, n, **options)

    return transform


FFT: dict[str, Any] = {
    **{name: _transforming(name) for name in "fft ifft rfft irfft fft2 ifft2 hfft ihfft".split()},
    **{name: bounded(getattr(np.fft, name), lambda count, *_, **__: count, None) for name in ("fftfreq", "rfftfreq")},
    **{name: bounded(getattr(np.fft, name), None, None) for name in ("fftshift", "ifftshift")},
}
_OF_TEXTS = (
    "upper lower title capitalize swapcase strip lstrip rstrip str_len startswith endswith add find count isalpha "
    "isdigit isnumeric isspace islower isupper isalnum isdecimal istitle rfind index rindex equal not_equal"
)


def _width(texts: Any) -> int:
    """Return the length of the longest of texts."""
    kind = np.asarray(texts).dtype
    return kind.itemsize // {"U": 4, "S": 1}.get(kind.kind, kind.itemsize or 1)


def _replaced(a: Any, old: Any, new: Any, *_: Any, **__: Any) -> Any:
    return together(a, old, new) * (_width(a) + 1) * max(1, _width(new))


def _padded(a: Any, width: Any, *_: Any, **__: Any) -> Any:
    return together(a, width) * max(1, int(np.max(width, initial=0)))


def _joined(sep: Any, seq: Any) -> Any:
    return together(sep, seq) * (_width(seq) + 1) * (1 + _width(sep))


def _parted(a: Any, *sep: Any, **__: Any) -> Any:
    return together(a, *sep) * 3 * (_width(a) + 1)


_MAKING_TEXTS: dict[str, Callable[..., Any]] = {
    "replace": _replaced,
    **dict.fromkeys(("center", "ljust", "rjust", "zfill"), _padded),
    "join": _joined,
    **dict.fromkeys(("split", "rsplit", "splitlines", "partition", "rpartition"), _parted),
}
"""What makes texts of texts -> how much it makes."""
TEXTS_OF_ARRAYS: dict[str, Any] = {
    name: bounded(getattr(np.strings if hasattr(np.strings, name) else np.char, name), None, None)
    for name in _OF_TEXTS.split()
} | {name: bounded(getattr(np.char, name), size, None) for name, size in _MAKING_TEXTS.items()}
TESTING: dict[str, Any] = {
    name: getattr(np.testing, name)
    for name in "assert_allclose assert_array_equal assert_array_almost_equal assert_almost_equal assert_equal".split()
}


class Grid:
    """``np.mgrid``, ``np.ogrid``, ``np.r_`` and ``np.c_``: arrays by slices, bounded before they are made."""

    __slots__ = ("_grid", "_is_product")

    def __init__(self, grid: Any, *, is_product: bool) -> None:
        self._grid, self._is_product = grid, is_product

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        sizes = [_length(part) for part in parts]
        check_items(product(sizes) * len(sizes) if self._is_product else sum(sizes), "a grid")
        return self._grid[key]

    def __repr__(self) -> str:
        return repr(self._grid)


def _length(part: Any) -> int:
    if isinstance(part, slice):
        start, stop, step = (0 if part.start is None else part.start), part.stop, part.step
        if isinstance(step, complex):
            return int(abs(step))
        return int(abs(stop - start) / abs(step or 1)) + 1
    if isinstance(part, str):
        raise Blocked("np.r_ and np.c_ take slices, numbers and arrays")
    return np.size(part)


class Vectorized:
    """What ``np.vectorize`` makes of a function: it is called for each item."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any], otypes: Any = None, **options: Any) -> None:
        if options or otypes is not None:
            raise Blocked("np.vectorize takes a function alone; give the result a type with astype()")
        self.function: Callable[..., Any] = function

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        function = self.function
        return np.vectorize(of_one_kind(lambda *items, **named: function(*items, **named)))(*arrays, **options)


def _along(function: Callable[..., Any], axis: int, array: Any, *args: Any, **options: Any) -> Any:
    """``np.apply_along_axis``: the function gets a copy of each row."""
    return np.apply_along_axis(of_one_kind(lambda row: function(row.copy(), *args, **options)), axis, np.asarray(array))


def _piecewise(values: Any, conditions: Any, functions: Any, *args: Any) -> Any:
    """``np.piecewise``."""
    if involves_dates((values,)):
        raise Blocked("np.piecewise takes no dates; take np.where")
    pieces = [(lambda part, each=each: each(part, *args)) if callable(each) else each for each in functions]
    return np.piecewise(np.asarray(values), conditions, pieces)


def _from_function(function: Callable[..., Any], shape: Any, dtype: Any = float) -> Any:
    """``np.fromfunction``."""
    shape = settled(shape)
    check_items(product(shape) * np.size(shape), "fromfunction")
    return function(*np.indices(shape, dtype=check_dtype(dtype, "fromfunction")))


def _from_items(items: Any, dtype: Any = float, count: int = -1) -> Any:
    """``np.fromiter``."""
    kind = np.dtype(check_dtype(dtype, "fromiter"))
    if kind.kind not in "biufcSU":
        raise Blocked("np.fromiter makes arrays of numbers and texts")
    return clean_texts(np.fromiter(iter(items), kind, count))


def _places(*shape: Any) -> Iterator[tuple[int, ...]]:
    """``np.ndindex``."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    check_items(product(sizes or 1), "ndindex")
    return (place for place in np.ndindex(*sizes))


def _numbered(array: Any) -> Iterator[tuple[Any, Any]]:
    """``np.ndenumerate``."""
    return ((place, item) for place, item in np.ndenumerate(np.asarray(array)))


def windows(array: Any, window_shape: Any, axis: Any = None) -> Any:
    """``sliding_window_view``, as a copy."""
    array = np.asarray(array)
    check_items(array.size * product(window_shape), "sliding_window_view")
    return np.array(np.lib.stride_tricks.sliding_window_view(array, window_shape, axis))


def _written(name: str) -> Callable[..., str]:
    function = getattr(np, name)

    @wraps(function)
    def write(array: Any, *args: Any, **options: Any) -> str:
        if "formatter" in options or "threshold" in options:
            raise Blocked(f"np.{name} takes precision, suppress_small, separator and max_line_width")
        check_items(np.size(array), name, MAX_SHOWN)
        if any(len(each) > 20 for each in (*args, *options.values()) if isinstance(each, str)):
            raise Blocked(f"np.{name}: a text of more than 20 characters between two items")
        text: str = clean_texts(function(array, *args, **options))
        return text

    return write


def settings(*_: Any, **__: Any) -> NullContext:
    """Do nothing: how things are displayed, and what numpy warns of, is the same for all cells."""
    return NullContext()


def error_state(**handling: str) -> NullContext:
    """``np.errstate``: cells get no warnings anyhow."""
    if set(handling.values()) - {"ignore", "warn"}:
        raise Blocked("np.errstate ignores errors of numbers; to find them ask np.isfinite")
    return NullContext()


def type_of_items(dtype: Any) -> Any:
    """``np.dtype``: of what computes."""
    return np.dtype(check_dtype(dtype, "dtype"))


def _of_number(name: str) -> Callable[..., str]:
    """``np.binary_repr`` and its kin: a number as a text, no wider than a line."""
    function = getattr(np, name)

    @wraps(function)
    def write(number: Any, *args: Any, **options: Any) -> str:
        if any(isinstance(each, (int, np.integer)) and each > MAX_WIDTH for each in (*args, *options.values())):
            raise Blocked(f"np.{name}: a text wider than {MAX_WIDTH} characters")
        text: str = clean_texts(function(number, *args, **options))
        return text

    return write


class Polynomial:
    """``np.polynomial.Polynomial`` in a cell: made of coefficients, or fitted."""

    __slots__ = ()

    def __new__(cls, coef: Any, domain: Any = None, window: Any = None) -> Any:
        coef = settled(coef)
        check_items(np.size(coef), "Polynomial", 1_000)
        whole = np.polynomial.Polynomial  # its own intervals are those of all polynomials: each gets a copy
        return whole(coef, whole.domain if domain is None else domain, whole.window if window is None else window)

    @staticmethod
    def fit(x: Any, y: Any, deg: int, **options: Any) -> Any:
        """Return the polynomial of a degree that lies closest to points."""
        x, y, deg = settled([x, y, deg])
        check_items(np.size(x) * (int(np.max(deg)) + 1) ** 2, "Polynomial.fit")
        return np.polynomial.Polynomial.fit(x, y, deg, **options)


def _with_steps(c: Any, m: Any = 1, *_: Any, **__: Any) -> Any:
    return (np.size(c) + abs(int(m))) * (abs(int(m)) + 1)


def _solved(c: Any, *_: Any, **__: Any) -> Any:
    return np.size(c) ** 3


def _fitted(x: Any, _y: Any, deg: Any, *_: Any, **__: Any) -> Any:
    return np.size(x) * (int(np.max(deg)) + 1) ** 2


def _each_with_each(one: Any, other: Any, *_: Any, **__: Any) -> Any:
    return np.size(one) * np.size(other)


_OF_COEFFICIENTS: dict[str, Callable[..., Any] | None] = {
    **dict.fromkeys(("polyadd", "polysub", "polytrim")),
    **dict.fromkeys(("polyval", "polymul", "polydiv"), _each_with_each),
    **dict.fromkeys(("polyder", "polyint"), _with_steps),
    **dict.fromkeys(("polyroots", "polyfromroots"), _solved),
    "polyfit": _fitted,
}


def _of_floats(name: str, size: Callable[..., Any] | None) -> Callable[..., Any]:
    compute = bounded(getattr(np.polynomial.polynomial, name), size, None)

    @wraps(compute)
    def call(*args: Any, **options: Any) -> Any:
        given = [settled(each) for each in args]
        if any(np.asarray(each).dtype.kind not in "biufc" for each in given if each is not None):
            raise Blocked(f"np.polynomial.polynomial.{name} takes numbers that are no larger than floats are")
        return compute(*given, **options)

    return call


COEFFICIENTS: dict[str, Any] = {name: _of_floats(name, size) for name, size in _OF_COEFFICIENTS.items()}
"""``np.polynomial.polynomial``: functions of coefficients, the lowest power first."""


class Poly1d:
    """``np.poly1d`` in a cell."""

    __slots__ = ()

    def __new__(cls, coefficients: Any, r: bool = False) -> Any:
        coefficients = settled(coefficients)
        check_items(np.size(coefficients), "poly1d", 1_000)
        if r and np.size(coefficients) ** 2 > MAX_STEPS:
            raise Blocked("poly1d: too many roots")
        return np.poly1d(np.array(coefficients, dtype=None), bool(r))


EXTENDED: dict[str, Any] = {
    name: bounded(getattr(np.emath, name), None, None)
    for name in "sqrt log log2 log10 power arccos arcsin arctanh".split()
}
"""``np.emath``: functions that give complex numbers where there is no real one."""

PARTS: dict[str, Any] = {
    "mgrid": Grid(np.mgrid, is_product=True),
    "ogrid": Grid(np.ogrid, is_product=False),
    "r_": Grid(np.r_, is_product=False),
    "c_": Grid(np.c_, is_product=False),
    "vectorize": Vectorized,
    "apply_along_axis": _along,
    "piecewise": _piecewise,
    "fromfunction": _from_function,
    "fromiter": _from_items,
    "ndindex": _places,
    "ndenumerate": _numbered,
    "poly1d": Poly1d,
    **{name: _written(name) for name in ("array2string", "array_str", "array_repr")},
    **{name: _of_number(name) for name in ("base_repr", "binary_repr", "format_float_positional")},
    **IN_PLACE,
    **READING,
    "dtype": type_of_items,
    "set_printoptions": lambda **_: None,
    "printoptions": settings,
    "seterr": lambda **_: {},
    "errstate": error_state,
}
"""What ``np`` offers beside functions of arrays."""


told_as(Grid, "numpy.AxisConcatenator")
