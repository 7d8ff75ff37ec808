"""What a cell gets when it imports a module: the part of it that computes, and nothing that reaches outside."""

from __future__ import annotations

import bisect
import cmath
import collections
import datetime as dt
import functools
import heapq
import html
import itertools
import json
import math
import numbers
import operator
import shlex
import statistics
import string
import typing
from collections.abc import Callable, Generator, Iterator
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
from cave_sim.policy.libraries.json_text import TEXTS, dumps, loads
from cave_sim.policy.libraries.learning import learning
from cave_sim.policy.libraries.managers import CONTEXTLIB, redirecting
from cave_sim.policy.libraries.module_proxy import ModuleProxy, members_of
from cave_sim.policy.libraries.named_tuples import namedtuple
from cave_sim.policy.libraries.networkx_api import BIPARTITE, COMMUNITIES, NETWORKS
from cave_sim.policy.libraries.numpy_api import ARRAYS, LINEAR
from cave_sim.policy.libraries.numpy_draws import generator_of
from cave_sim.policy.libraries.numpy_parts import EXTENDED, FFT, PARTS, TESTING, TEXTS_OF_ARRAYS, Polynomial, windows
from cave_sim.policy.libraries.orders import GRAPHLIB
from cave_sim.policy.libraries.packed_bytes import STRUCT
from cave_sim.policy.libraries.pandas_api import crosstab, cut, qcut
from cave_sim.policy.libraries.pandas_clock import Timestamp
from cave_sim.policy.libraries.pandas_forms import date_range
from cave_sim.policy.libraries.pandas_functions import CHECKS, FUNCTIONS, OFFSETS
from cave_sim.policy.libraries.pandas_functions import TESTING as TESTING_TABLES
from cave_sim.policy.libraries.pandas_texts import IO, READERS
from cave_sim.policy.libraries.queues import QUEUE
from cave_sim.policy.libraries.ratios import Fraction, of_numbers
from cave_sim.policy.libraries.regular_expressions import EXPRESSIONS
from cave_sim.policy.libraries.scipy_parts import DISTANCE, OPTIMIZE, SPATIAL, SPECIAL
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


def _ticking(make: Callable[..., Iterator[Any]], tick: Callable[[], None]) -> Callable[..., Iterator[Any]]:
    """An iterator that spends a tick for each item, so that no loop inside C goes on for ever."""

    def counted(items: Iterator[Any]) -> Generator[Any]:
        for item in items:
            tick()
            yield item

    @functools.wraps(make)
    def call(*args: Any, **kwargs: Any) -> Iterator[Any]:
        made = counted(make(*args, **kwargs))  # made here, so that what does not fit is said here
        made.__qualname__ = make.__name__  # type: ignore[attr-defined]
        return made

    return call


def _tee(tick: Callable[[], None], iterable: Any, n: int = 2) -> tuple[Iterator[Any], ...]:
    """``itertools.tee``, which keeps in lists what one of its iterators has had and another has not."""
    source = iter(iterable)
    waiting = [collections.deque[Any]() for _ in _ticking(itertools.repeat, tick)(None, n)]

    def follow(mine: collections.deque[Any]) -> Iterator[Any]:
        while True:
            tick()
            if not mine:
                try:
                    item = next(source)
                except StopIteration:
                    return
                for each in waiting:
                    each.append(item)
            yield mine.popleft()

    return tuple(map(follow, waiting))


class Chain:
    """``itertools.chain``, which is called, and has one other way to be called."""

    __slots__ = ("__name__", "_chain", "from_iterable")

    def __init__(self, chain: Callable[..., Iterator[Any]], from_iterable: Callable[..., Iterator[Any]]) -> None:
        self._chain = chain
        self.__name__: str = "chain"
        self.from_iterable: Callable[..., Iterator[Any]] = from_iterable

    def __call__(self, *iterables: Any) -> Iterator[Any]:
        return self._chain(*iterables)

    def __repr__(self) -> str:
        return repr(itertools.chain)


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
_ITERTOOLS = (
    "count cycle repeat product permutations combinations combinations_with_replacement accumulate chain pairwise "
    "groupby zip_longest islice starmap takewhile dropwhile filterfalse compress"
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
    "stats": STATISTICS | {name: Distribution(f"scipy.stats.{name}", asked) for name, asked in DISTRIBUTIONS.items()},
    "special": SPECIAL,
    "spatial": SPATIAL | {"distance": ModuleProxy("scipy.spatial.distance", DISTANCE)},
    "spatial.distance": DISTANCE,
    "optimize": OPTIMIZE,
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
_OF_CONTEXTLIB = named("contextlib", CONTEXTLIB)
_PARTS_OF_NUMPY = {
    "linalg": ModuleProxy("numpy.linalg", LINEAR),
    "fft": ModuleProxy("numpy.fft", FFT),
    "emath": ModuleProxy("numpy.emath", EXTENDED),
    **{name: ModuleProxy(f"numpy.{name}", TEXTS_OF_ARRAYS) for name in ("char", "strings")},
    "testing": ModuleProxy("numpy.testing", TESTING),
    "typing": ModuleProxy("numpy.typing", dict.fromkeys(("NDArray", "ArrayLike", "DTypeLike"), typing.Any)),
    "polynomial": ModuleProxy("numpy.polynomial", {"Polynomial": Polynomial}),
    "lib": ModuleProxy(
        "numpy.lib", {"stride_tricks": ModuleProxy("numpy.lib.stride_tricks", {"sliding_window_view": windows})}
    ),
}
_OF_NUMPY = named("numpy", ARRAYS | PARTS, np) | _PARTS_OF_NUMPY
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
    for name, members in {**WHOLE, "numpy": _PARTS_OF_NUMPY}.items()
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
    ticking: dict[str, Any] = {name: _ticking(getattr(itertools, name), tick) for name in _ITERTOOLS.split()}
    ticking["tee"] = functools.partial(_tee, tick)
    ticking["chain"] = Chain(ticking["chain"], _ticking(itertools.chain.from_iterable, tick))
    drawing = {"random": _drawing(generator_of(rng))}
    of_a_turn: dict[str, dict[str, Any]] = {
        "operator": operators,
        "math": mathematics,
        "itertools": ticking,
        "heapq": {"merge": _ticking(heapq.merge, tick)},
        "time": dict.fromkeys(("time", "perf_counter", "monotonic", "process_time"), now) | {"sleep": _sleep},
        "uuid": make_uuids(rng),
        "pprint": make_pprint(print_),
        "doctest": make_doctest(print_),
        "warnings": make_warnings(print_),
        "contextlib": {"redirect_stdout": redirecting(outputs)},
    }
    modules = {**WHOLE, "contextlib": _OF_CONTEXTLIB, "numpy": _OF_NUMPY | drawing}
    for name, members in of_a_turn.items():
        modules[name] = modules.get(name, {}) | named(name, members)
    learned = learning(lambda: int(rng.getrandbits(31)))
    learned["metrics"]["pairwise"] = ModuleProxy("sklearn.metrics.pairwise", learned["metrics.pairwise"])
    modules["sklearn"] = {
        name: ModuleProxy(f"sklearn.{name}", members) for name, members in learned.items() if "." not in name
    }
    modules |= {f"sklearn.{name}": members for name, members in learned.items()}
    facades: dict[str, Any] = {name: ModuleProxy(name, members) for name, members in modules.items()}
    return facades | _PARTS_OF_WHOLE | _parts_of("numpy", drawing) | {"random": rng}


def _drawing(draws: dict[str, Any]) -> ModuleProxy:
    """Return ``numpy.random``, which draws from the agent's own stream, whatever the seed."""
    generator = ModuleProxy("numpy.random.Generator", draws)
    generators = dict.fromkeys(("default_rng", "RandomState"), lambda seed=None: generator)
    return ModuleProxy("numpy.random", {**draws, **generators, "seed": lambda *_: None})


def _sleep(_seconds: float) -> NoReturn:
    raise Blocked("time.sleep(): the world's time does not pass within a turn; act again in a later one")
