"""What a cell gets when it imports a module: the part of it that computes, and nothing that reaches outside."""

from __future__ import annotations

import bisect
import cmath
import collections
import datetime as dt
import functools
import heapq
import html
import json
import math
import numbers
import operator
import shlex
import statistics
import string
import typing
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.calendars import CALENDAR
from cave_sim.policy.libraries.chain_maps import ChainMap
from cave_sim.policy.libraries.class_tools import ABSTRACT, COLLECTIONS_ABC, total_ordering, wraps
from cave_sim.policy.libraries.copies import COPY
from cave_sim.policy.libraries.csv_texts import CSV
from cave_sim.policy.libraries.databases import SQL_READERS, SQLITE
from cave_sim.policy.libraries.dataclass_tools import DATACLASSES
from cave_sim.policy.libraries.decimals import DECIMAL
from cave_sim.policy.libraries.descriptors import CachedProperty, Dispatch, DispatchMethod, PartialMethod
from cave_sim.policy.libraries.differences import DIFFLIB
from cave_sim.policy.libraries.digests import BASE64, BINASCII, HASHLIB, ZLIB, make_uuids
from cave_sim.policy.libraries.drawing import PLOTLY
from cave_sim.policy.libraries.enum_classes import ENUM
from cave_sim.policy.libraries.iterators import iterators, ticking
from cave_sim.policy.libraries.json_text import TEXTS, dumps, loads
from cave_sim.policy.libraries.learning import LEARNING, learning
from cave_sim.policy.libraries.managers import CONTEXTLIB, redirecting
from cave_sim.policy.libraries.module_proxy import ModuleProxy, members_of
from cave_sim.policy.libraries.named_tuples import namedtuple
from cave_sim.policy.libraries.networkx_api import BIPARTITE, COMMUNITIES, NETWORKS
from cave_sim.policy.libraries.numpy_api import ARRAYS
from cave_sim.policy.libraries.numpy_draws import generator_of
from cave_sim.policy.libraries.numpy_modules import PARTS_OF_NUMPY
from cave_sim.policy.libraries.numpy_parts import PARTS
from cave_sim.policy.libraries.orders import GRAPHLIB
from cave_sim.policy.libraries.packed_bytes import STRUCT
from cave_sim.policy.libraries.pandas_api import crosstab, cut, qcut
from cave_sim.policy.libraries.pandas_clock import Timestamp
from cave_sim.policy.libraries.pandas_forms import date_range
from cave_sim.policy.libraries.pandas_functions import CHECKS, FUNCTIONS
from cave_sim.policy.libraries.pandas_functions import TESTING as TESTING_TABLES
from cave_sim.policy.libraries.pandas_offsets import OFFSETS
from cave_sim.policy.libraries.pandas_texts import IO, READERS
from cave_sim.policy.libraries.places import ZONES
from cave_sim.policy.libraries.queues import QUEUE
from cave_sim.policy.libraries.ratios import Fraction, of_numbers
from cave_sim.policy.libraries.regular_expressions import EXPRESSIONS
from cave_sim.policy.libraries.scipy_densities import Density
from cave_sim.policy.libraries.scipy_fitted import INTERPOLATE, KDTree
from cave_sim.policy.libraries.scipy_parts import DISTANCE, INTEGRATE, LINALG, OPTIMIZE, SPATIAL, SPECIAL
from cave_sim.policy.libraries.scipy_stats import DISTRIBUTIONS, STATISTICS, FrozenDistribution
from cave_sim.policy.libraries.shown_names import named
from cave_sim.policy.libraries.small_modules import COLORSYS, SYS, UNICODEDATA, make_doctest, make_pprint, make_warnings
from cave_sim.policy.libraries.templates import Template
from cave_sim.policy.libraries.user_containers import UserDict, UserList


class Distribution(ModuleProxy):
    """Stands for a distribution of SciPy's, of which things are asked with its parameters, or which is given these."""

    __slots__ = ()

    def __call__(self, *args: Any, **named: Any) -> FrozenDistribution:
        return FrozenDistribution(self._title.rpartition(".")[2], args, named)


def _pick(module: Any, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


def _bounded(function: Callable[..., Any], limit: int) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*numbers: int) -> Any:
        if max(numbers, default=0) > limit:
            raise Blocked(f"{function.__name__}({numbers[0]}): at most {limit} is computed")
        return function(*numbers)

    return call


def total(iterable: Any, /, start: Any = 0) -> Any:
    """``sum``, which adds up anything but numbers in steps that can be interrupted: lists, say, grow with each."""
    if type(start) in _NUMBERS:
        items = iterable if type(iterable) is range else list(iterable)
        if type(items) is range or _NUMBERS.issuperset(map(type, items)):
            return sum(items, start)
        iterable = items
    elif isinstance(start, (str, bytes)):
        return sum(iterable, start)  # which says what to use instead
    for item in iterable:
        start = start + item
    return start


total.__name__ = total.__qualname__ = "sum"
_NUMBERS = frozenset({int, float, bool})


def reduce(function: Callable[[Any, Any], Any], iterable: Any, /, *initial: Any) -> Any:
    """``functools.reduce``, in steps that can be interrupted."""
    items = iter(iterable)
    try:
        (total,) = initial or (next(items),)
    except StopIteration:
        raise TypeError("reduce() of empty iterable with no initial value") from None
    for item in items:
        total = function(total, item)
    return total


def _plain_lists_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """heapq and bisect write to a list past its methods, so they take none that a world tracks."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        items = args[:1] or [each for name, each in kwargs.items() if name == "a"]
        if any(type(each) is not list for each in items):
            raise TypeError(f"{function.__name__}() takes a plain list; copy it first: list(items)")
        return function(*args, **kwargs)

    return call


def _capwords(s: str, sep: str | None = None) -> str:
    """``string.capwords``, of texts alone: what comes of one is no longer than it."""
    if not isinstance(s, str) or not isinstance(sep, str | None):
        raise TypeError("capwords: takes a text, and a text that separates words")
    return string.capwords(s, sep)


_MATH = (
    "acos asin atan atan2 ceil copysign cos degrees dist e exp fabs floor fmod fsum gcd hypot inf isclose isfinite "
    "isinf isnan isqrt log log10 log1p log2 modf nan pi pow radians remainder sin sqrt tan tau tanh trunc "
    "sinh cosh erf erfc gamma lgamma acosh asinh atanh cbrt exp2 expm1 nextafter ulp ldexp frexp"
)
_STATISTICS = (
    "mean fmean median mode stdev pstdev variance pvariance quantiles multimode median_low median_high harmonic_mean "
    "geometric_mean correlation linear_regression covariance median_grouped"
)
_TYPING = (
    "Any Optional Union List Dict Set FrozenSet Tuple Type Callable Iterable Iterator Generator Literal Sequence "
    "Mapping MutableMapping Deque DefaultDict Hashable TypeVar Generic Protocol Final ClassVar Self TypeAlias "
    "overload cast Annotated NoReturn Never AnyStr Collection Container Counter OrderedDict Awaitable Coroutine "
    "SupportsFloat SupportsInt SupportsIndex SupportsAbs Reversible Sized MutableSequence MutableSet AbstractSet "
    "KeysView ValuesView ItemsView NamedTuple TypedDict NotRequired Required TYPE_CHECKING"
)
_TABLES = "DataFrame Series concat merge to_numeric to_datetime to_timedelta isna notna isnull notnull Timedelta NA NaT"
_SCIPY = {
    "stats": STATISTICS
    | {"gaussian_kde": Density}
    | {name: Distribution(f"scipy.stats.{name}", asked) for name, asked in DISTRIBUTIONS.items()},
    "special": SPECIAL,
    "spatial": SPATIAL
    | {"KDTree": KDTree, "cKDTree": KDTree}
    | {"distance": ModuleProxy("scipy.spatial.distance", DISTANCE)},
    "spatial.distance": DISTANCE,
    "optimize": OPTIMIZE,
    "integrate": INTEGRATE,
    "interpolate": INTERPOLATE,
    "linalg": LINALG,
}

WHOLE: dict[str, dict[str, Any]] = {
    "math": _pick(math, _MATH)
    | {"factorial": _bounded(math.factorial, 1_000)}
    | {name: _bounded(getattr(math, name), 5_000) for name in ("comb", "perm")},
    "statistics": {name: of_numbers(getattr(statistics, name)) for name in _STATISTICS.split()}
    | {"StatisticsError": statistics.StatisticsError, "NormalDist": statistics.NormalDist},
    "decimal": DECIMAL,
    "fractions": {"Fraction": Fraction},
    "json": {"loads": loads, "dumps": dumps, "JSONDecodeError": json.JSONDecodeError},
    "re": EXPRESSIONS,
    "collections": _pick(collections, "Counter defaultdict deque OrderedDict")
    | {"ChainMap": ChainMap, "UserDict": UserDict, "UserList": UserList}
    | {"namedtuple": namedtuple, "abc": ModuleProxy("collections.abc", COLLECTIONS_ABC)},
    "collections.abc": COLLECTIONS_ABC,
    "abc": ABSTRACT,
    "enum": ENUM,
    "cmath": _pick(
        cmath, "cos e exp inf isclose isfinite isinf isnan log log10 nan phase pi polar rect sin sqrt tan tau"
    ),
    "colorsys": COLORSYS,
    "zoneinfo": ZONES,
    "datetime": _pick(dt, "date time datetime timedelta timezone UTC"),
    "functools": _pick(functools, "partial cmp_to_key lru_cache cache")
    | {"reduce": reduce, "wraps": wraps, "total_ordering": total_ordering}
    | {"cached_property": CachedProperty, "partialmethod": PartialMethod}
    | {"singledispatch": Dispatch, "singledispatchmethod": DispatchMethod},
    "heapq": _pick(heapq, "nlargest nsmallest")
    | {
        name: _plain_lists_only(getattr(heapq, name))
        for name in ("heappush", "heappop", "heapify", "heapreplace", "heappushpop")
    },
    "bisect": _pick(bisect, "bisect bisect_left bisect_right")
    | {name: _plain_lists_only(getattr(bisect, name)) for name in ("insort", "insort_left", "insort_right")},
    "copy": COPY,
    "queue": QUEUE,
    "hashlib": HASHLIB,
    "base64": BASE64,
    "binascii": BINASCII,
    "zlib": ZLIB,
    "numbers": _pick(numbers, "Number Complex Real Rational Integral"),
    "calendar": CALENDAR,
    "difflib": DIFFLIB,
    "sys": SYS,
    "unicodedata": UNICODEDATA,
    "dataclasses": DATACLASSES,
    "typing": _pick(typing, _TYPING),
    "string": _pick(string, "ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace")
    | {"capwords": _capwords, "Template": Template},
    "operator": _pick(
        operator,
        "itemgetter add sub truediv floordiv neg pos eq ne lt le gt ge and_ or_ not_ contains xor abs invert inv "
        "rshift concat countOf indexOf truth index getitem setitem delitem",
    ),
    "textwrap": TEXTS,
    "html": _pick(html, "escape unescape"),
    "struct": STRUCT,
    "graphlib": GRAPHLIB,
    "shlex": _pick(shlex, "split quote join"),
    "pandas": _pick(pd, f"{_TABLES} __version__")
    | {"Timestamp": Timestamp, "date_range": date_range, "crosstab": crosstab, "cut": cut, "qcut": qcut}
    | FUNCTIONS
    | READERS
    | SQL_READERS
    | {
        "offsets": ModuleProxy("pandas.offsets", OFFSETS),
        "tseries": ModuleProxy("pandas.tseries", {"offsets": ModuleProxy("pandas.offsets", OFFSETS)}),
        "testing": ModuleProxy("pandas.testing", TESTING_TABLES),
        "api": ModuleProxy("pandas.api", {"types": ModuleProxy("pandas.api.types", CHECKS)}),
    },
    "scipy": {name: ModuleProxy(f"scipy.{name}", members) for name, members in _SCIPY.items() if "." not in name},
    **{f"scipy.{name}": members for name, members in _SCIPY.items()},
    "plotly": {name: ModuleProxy(f"plotly.{name}", members) for name, members in PLOTLY.items()},
    **{f"plotly.{name}": members for name, members in PLOTLY.items()},
    "io": IO,
    "sqlite3": SQLITE,
    "csv": CSV,
    "networkx": NETWORKS
    | {
        "community": ModuleProxy("networkx.community", COMMUNITIES),
        "algorithms": ModuleProxy("networkx.algorithms", {"community": ModuleProxy("networkx.community", COMMUNITIES)}),
        "bipartite": ModuleProxy("networkx.bipartite", BIPARTITE),
    },
}
"""What a cell gets of each module that needs nothing of its turn."""
WHOLE = {name: named(name, members) for name, members in WHOLE.items()}
_LASTING = WHOLE | {"contextlib": named("contextlib", CONTEXTLIB)}
"""The same, with what of a module stands beside what it has of the turn."""
_OF_NUMPY = named("numpy", ARRAYS | PARTS, np) | PARTS_OF_NUMPY
OFFERED_CLASSES = frozenset(each for members in WHOLE.values() for each in members.values() if isinstance(each, type))
"""Classes among it: of these, cells make objects."""


def _parts_of(module: str, members: dict[str, Any]) -> dict[str, ModuleProxy]:
    """Return the modules among what a module offers, and those within them, by the names that import them."""
    parts = {f"{module}.{name}": member for name, member in members.items() if type(member) is ModuleProxy}
    return parts | {
        path: part for name, each in parts.items() for path, part in _parts_of(name, members_of(each)).items()
    }


_PARTS_OF_WHOLE = {
    path: part
    for name, members in {**WHOLE, "numpy": PARTS_OF_NUMPY}.items()
    for path, part in _parts_of(name, members).items()
}


def make_facades(
    operators: dict[str, Any],
    mathematics: dict[str, Any],
    tick: Callable[[], None],
    rng: Any,
    now: Callable[[], float],
    print_: Callable[..., None],
    outputs: list[Any],
) -> dict[str, Any]:
    """Return what each importable module is in a cell.

    Args:
        operators: what the module operator offers of those that could explode.
        mathematics: the same of the module math.
        tick: spends one of the turn's ticks.
        rng: the acting agent's random stream; it is what ``import random`` gives.
        now: seconds of world time, for ``time.time()`` and its kin.
        print_: takes what a cell prints.
        outputs: where prints go meanwhile, the last of them first.
    """
    of_a_turn: dict[str, Callable[[], dict[str, Any]]] = {
        "operator": lambda: operators,
        "math": lambda: mathematics,
        "itertools": lambda: iterators(tick),
        "heapq": lambda: {"merge": ticking(heapq.merge, tick)},
        "time": lambda: dict.fromkeys(("time", "perf_counter", "monotonic", "process_time"), now) | {"sleep": _sleep},
        "uuid": lambda: make_uuids(rng),
        "pprint": lambda: make_pprint(print_),
        "doctest": lambda: make_doctest(print_),
        "warnings": lambda: make_warnings(print_),
        "contextlib": lambda: {"redirect_stdout": redirecting(outputs)},
    }
    facades: dict[str, Any] = {name: ModuleProxy(name, members) for name, members in WHOLE.items()}
    for name, make in of_a_turn.items():
        facades[name] = ModuleProxy(name, partial(_with_own, name, make))
    drawing = ModuleProxy("numpy.random", lambda: _drawing(generator_of(rng)))
    facades["numpy"] = ModuleProxy("numpy", _OF_NUMPY | {"random": drawing})
    facades |= _learning(lambda: int(rng.getrandbits(31)))
    return facades | _PARTS_OF_WHOLE | {"numpy.random": drawing, "random": rng}


def _with_own(module: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a module offers, with what it has of the turn."""
    return _LASTING.get(module, {}) | named(module, make())


def _learning(draw: Callable[[], int]) -> dict[str, ModuleProxy]:
    """Return the modules of ``sklearn`` by the names that import them; all but their functions is made later."""
    modules = {module: ModuleProxy(f"sklearn.{module}", partial(learning, module, draw)) for module in LEARNING}
    pairwise = {"pairwise": modules["metrics.pairwise"]}
    modules["metrics"] = ModuleProxy("sklearn.metrics", lambda: learning("metrics", draw) | pairwise)
    top = {module: proxy for module, proxy in modules.items() if "." not in module}
    return {"sklearn": ModuleProxy("sklearn", top), **{f"sklearn.{name}": proxy for name, proxy in modules.items()}}


def _drawing(draws: dict[str, Any]) -> dict[str, Any]:
    """Return what ``numpy.random`` offers, which draws from the agent's own stream, whatever the seed."""
    generator = ModuleProxy("numpy.random.Generator", draws)
    generators = dict.fromkeys(("default_rng", "RandomState"), lambda seed=None: generator)
    return {**draws, **generators, "seed": lambda *_: None}


def _sleep(_seconds: float) -> NoReturn:
    raise Blocked("time.sleep(): the world's time does not pass within a turn; act again in a later one")
