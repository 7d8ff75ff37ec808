"""Methods that a cell gets in another form: bounded where the original could fill memory, ordered where it is not."""

from __future__ import annotations

import collections
import datetime as dt
from collections import OrderedDict
from collections.abc import Callable, ItemsView, Iterator, KeysView
from types import GeneratorType
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.containers import TrackedDict
from cave_sim.entity.graphs import GraphDict, TrackedDiGraph, TrackedGraph
from cave_sim.entity.reference_containers import RefDict
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.values import StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.libraries import (
    byte_arrays,
    error_groups,
    generators,
    object_bounds,
    pandas_api,
    pandas_forms,
    pandas_grouping,
    pandas_offsets,
    pandas_strings,
)
from cave_sim.policy.libraries.array_texts import clean_method, filling
from cave_sim.policy.libraries.formats import MAX_WIDTH, strptime, writing
from cave_sim.policy.libraries.networkx_views import MAPPINGS, VIEWS, ViewItems, ViewKeys
from cave_sim.policy.libraries.numpy_api import applied, casting, dense, finding_roots
from cave_sim.policy.libraries.numpy_dates import WRITING_ELSEWHERE, sparing, sparing_dates
from cave_sim.policy.libraries.numpy_in_place import flat
from cave_sim.policy.libraries.pandas_queries import evaluating, querying
from cave_sim.policy.libraries.pandas_texts import writing_text

MAX_LENGTH = 5_000_000


def _order_of(mapping: Any) -> type[dict[Any, Any]]:
    """Return the class whose methods know the order of a dict: an OrderedDict has one of its own."""
    return OrderedDict if type(mapping) is OrderedDict else dict


def _title(mapping: Any) -> str:
    return "odict" if type(mapping) is OrderedDict else "dict"


class StableKeys(KeysView[Any]):
    """The keys of a dict; what is computed from them is read in sorted order."""

    __slots__ = ()

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return StableSet(items)

    def __iter__(self) -> Iterator[Any]:
        return iter(_order_of(self._mapping).keys(self._mapping))  # type: ignore[attr-defined]

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __repr__(self) -> str:
        return f"{_title(self._mapping)}_keys({list(self)})"  # type: ignore[attr-defined]


class StableItems(ItemsView[Any, Any]):
    """The items of a dict; what is computed from them is read in sorted order."""

    __slots__ = ()

    def __contains__(self, item: Any) -> bool:
        return item in dict.items(self._mapping)  # type: ignore[attr-defined]

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return StableSet(items)

    def __iter__(self) -> Iterator[Any]:
        return iter(_order_of(self._mapping).items(self._mapping))  # type: ignore[attr-defined]

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __repr__(self) -> str:
        return f"{_title(self._mapping)}_items({list(self)})"  # type: ignore[attr-defined]


told_as(StableKeys, "dict_keys")
told_as(StableItems, "dict_items")


def _padding(text: str, name: str) -> Callable[..., str]:
    def pad(width: int = 8, *fill: str, **tab: int) -> str:
        for size in (width, *tab.values()):
            if size > MAX_WIDTH:
                raise Blocked(f"{name}({size}): a text wider than {MAX_WIDTH} characters")
        padded: str = getattr(text, name)(width, *fill) if not tab else getattr(text, name)(**tab)
        return padded

    return pad


def _translating(text: str, _name: str) -> Callable[[Any], str]:
    def translate(table: Any) -> str:
        longest = max((len(each) for each in table.values() if isinstance(each, str)), default=1) if table else 1
        if len(text) * longest > MAX_LENGTH:
            raise Blocked(f"translate(): a text of more than {MAX_LENGTH:,} characters")
        return text.translate(table)

    return translate


MAX_INT_BYTES = 2_500
"""Of an integer that is made of bytes, or made bytes: as many bits as any integer of a cell."""


def _to_bytes(number: int, _name: str) -> Callable[..., bytes]:
    def to_bytes(length: int = 1, byteorder: Any = "big", *, signed: bool = False) -> bytes:
        if length > MAX_INT_BYTES:
            raise Blocked(f"to_bytes({length}): more than {MAX_INT_BYTES:,} bytes")
        return int.to_bytes(number, length, byteorder, signed=signed)

    return to_bytes


def from_bytes(given: Any, byteorder: Any = "big", *, signed: bool = False) -> int:
    """``int.from_bytes``, of as many bytes as an integer of a cell may have."""
    plain = bytes(given)
    if len(plain) > MAX_INT_BYTES:
        raise Blocked(f"int.from_bytes(): more than {MAX_INT_BYTES:,} bytes")
    return int.from_bytes(plain, byteorder, signed=signed)


def _extending(items: list[Any], _name: str) -> Callable[[Any], None]:
    def extend(more: Any) -> None:
        more = list(more)  # first, so that a list can be extended by something made of itself
        if len(items) + len(more) > MAX_LENGTH:
            raise Blocked(f"a list of {len(items) + len(more):,} items; at most {MAX_LENGTH:,} can be made")
        items.extend(more)

    return extend


def _subgraph(graph: Any, _name: str) -> Callable[[Any], Any]:
    """A copy of a part, with its nodes in the order of the whole: networkx's own follows a set."""

    def subgraph(nodes: Any) -> Any:
        chosen = set(graph.nbunch_iter(nodes))
        part = nx.DiGraph() if graph.is_directed() else nx.Graph()
        part.add_nodes_from((node, dict(data)) for node, data in graph.nodes(data=True) if node in chosen)
        part.add_edges_from((u, v, dict(d)) for u, v, d in graph.edges(data=True) if u in chosen and v in chosen)
        return part

    return subgraph


def viewing(view: Callable[[Any], Any]) -> Callable[[Any, str], Callable[[], Any]]:
    """``keys`` and ``items`` of a dict, as views in one order."""

    def of(holder: Any, name: str) -> Callable[[], Any]:
        def method(*none: Any) -> Any:
            if none:
                raise TypeError(f"dict.{name}() takes no arguments ({len(none)} given)")
            return view(holder)

        return method

    return of


def _turning(graph: Any, name: str) -> Callable[[], Any]:
    """``to_directed``, ``to_undirected`` and ``reverse``, as copies."""
    return lambda: getattr(_whole(graph), name)()


def _whole(graph: Any) -> Any:
    """Return a plain graph with copies of what a graph holds, neighbours in their order."""
    twin = (nx.DiGraph if graph.is_directed() else nx.Graph)(**dict(graph.graph))
    twin.add_nodes_from((node, dict(data)) for node, data in graph.nodes(data=True))
    twin.add_edges_from((u, v, dict(data)) for u, v, data in graph.edges(data=True))
    return twin


def _timestamp(moment: dt.datetime, _name: str) -> Callable[[], float]:
    """World time has no time zone and counts as UTC, so that no result depends on where the machine stands."""
    return lambda: (moment - (_EPOCH if moment.tzinfo is None else _EPOCH.replace(tzinfo=dt.UTC))).total_seconds()


def _from_timestamp(timestamp: float, tz: dt.tzinfo | None = None) -> dt.datetime:
    """``datetime.fromtimestamp``, in UTC where no zone is given and not in the machine's."""
    moment = _EPOCH + dt.timedelta(seconds=timestamp)
    return moment if tz is None else moment.replace(tzinfo=dt.UTC).astimezone(tz)


def _in_zone(moment: dt.datetime, _name: str) -> Callable[..., dt.datetime]:
    """``astimezone``, which takes the machine's zone for whatever it is not told."""

    def astimezone(tz: dt.tzinfo | None = None) -> dt.datetime:
        if moment.tzinfo is None or tz is None:
            raise ValueError("world time has no zone; say whose it is with .replace(tzinfo=...), and which it is to be")
        return moment.astimezone(tz)

    return astimezone


_EPOCH = dt.datetime(1970, 1, 1)


_PLAIN_DICTS = (
    dict, TrackedDict, GraphDict, collections.Counter, collections.defaultdict, collections.OrderedDict,
)  # fmt: skip
_TABLES = (pd.DataFrame, pd.Series)
_GROUPED = (pd.api.typing.DataFrameGroupBy, pd.api.typing.SeriesGroupBy)
_DAYS = pd.Series([1], pd.DatetimeIndex(["2020-01-01"]))
_RESAMPLED = type(_DAYS.resample("D"))
_RESAMPLED_GROUPS = type(_DAYS.groupby([0]).resample("D"))  # pandas 3.0 and 3.1 give it two names
_WINDOWS = (_RESAMPLED, pd.api.typing.Rolling, pd.api.typing.Expanding)
_INDEXES = (
    *(pd.Index, pd.RangeIndex, pd.DatetimeIndex, pd.TimedeltaIndex, pd.MultiIndex, pd.CategoricalIndex),
    *(pd.PeriodIndex, pd.IntervalIndex),
)
_TEXTS = type(pd.Series(["a"]).str)
_DATED = (pd.Timestamp, pd.DatetimeIndex, type(pd.Series(pd.DatetimeIndex(["2020-01-01"])).dt))
_PERIODS = (pd.Period, pd.PeriodIndex, type(pd.Series(pd.PeriodIndex(["2020-01"], freq="M")).dt))
_GRAPHS = (nx.Graph, nx.DiGraph, TrackedGraph, TrackedDiGraph)

ADAPTERS: dict[tuple[type, str], Callable[[Any, str], Any]] = {
    **{(kind, "keys"): viewing(StableKeys) for kind in (*_PLAIN_DICTS, RefDict)},
    **{(kind, "items"): viewing(StableItems) for kind in _PLAIN_DICTS},
    **{(str, name): _padding for name in ("ljust", "rjust", "center", "zfill", "expandtabs")},
    (str, "translate"): _translating,
    (int, "to_bytes"): _to_bytes,
    (list, "extend"): _extending,
    (bytearray, "extend"): byte_arrays.extending,
    **{(ExceptionGroup, name): error_groups.splitting for name in ("split", "subgroup")},
    (GeneratorType, "close"): generators.closing,
    (GeneratorType, "throw"): generators.throwing,
    **{(kind, "sample"): pandas_api.sampling for kind in (*_TABLES, *_GROUPED)},
    **{(kind, name): pandas_api.aggregating for kind in (*_TABLES, *_GROUPED) for name in ("agg", "aggregate")},
    **{(kind, name): pandas_api.applying for kind in (*_TABLES, *_GROUPED) for name in ("apply", "transform")},
    **{(kind, "pipe"): pandas_api.piping for kind in (*_TABLES, *_GROUPED)},
    **{(kind, "combine"): pandas_api.combining for kind in _TABLES},
    **{(kind, "to_string"): pandas_forms.writing_out for kind in _TABLES},
    **{(kind, name): writing_text for kind in _TABLES for name in ("to_csv", "to_json", "to_markdown", "to_latex")},
    (pd.DataFrame, "to_html"): writing_text,
    **{(kind, "groupby"): pandas_grouping.grouping for kind in _TABLES},
    **{(kind, "resample"): pandas_grouping.resampling for kind in _TABLES},
    **{(kind, "resample"): pandas_grouping.resampling_groups for kind in _GROUPED},
    **{(kind, "asfreq"): pandas_grouping.stepping for kind in _TABLES},
    **{(kind, "asfreq"): pandas_grouping.stepping_on for kind in (_RESAMPLED, _RESAMPLED_GROUPS)},
    (_RESAMPLED_GROUPS, "agg"): pandas_api.aggregating,
    **{(kind, "interpolate"): pandas_grouping.interpolating for kind in (*_TABLES, _RESAMPLED)},
    **{(kind, "ewm"): pandas_grouping.weighing for kind in (*_TABLES, *_GROUPED)},
    **{(kind, "repeat"): pandas_api.repeating for kind in (pd.Series, *_INDEXES)},
    **{(kind, "dot"): pandas_api.multiplying for kind in _TABLES},
    **{(kind, name): pandas_api.zoning for kind in (*_TABLES, *_DATED) for name in ("tz_localize", "tz_convert")},
    **{(kind, name): pandas_offsets.rolling for kind in pandas_offsets.KINDS for name in pandas_offsets.ROLLING},
    **{(_TEXTS, name): make for name, make in pandas_strings.BOUNDED.items()},
    **{(kind, "to_numpy"): pandas_forms.as_array for kind in (*_TABLES, *_INDEXES)},
    **{(kind, "values"): pandas_forms.values for kind in (*_TABLES, *_INDEXES)},
    **{(kind, "agg"): pandas_api.aggregating for kind in _WINDOWS},
    **{(kind, "apply"): pandas_api.sliding for kind in _WINDOWS[1:]},
    **{(kind, "filter"): pandas_api.filtering for kind in _GROUPED},
    **{(kind, "value_counts"): pandas_api.counting for kind in (pd.Series, _GROUPED[1], *_INDEXES)},
    **{(kind, name): pandas_api.named_day for kind in _DATED for name in ("day_name", "month_name")},
    **{(np.ndarray, name): applied for name in ("repeat", "dot", "prod", "cumprod", "cumsum", "var", "std", "take")},
    **{
        (kind, name): object_bounds.asking
        for kind in (*_TABLES, *_GROUPED, _RESAMPLED)
        for name in "mul rmul multiply pow rpow mod prod cumprod cumsum var std cov".split()
        if hasattr(kind, name)
    },
    **{
        (kind, name): object_bounds.holding
        for kind in (np.ndarray, *_TABLES, *_GROUPED, *_INDEXES)
        for name in object_bounds.COMPARING
        if hasattr(kind, name)
    },
    **{(kind, name): pandas_api.relating for kind in (_TABLES[0], _GROUPED[0]) for name in ("corr", "cov")},
    **{(kind, "astype"): casting for kind in (np.ndarray, np.datetime64, np.timedelta64)},
    **{(np.ndarray, name): sparing_dates for name in WRITING_ELSEWHERE.split()},
    (np.ndarray, "clip"): lambda array, name: sparing(array, name, object_bounds.holding(array, name)),
    (np.ndarray, "flat"): flat,
    **{(np.ndarray, name): dense for name in ("toarray", "todense")},
    (np.ndarray, "fill"): filling,
    **{(kind, name): clean_method for kind in _TABLES for name in ("add_prefix", "add_suffix")},
    **{(pd.DataFrame, name): clean_method for name in ("merge", "join")},
    **{(np.poly1d, name): finding_roots for name in ("roots", "r")},
    (np.polynomial.Polynomial, "roots"): finding_roots,
    (pd.DataFrame, "query"): querying,
    (pd.DataFrame, "eval"): evaluating,
    (pd.DataFrame, "pivot_table"): pandas_api.pivoting,
    **{(kind, "subgraph"): _subgraph for kind in _GRAPHS},
    **{(kind, name): _turning for kind in _GRAPHS for name in ("to_directed", "to_undirected")},
    **{(kind, "reverse"): _turning for kind in (nx.DiGraph, TrackedDiGraph)},
    (dt.datetime, "timestamp"): _timestamp,
    (dt.datetime, "astimezone"): _in_zone,
    **{(kind, "strftime"): writing for kind in (dt.date, dt.time, dt.datetime, *_DATED, *_PERIODS)},
    **{(graph, name): view for graph in _GRAPHS for name, view in VIEWS.items() if hasattr(graph, name)},
    **{(kind, "keys"): viewing(ViewKeys) for kind in MAPPINGS},
    **{(kind, "items"): viewing(ViewItems) for kind in MAPPINGS},
}
"""(type, method) -> what makes the form of it that cells get. None of these names is on the type's allow-list."""

OF_CLASSES: dict[tuple[type, str], Any] = {
    (dt.datetime, "strptime"): strptime,
    (dt.datetime, "fromtimestamp"): _from_timestamp,
    (int, "from_bytes"): from_bytes,
}
"""(type, method that makes an object of it) -> the form of it that cells get."""


def adapted(holder: Any, kind: type, name: str) -> Any:
    """Return an attribute in the form that cells get it in; MISSING if there is none."""
    adapter = ADAPTERS.get((kind, name))
    if adapter is not None:
        return adapter(holder, name)
    return _column(holder, kind, name)


def _column(holder: Any, kind: type, name: str) -> Any:
    """``table.price`` for a column, unless pandas itself calls something by that name."""
    labels = _labels(holder, kind)
    return holder[name] if labels is not None and name in labels and not hasattr(kind, name) else MISSING


def _labels(holder: Any, kind: type) -> Any:
    if kind is pd.DataFrame:
        return holder.columns
    if kind is pd.Series:
        return holder.index
    return holder.obj.columns if kind is pd.api.typing.DataFrameGroupBy else None
