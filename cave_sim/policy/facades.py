"""What a cell gets when it imports a module: the part of it that computes, and nothing that reaches outside."""

from __future__ import annotations

import bisect
import collections
import dataclasses
import datetime as dt
import functools
import heapq
import itertools
import json
import math
import re
import statistics
import typing
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.values import plain_copy

MAX_ARRAY_ITEMS = 10_000_000


class Facade:
    """Stands for a module. Reading a name that it does not offer is an AttributeError that lists what it does."""

    __slots__ = ("_members", "_title")

    def __init__(self, title: str, members: dict[str, Any]) -> None:
        object.__setattr__(self, "_title", title)
        object.__setattr__(self, "_members", members)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._members[name]
        except KeyError:
            offered = ", ".join(sorted(self._members))
            raise AttributeError(f"{self._title}.{name} is not for cells. {self._title} offers: {offered}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise Blocked(f"{self._title}.{name} cannot be changed")

    def __dir__(self) -> list[str]:
        return sorted(self._members)

    def __repr__(self) -> str:
        return f"<module {self._title}>"


def _pick(module: Any, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


def _bounded(function: Callable[[int], Any], limit: int) -> Callable[[int], Any]:
    @functools.wraps(function)
    def call(number: int) -> Any:
        if number > limit:
            raise Blocked(f"{function.__name__}({number}): at most {limit} is computed")
        return function(number)

    return call


def _ticking(make: Callable[..., Iterator[Any]], tick: Callable[[], None]) -> Callable[..., Iterator[Any]]:
    """An iterator that spends a tick for each item, so that no loop inside C goes on for ever."""

    @functools.wraps(make)
    def call(*args: Any, **kwargs: Any) -> Iterator[Any]:
        for item in make(*args, **kwargs):
            tick()
            yield item

    return call


def _plain_lists_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """heapq and bisect write to a list past its methods, so they take none that a world tracks."""

    @functools.wraps(function)
    def call(items: Any, *args: Any, **kwargs: Any) -> Any:
        if type(items) is not list:
            raise TypeError(f"{function.__name__}() takes a plain list; copy it first: list(items)")
        return function(items, *args, **kwargs)

    return call


def _sized(function: Callable[..., Any]) -> Callable[..., Any]:
    """Array makers that take a shape or a stop, bounded before memory is asked for."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            numbers = value if isinstance(value, (tuple, list)) and len(value) <= 8 else (value,)
            sizes = [
                abs(int(number)) for number in numbers if isinstance(number, (int, float)) and math.isfinite(number)
            ]
            if math.prod(max(1, size) for size in sizes) > MAX_ARRAY_ITEMS:
                raise Blocked(f"{function.__name__}: an array of more than {MAX_ARRAY_ITEMS:,} items")
        return function(*args, **kwargs)

    return call


def _loads(text: str) -> Any:
    return json.loads(text)


def _dumps(
    value: Any, *, indent: int | None = None, sort_keys: bool = False, default: Callable[[Any], Any] | None = None
) -> str:
    return json.dumps(value, indent=indent, sort_keys=sort_keys, default=default, ensure_ascii=False)


_ARRAYS = (
    "array asarray concatenate stack vstack hstack where sum mean std var median min max argmin argmax sort argsort "
    "cumsum cumprod diff abs sqrt exp log log2 log10 sin cos tan arctan2 floor ceil round clip dot unique percentile "
    "quantile average isnan isfinite any all maximum minimum power sign transpose outer corrcoef histogram searchsorted "
    "allclose array_equal count_nonzero nonzero float64 int64 pi e nan inf interp polyfit polyval ndarray"
)
_SIZED_ARRAYS = "zeros ones full arange linspace eye empty repeat tile"
_TABLES = (
    "DataFrame Series concat merge to_datetime to_numeric isna notna cut qcut date_range Timestamp Timedelta NA NaT"
)
_NETWORKS = (
    "Graph DiGraph shortest_path shortest_path_length has_path connected_components number_connected_components "
    "is_connected degree_centrality betweenness_centrality closeness_centrality pagerank clustering average_clustering "
    "density neighbors common_neighbors descendants ancestors topological_sort minimum_spanning_tree dijkstra_path "
    "dijkstra_path_length NetworkXNoPath NodeNotFound"
)


def make_facades(tick: Callable[[], None], rng: Any, now: Callable[[], float]) -> dict[str, Any]:
    """Return what each importable module is in a cell.

    Args:
        tick: spends one of the turn's ticks.
        rng: the acting agent's random stream; it is what ``import random`` gives.
        now: seconds of world time, for ``time.time()``.
    """
    endless = ("count cycle repeat product permutations combinations combinations_with_replacement accumulate chain "
               "pairwise groupby zip_longest islice starmap takewhile dropwhile filterfalse compress").split()  # fmt: skip
    arrays = _pick(np, _ARRAYS) | {name: _sized(getattr(np, name)) for name in _SIZED_ARRAYS.split()}
    modules = {
        "math": _pick(math, "acos asin atan atan2 ceil copysign cos degrees dist e exp fabs floor fmod fsum gcd hypot inf isclose "
                            "isfinite isinf isnan isqrt lcm log log10 log1p log2 modf nan pi pow prod radians remainder sin sqrt "
                            "tan tau tanh trunc sinh cosh erf")
        | {"factorial": _bounded(math.factorial, 1_000), "comb": math.comb, "perm": math.perm},
        "statistics": _pick(statistics, "mean fmean median mode stdev pstdev variance pvariance quantiles multimode median_low "
                                        "median_high harmonic_mean geometric_mean correlation linear_regression"),
        "itertools": {name: _ticking(getattr(itertools, name), tick) for name in endless},
        "json": {"loads": _loads, "dumps": _dumps},
        "re": _pick(re, "compile match search fullmatch findall finditer split sub escape IGNORECASE MULTILINE DOTALL I M S"),
        "collections": _pick(collections, "Counter defaultdict deque OrderedDict namedtuple"),
        "datetime": _pick(dt, "date time datetime timedelta"),
        "functools": _pick(functools, "reduce partial cmp_to_key"),
        "heapq": {name: _plain_lists_only(getattr(heapq, name)) for name in "heappush heappop heapify heapreplace".split()}
        | _pick(heapq, "nlargest nsmallest"),
        "bisect": _pick(bisect, "bisect bisect_left bisect_right")
        | {name: _plain_lists_only(getattr(bisect, name)) for name in "insort insort_left insort_right".split()},
        "copy": {"copy": plain_copy, "deepcopy": plain_copy},
        "dataclasses": _pick(dataclasses, "dataclass field asdict replace"),
        "typing": _pick(typing, "Any Optional Union List Dict Set Tuple Callable Iterable Iterator NamedTuple Literal Sequence"),
        "time": {"time": now},
        "numpy": arrays,
        "pandas": _pick(pd, _TABLES),
        "networkx": {name: getattr(nx, name) for name in _NETWORKS.split() if hasattr(nx, name)},
    }  # fmt: skip
    del modules["typing"]["NamedTuple"]
    facades: dict[str, Any] = {name: Facade(name, members) for name, members in modules.items()}
    return facades | {"random": rng}
