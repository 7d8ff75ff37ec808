"""What SciPy makes of points and is asked afterwards: interpolations, and the nearest of many points.

Kept are the points and the way; SciPy's own is made of them anew when it is asked, so that no C goes by what was kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.entity.values import StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class, kept_of
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.scipy_stats import as_kept, as_seen

MOST_POINTS, MOST_ASKED, MOST_AXES, MOST_FOUND = 10_000, 100_000, 20, 1_000_000
MOST_PAIRED = 200
_KINDS = frozenset("linear nearest nearest-up zero slinear quadratic cubic previous next".split())
_BOUNDARIES = frozenset("not-a-knot clamped natural".split())
_WAYS = frozenset("interp1d CubicSpline PchipInterpolator Akima1DInterpolator".split())


@kept_class("_way", "_x", "_y", "_options")
class Interpolation:
    """A curve through points: called with places, it returns what it is there."""

    __slots__ = ("_options", "_way", "_x", "_y")

    def __init__(self, way: str, x: Any, y: Any, options: dict[str, Any]) -> None:
        title = f"scipy.interpolate.{way}"
        self._way, self._options = way, options
        self._x, self._y = (np.array(as_seen(each, title), dtype=float) for each in (x, y))
        _curve(self)

    def __call__(self, x: Any, nu: Any = None) -> Any:
        title = f"scipy.interpolate.{self._way}"
        places = as_seen(x, title)
        if np.size(places) * max(1, np.size(self._y) // max(1, np.size(self._x))) > MOST_ASKED:
            raise Blocked(f"{title}: asked for {MOST_ASKED:,} values at the most")
        if nu is None:
            return as_kept(_curve(self)(places))
        if self._way == "interp1d" or type(nu) is not int or not 0 <= nu <= 3:
            raise Blocked(f"{title}: derivatives are asked for as a number from 0 to 3, of CubicSpline and its kin")
        return as_kept(_curve(self)(places, nu))

    def integrate(self, a: Any, b: Any) -> Any:
        """Return the area below the curve between two places."""
        ends = [as_seen(each, f"scipy.interpolate.{self._way}") for each in (a, b)]
        if self._way == "interp1d":
            raise AttributeError("interp1d has no integrate; take CubicSpline, or np.trapezoid")
        return as_kept(_curve(self).integrate(*ends))

    @property
    def x(self) -> Any:
        """Where the points are."""
        return self._x.copy()

    def __repr__(self) -> str:
        return f"<scipy.interpolate.{self._way} of its points>"


def _curve(interpolation: Interpolation) -> Any:
    """Return SciPy's own, made of what is kept; raises Blocked where that were too much."""
    way, x, y, options = kept_of(interpolation)
    title = f"scipy.interpolate.{way}"
    if way not in _WAYS or any(not isinstance(each, np.ndarray) or each.dtype.kind != "f" for each in (x, y)):
        raise Blocked("this is no curve of scipy.interpolate")
    if max(x.size, y.size) > MOST_POINTS or x.ndim != 1 or y.ndim > 2:
        raise Blocked(f"{title}: takes at most {MOST_POINTS:,} points, along the first axis")
    if not np.isfinite(x).all() or (way != "interp1d" and not np.isfinite(y).all()):
        raise ValueError(f"{title}: points are finite numbers")
    return getattr(load("scipy.interpolate"), way)(x, y, **_settled(str(way), dict(options)))


def _settled(way: str, options: dict[str, Any]) -> dict[str, Any]:
    title, settled = f"scipy.interpolate.{way}", {}
    for name, value in options.items():
        is_flag = name in ("bounds_error", "assume_sorted", "extrapolate") and isinstance(value, bool | None)
        is_way = (way == "interp1d" and name == "kind" and value in _KINDS) or (
            way == "CubicSpline" and name == "bc_type" and value in _BOUNDARIES
        )
        is_fill = way == "interp1d" and name == "fill_value" and (value == "extrapolate" or _is_number(value))
        if not (is_flag or is_way or is_fill):
            raise Blocked(f"{title}: {name}={str(value)[:40]!r} is not for cells")
        settled[name] = value
    return {"axis": 0} | settled


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) == 2 and all(map(_is_number, value))
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _making(way: str) -> Any:
    def make(x: Any, y: Any, kind: Any = None, **options: Any) -> Interpolation:
        named = options if kind is None else {"kind": kind} | options
        return Interpolation(way, x, y, named)

    make.__name__ = make.__qualname__ = way
    return make


@kept_class("_data")
class KDTree:
    """``KDTree(points)``: asked which of many points are nearest to others."""

    __slots__ = ("_data",)

    def __init__(self, data: Any, leafsize: Any = 10, **options: Any) -> None:
        if options or type(leafsize) is not int:
            raise Blocked("scipy.spatial.KDTree takes points, and leafsize")
        self._data = np.array(as_seen(data, "scipy.spatial.KDTree"), dtype=float)
        _tree(self)

    def query(self, x: Any, k: Any = 1, eps: Any = 0, p: Any = 2, distance_upper_bound: Any = np.inf) -> Any:
        """Return how far the nearest points are, and which they are."""
        places = self._places(x)
        wanted = as_seen(k, "KDTree.query")
        most = int(np.max(wanted)) if np.size(wanted) else 0
        if not 1 <= most <= MOST_POINTS or np.size(places) * most > MOST_FOUND:
            raise Blocked(f"KDTree.query: finds {MOST_FOUND:,} coordinates at the most")
        count = wanted.astype(int).tolist() if isinstance(wanted, np.ndarray) else int(wanted)
        return as_kept(_tree(self).query(places, count, float(eps), float(p), float(distance_upper_bound)))

    def query_ball_point(self, x: Any, r: Any, p: Any = 2.0, *, return_length: bool = False) -> Any:
        """Return which points are within a distance."""
        places = self._places(x)
        if np.size(places) * len(self._data) > MOST_FOUND * MOST_AXES:
            raise Blocked("KDTree.query_ball_point: too many pairs; ask for fewer places")
        found = _tree(self).query_ball_point(places, float(r), float(p), return_length=bool(return_length))
        return found.tolist() if isinstance(found, np.ndarray) and found.dtype == object else as_kept(found)

    def query_pairs(self, r: Any, p: Any = 2.0) -> Any:
        """Return pairs of points that are within a distance of each other, as tuples in a set."""
        if len(self._data) > MOST_PAIRED:
            raise Blocked(f"KDTree.query_pairs: of {MOST_PAIRED} points at the most; ask query_ball_point")
        return StableSet(_tree(self).query_pairs(float(r), float(p)))

    def _places(self, x: Any) -> Any:
        places = np.asarray(as_seen(x, "KDTree"), dtype=float)
        if np.size(places) > MOST_ASKED or not np.isfinite(places).all():
            raise Blocked(f"KDTree: asked for {MOST_ASKED:,} finite coordinates at the most")
        return places

    @property
    def data(self) -> Any:
        """The points."""
        return self._data.copy()

    @property
    def n(self) -> int:
        """How many points there are."""
        return len(self._data)

    @property
    def m(self) -> int:
        """How many axes there are."""
        return int(self._data.shape[1])

    def __repr__(self) -> str:
        return "<scipy.spatial.KDTree of its points>"


def _tree(kept: KDTree) -> Any:
    (data,) = kept_of(kept)
    if not isinstance(data, np.ndarray) or data.ndim != 2 or data.dtype.kind != "f":
        raise Blocked("scipy.spatial.KDTree takes a table of points")
    if len(data) > MOST_POINTS or data.shape[1] > MOST_AXES or not np.isfinite(data).all():
        raise Blocked(f"scipy.spatial.KDTree: at most {MOST_POINTS:,} points of finite numbers on {MOST_AXES} axes")
    return load("scipy.spatial").KDTree(data)


INTERPOLATE: dict[str, Any] = {way: _making(way) for way in sorted(_WAYS)}
"""``scipy.interpolate``."""
