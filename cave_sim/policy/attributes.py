"""Which attributes a cell may read on which type: an allow-list per type, and what follows from it.

A name is *direct* when no type that a cell can get hold of has it outside its list: such an access needs no guard.
Every other goes through ``_attr_``, which looks the exact type up here and refuses what it does not find.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import datetime as dt
import enum
import re
import sys
import types
import uuid
from functools import cache

import networkx as nx
import numpy as np
import pandas as pd
import pydantic

from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.graphs import GraphDict, TrackedDiGraph, TrackedGraph
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.references import RefDict, RefList, RefSet
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.libraries import decimals, ratios
from cave_sim.policy.libraries.adapters import ADAPTERS, StableItems, StableKeys
from cave_sim.policy.libraries.json_text import FIGURES, drawn
from cave_sim.policy.libraries.networkx_views import MAPPINGS, NodeDataView, ViewItems, ViewKeys
from cave_sim.policy.text_cleaning import Text
from cave_sim.random_streams import RandomStream


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXT = _names(
    "capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit "
    "isidentifier islower isnumeric isspace istitle isupper join lower lstrip partition removeprefix "
    "removesuffix replace rfind rindex rpartition rsplit rstrip split splitlines startswith strip swapcase "
    "title upper encode"
)
_LIST = _names("append clear copy count index insert pop remove reverse sort")
_DICT = _names("clear copy get pop popitem setdefault update values")
_SET = _names(
    "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset "
    "issuperset pop remove symmetric_difference symmetric_difference_update union update"
)
_FROZEN = _names("copy difference intersection isdisjoint issubset issuperset symmetric_difference union")
_NUMBER = _names("real imag numerator denominator conjugate bit_length bit_count is_integer as_integer_ratio")
_DATE = _names("year month day weekday isoweekday isoformat strftime replace toordinal timetuple isocalendar")
_TIME = _names("hour minute second microsecond isoformat strftime replace")
_ERROR = _names("args add_note")
_ARRAY = _names(
    "shape size ndim dtype T sum mean std var min max argmin argmax argsort cumsum cumprod prod reshape copy tolist "
    "astype flatten ravel round clip dot any all item fill nonzero transpose repeat sort swapaxes squeeze diagonal "
    "trace"
)
_TABLE = _names(
    "shape size ndim dtypes dtype columns index T empty values head tail describe sum mean std var min max median mode "
    "quantile count nunique unique value_counts idxmax idxmin argmax argmin cumsum cumprod cummax cummin diff "
    "pct_change "
    "corr cov rank round abs clip isna isnull notna notnull fillna dropna ffill bfill drop_duplicates duplicated "
    "sort_values sort_index groupby rolling expanding shift merge join drop rename reset_index set_index melt stack "
    "unstack pivot loc iloc at iat items iterrows itertuples to_dict tolist to_list astype assign copy "
    "isin between where mask nlargest nsmallest any all add sub mul div name str dt map replace prod skew kurt size "
    "get_group first last nth cumcount ngroup groups keys filter select_dtypes explode to_frame item gt lt ge le eq ne "
    "equals combine_first reindex xs get take add_prefix add_suffix insert pop update squeeze floordiv mod "
    "get_level_values nlevels droplevel swaplevel sem isocalendar"
)
_TEXTS = _names(
    "lower upper strip lstrip rstrip contains startswith endswith len replace split title capitalize get slice cat "
    "count find extract isdigit isalpha isnumeric isupper islower match fullmatch findall removeprefix removesuffix"
)
_DATES = _names(
    "year month day hour minute second dayofweek weekday date dayofyear quarter days day_name month_name "
    "strftime normalize is_month_start is_month_end isocalendar total_seconds"
)
_GRAPH = _names(
    "nodes edges adj degree neighbors successors predecessors has_node has_edge add_node add_nodes_from add_edge "
    "add_edges_from remove_node remove_nodes_from remove_edge remove_edges_from number_of_nodes number_of_edges order "
    "size get_edge_data copy is_directed clear in_degree out_degree in_edges out_edges graph"
)
_VIEW = _names("data items keys values get")
_STREAM = _names(
    "random randint randrange uniform choice choices sample shuffle gauss normalvariate triangular betavariate "
    "expovariate gammavariate lognormvariate paretovariate vonmisesvariate weibullvariate getrandbits randbytes"
)
_GENERATOR = _names("send close")

ALLOWED: dict[type, frozenset[str]] = {
    str: _TEXT,
    bytes: _names("decode hex count find startswith endswith split strip"),
    int: _NUMBER,
    float: _NUMBER,
    bool: _NUMBER,
    complex: _NUMBER,
    type(None): frozenset(),
    list: _LIST,
    tuple: _names("count index"),
    range: _names("start stop step count index"),
    slice: _names("start stop step indices"),
    dict: _DICT,
    set: _SET,
    frozenset: _FROZEN,
    StableFrozenSet: _FROZEN,
    StableSet: _SET,
    TrackedList: _LIST | _names("extend"),
    TrackedDict: _DICT,
    TrackedSet: _SET,
    RefList: _LIST | _names("extend"),
    RefDict: _DICT | _names("items"),
    RefSet: _SET,
    GraphDict: _DICT,
    collections.Counter: _DICT | _names("most_common elements total subtract"),
    collections.defaultdict: _DICT,
    collections.OrderedDict: _DICT | _names("move_to_end"),
    collections.deque: _LIST | _names("extend appendleft popleft extendleft rotate maxlen"),
    StableKeys: _names("isdisjoint"),
    StableItems: _names("isdisjoint"),
    type({}.keys()): _names("isdisjoint"),
    type({}.values()): frozenset(),
    type({}.items()): _names("isdisjoint"),
    types.GeneratorType: _GENERATOR,
    types.CoroutineType: frozenset(),
    types.AsyncGeneratorType: frozenset(),
    types.FunctionType: frozenset(),
    types.MethodType: frozenset(),
    types.BuiltinFunctionType: frozenset(),
    types.MethodDescriptorType: frozenset(),
    types.TracebackType: frozenset(),
    types.FrameType: frozenset(),
    types.CodeType: frozenset(),
    types.ModuleType: frozenset(),
    property: _names("setter getter deleter"),
    memoryview: frozenset(),
    dt.date: _DATE,
    dt.time: _TIME,
    dt.datetime: _DATE | _TIME | _names("date time"),
    dt.timedelta: _names("days seconds microseconds total_seconds"),
    decimals.Decimal: decimals.METHODS,
    ratios.Fraction: ratios.METHODS,
    uuid.UUID: _names("hex int version bytes urn"),
    type(sys.float_info): _names("epsilon max min dig"),
    re.Pattern: _names("match search fullmatch findall finditer split sub subn pattern groups groupindex flags"),
    re.Match: _names("group groups groupdict start end span string re pos endpos lastgroup lastindex"),
    np.ndarray: _ARRAY,
    np.dtype: _names("name kind itemsize"),
    pd.DataFrame: _TABLE,
    pd.Series: _TABLE,
    pd.Timestamp: _DATE | _TIME | _names("date time timestamp normalize") | _DATES,
    pd.Timedelta: _names("days seconds total_seconds"),
    TrackedGraph: _GRAPH,
    TrackedDiGraph: _GRAPH,
    nx.Graph: _GRAPH,
    nx.DiGraph: _GRAPH,
    RandomStream: _STREAM,
}
"""Exact type -> what a cell may read on it."""

UNBOUND: dict[type, frozenset[str]] = {
    str: _TEXT | _names("maketrans"),
    Text: _TEXT | _names("maketrans"),
    dict: _names("fromkeys"),
    int: _names("from_bytes"),
    bytes: _names("fromhex"),
    float: _names("fromhex"),
    decimals.Decimal: _names("from_float"),
    ratios.Fraction: _names("from_float from_decimal"),
    dt.date: _names("fromisoformat fromordinal min max"),
    dt.datetime: _names("fromisoformat combine min max"),
    dt.time: _names("fromisoformat min max"),
    dt.timedelta: _names("min max resolution"),
    collections.Counter: _names("fromkeys"),
    pd.DataFrame: _names("from_dict from_records"),
}
"""Class -> what a cell may read on the class itself: constructors, and text methods for ``map(str.upper, words)``."""

MUTATORS = _LIST | _SET | _DICT | _names("keys items extend") - _names("copy count index get values")
"""Never direct: ``list.append(purse, x)`` on the class itself would go past a tracked container."""


def _library_types() -> dict[type, frozenset[str]]:
    """The types that allowed calls of numpy, pandas and networkx return, by looking at some."""
    table = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    grouped, graph, directed = table.groupby("b"), nx.Graph([(1, 2)]), nx.DiGraph([(1, 2)])
    found: dict[type, frozenset[str]] = {
        type(each): _TABLE
        for each in (grouped, grouped["a"], table["a"].rolling(1), table["a"].expanding(), grouped["a"].rolling(1),
                     table.index, table.columns, pd.Index(["a"]), pd.DatetimeIndex(table["d"]), table.rolling(1),
                     pd.MultiIndex.from_tuples([(1, 2)]), pd.CategoricalIndex(["a"]), grouped[["a"]])
    }  # fmt: skip
    found[pd.DatetimeIndex] = found[pd.TimedeltaIndex] = _TABLE | _DATES
    found[type(pd.Series([1], pd.DatetimeIndex(["2020-01-01"])).resample("D"))] = _TABLE
    for each in (table.loc, table.iloc, table.at, table.iat, pd.NaT, pd.NA):
        found[type(each)] = frozenset()
    for each in (table["a"], table["b"], table["d"], pd.Categorical(["a"]), pd.Series([None, True], dtype="boolean")):
        found[type(each.array if isinstance(each, pd.Series) else each)] = _names("tolist shape size dtype")
        found[type(each.dtype)] = _names("name kind itemsize")
    for code in "?bhilqBHILQefdgFDOSUmM":
        found[type(np.dtype(code))] = _names("name kind itemsize")
    found[type(table["b"].str)] = _TEXTS
    found[type(table["d"].dt)] = _DATES
    for kind in (np.float64, np.float32, np.int64, np.int32, np.bool_, np.str_, np.uint8, np.datetime64):
        found[kind] = _NUMBER | _TEXT | _names("item round tolist")
    views = [graph.nodes, graph.edges, graph.degree, graph.adj, graph.adj[1], graph.nodes(data=True)]
    views += [graph.degree([1]), graph.edges([1]), graph.edges(data=True), graph.edges([1], data=True)]
    views += [directed.in_edges, directed.out_edges, directed.in_degree, directed.out_degree, directed.edges]
    for kind in (*map(type, (*views, directed.edges(data=True))), *MAPPINGS, NodeDataView):
        found[kind] = _VIEW
    found[ViewKeys] = found[ViewItems] = _names("isdisjoint")
    for each in (
        graph.neighbors(1),
        graph.nodes.items(),
        graph.nodes.values(),
        graph.nodes.keys(),
        graph.adj[1].items(),
    ):
        found.setdefault(type(each), frozenset())
    return found


ALLOWED.update(_library_types())
for _kind, _name in ADAPTERS:
    ALLOWED[_kind] -= {_name}  # what cells get in another form, they get in no other

for _error in vars(builtins).values():
    if isinstance(_error, type) and issubclass(_error, BaseException):
        ALLOWED.setdefault(_error, _ERROR | (_names("value") if _error is StopIteration else frozenset()))


@cache
def _offered() -> tuple[frozenset[str], frozenset[str]]:
    """Return every public name of the listed types, and those of them that are outside their type's list."""
    names, hazards = set(FIGURES), set(FIGURES)
    for kind, allowed in (*ALLOWED.items(), (type, frozenset())):
        public = {name for name in dir(kind) if not name.startswith("_")}
        names |= public
        hazards |= public - allowed
    return frozenset(names), frozenset(hazards)


_UNIVERSAL = frozenset().union(_TEXT, _NUMBER, _names("get values copy count index"))


def entity_names(kind: type[Entity]) -> frozenset[str]:
    """Return the fields and public methods of an entity class: its API."""
    members = {
        name
        for base in kind.__mro__
        if base is not Entity and issubclass(base, Entity)
        for name in vars(base)
        if not name.startswith("_")
    }
    return frozenset(members | set(fields_of(kind)))


def direct_names(kinds: frozenset[type[Entity]], *, fields_too: bool = True) -> Direct:
    """Return the attribute names that cells of a world with these entity classes may use without a guard.

    Fields may be read and written directly where no other type offers that name; methods may be called where they
    are read. The entities themselves check every write.

    Args:
        kinds: the classes.
        fields_too: whether fields are among them; if not, every read of one goes through the guard.
    """
    names, hazards = _offered()
    fields = frozenset(name for kind in kinds for name in fields_of(kind))
    members = frozenset(name for kind in kinds for name in entity_names(kind))
    if not fields_too:
        hazards, fields = hazards | fields, frozenset()
    safe = _UNIVERSAL - hazards - MUTATORS
    return Direct(
        reads=safe | (fields - hazards - MUTATORS),
        calls=safe | {"values"} | (members - hazards - MUTATORS),  # what a table has by that name cannot be called
        writes=fields - names,
    )


@cache
def class_of(kind: type) -> frozenset[str]:
    """Return what cells may read on a type that is not in the list: the public part of a value's class."""
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return frozenset(kind._fields) | _names("count index")
    if issubclass(kind, enum.Enum):
        return _names("name value")
    if issubclass(kind, pydantic.BaseModel):
        return frozenset(kind.model_fields)
    if dataclasses.is_dataclass(kind):
        return frozenset(each.name for each in dataclasses.fields(kind))
    return drawn(kind) or (_ERROR if issubclass(kind, Exception) else frozenset())
