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
import functools
import json
import re
import statistics
import sys
import time
import types
import uuid
import zoneinfo
from functools import cache
from weakref import WeakKeyDictionary

import networkx as nx
import numpy as np
import pandas as pd
import pydantic

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.graphs import GraphDict, TrackedDiGraph, TrackedGraph
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.reference_containers import RefDict, RefList, RefSet
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.libraries import byte_arrays, decimals, generators, ratios
from cave_sim.policy.libraries.adapters import ADAPTERS, StableItems, StableKeys
from cave_sim.policy.libraries.drawing import FIGURES, drawn
from cave_sim.policy.libraries.learning import REACHING
from cave_sim.policy.libraries.mapping_views import MappingItems, MappingKeys, MappingValues
from cave_sim.policy.libraries.numpy_parts import Polynomial
from cave_sim.policy.libraries.pandas_functions import MultiIndex
from cave_sim.policy.libraries.pandas_texts import StringIO
from cave_sim.policy.libraries.shown_names import BuiltinFunction, CalledClass
from cave_sim.policy.libraries.user_containers import INHERITED
from cave_sim.policy.library_types import ARRAY, DATES, TABLE, library_types
from cave_sim.policy.text_cleaning import Text


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
_ZONED = _names("tzinfo utcoffset tzname timetz dst fold")
_ERROR = _names("args add_note")
_GRAPH = _names(
    "nodes edges adj degree neighbors successors predecessors has_node has_edge add_node add_nodes_from add_edge "
    "add_edges_from remove_node remove_nodes_from remove_edge remove_edges_from number_of_nodes number_of_edges order "
    "size get_edge_data copy is_directed clear in_degree out_degree in_edges out_edges graph add_weighted_edges_from "
    "is_multigraph has_successor has_predecessor clear_edges"
)
_STREAM = _names(
    "random randint randrange uniform choice choices sample shuffle gauss normalvariate triangular betavariate "
    "expovariate gammavariate lognormvariate paretovariate vonmisesvariate weibullvariate getrandbits randbytes"
)

ALLOWED: dict[type, frozenset[str]] = {
    str: _TEXT,
    bytearray: byte_arrays.METHODS,
    bytes: _names("decode hex count find startswith endswith split strip"),
    int: _NUMBER,
    float: _NUMBER | _names("hex"),
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
    types.GeneratorType: _names("send"),
    types.CoroutineType: frozenset(),
    types.AsyncGeneratorType: frozenset(),
    types.FunctionType: frozenset(),
    type(functools.cache(len)): _names("cache_info cache_clear"),
    MappingKeys: _names("isdisjoint"),
    MappingItems: _names("isdisjoint"),
    MappingValues: frozenset(),
    **INHERITED,
    ExceptionGroup: _ERROR | _names("message exceptions split subgroup derive"),
    types.MethodType: frozenset(),
    types.BuiltinFunctionType: frozenset(),
    BuiltinFunction: frozenset(),
    CalledClass: frozenset(),
    types.MethodDescriptorType: frozenset(),
    types.TracebackType: frozenset(),
    types.FrameType: frozenset(),
    types.CodeType: frozenset(),
    types.ModuleType: frozenset(),
    property: _names("setter getter deleter"),
    memoryview: frozenset(),
    dt.date: _DATE,
    type(dt.date.min.isocalendar()): _names("year week weekday count index"),
    time.struct_time: _names("tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst count index"),
    dt.time: _TIME | _ZONED,
    dt.datetime: _DATE | _TIME | _ZONED | _names("date time"),
    dt.timezone: _names("utcoffset tzname"),
    zoneinfo.ZoneInfo: _names("key utcoffset tzname dst"),
    dt.timedelta: _names("days seconds microseconds total_seconds"),
    decimals.Decimal: decimals.METHODS,
    ratios.Fraction: ratios.METHODS,
    uuid.UUID: _names("hex int version bytes urn"),
    type(sys.float_info): _names("epsilon max min dig"),
    statistics.NormalDist: _names("mean stdev variance median mode cdf pdf inv_cdf zscore overlap"),
    re.Pattern: _names("match search fullmatch findall finditer split sub subn pattern groups groupindex flags"),
    re.Match: _names("group groups groupdict start end span string re pos endpos lastgroup lastindex"),
    np.ndarray: ARRAY,
    np.dtype: _names("name kind itemsize"),
    StringIO: _names(
        "read readline readlines getvalue write writelines seek tell close closed truncate flush "
        "readable writable seekable"
    ),
    pd.DataFrame: TABLE,
    pd.Series: TABLE | _names("cat"),
    pd.Timestamp: _DATE | _TIME | _names("date time timestamp normalize") | DATES,
    pd.Timedelta: _names("days seconds microseconds total_seconds components floor ceil round isoformat"),
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
    bytes: _names("fromhex"),
    byte_arrays.ByteArray: _names("fromhex"),
    float: _names("fromhex"),
    decimals.Decimal: _names("from_float"),
    ratios.Fraction: _names("from_float from_decimal"),
    dt.date: _names("fromisoformat fromordinal min max"),
    dt.datetime: _names("fromisoformat combine min max"),
    dt.time: _names("fromisoformat min max"),
    dt.timedelta: _names("min max resolution"),
    dt.timezone: _names("utc min max"),
    collections.Counter: _names("fromkeys"),
    pd.DataFrame: _names("from_dict from_records"),
    pd.IntervalIndex: _names("from_breaks from_tuples from_arrays"),
    pd.Categorical: _names("from_codes"),
    MultiIndex: _names("from_product from_tuples from_arrays from_frame"),
    Polynomial: _names("fit"),
    statistics.NormalDist: _names("from_samples"),
}
"""Class -> what a cell may read on the class itself: constructors, and text methods for ``map(str.upper, words)``."""

MUTATORS = _LIST | _SET | _DICT | _names("keys items extend") - _names("copy count index get values")
"""Never direct: ``list.append(purse, x)`` on the class itself would go past a tracked container."""


ALLOWED.update(library_types(ALLOWED))
for _kind, _name in ADAPTERS:
    ALLOWED[_kind] -= {_name}  # what cells get in another form, they get in no other

for _error in vars(builtins).values():
    if isinstance(_error, type) and issubclass(_error, BaseException):
        ALLOWED.setdefault(_error, _ERROR | (_names("value") if _error is StopIteration else frozenset()))
ALLOWED[generators.Closed] = _ERROR
ALLOWED[json.JSONDecodeError] = _ERROR | _names("msg doc pos lineno colno")
ALLOWED[re.error] = _ERROR | _names("msg pattern pos lineno colno")


@cache
def _offered() -> tuple[frozenset[str], frozenset[str]]:
    """Return every public name of the listed types, and those of them that are outside their type's list."""
    names, hazards = set(FIGURES | REACHING), set(FIGURES | REACHING)
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


def direct_names(kinds: frozenset[type[Entity]], *, fields_too: bool = True, foreign: bool = False) -> Direct:
    """Return the attribute names that cells of a world with these entity classes may use without a guard.

    Fields may be read and written directly where no other type offers that name; methods may be called where they
    are read. The entities themselves check every write.

    Args:
        kinds: the classes.
        fields_too: whether fields are among them; if not, every read of one goes through the guard.
        foreign: whether cells may meet objects of other classes, which can have attributes of any name: a guard then
            stands before all but the writes of the entity that acts.
    """
    names, hazards = _offered()
    fields = frozenset(name for kind in kinds for name in fields_of(kind))
    members = frozenset(name for kind in kinds for name in entity_names(kind))
    if not fields_too:
        hazards, fields = hazards | fields, frozenset()
    if foreign:
        return Direct(writes=fields - names)
    safe = _UNIVERSAL - hazards - MUTATORS
    return Direct(
        reads=safe | (fields - hazards - MUTATORS),
        calls=safe | {"values"} | (members - hazards - MUTATORS),  # what a table has by that name cannot be called
        writes=fields - names,
    )


def class_of(kind: type) -> frozenset[str]:
    """Return what cells may read on a type that is not in the list: the public part of a value's class."""
    if (readable := _VALUE_CLASSES.get(kind)) is None:
        readable = _VALUE_CLASSES[kind] = _public_part(kind)
    return readable


_VALUE_CLASSES: WeakKeyDictionary[type, frozenset[str]] = WeakKeyDictionary()
"""Cells make such classes, too: held weakly, they are gone when nothing but this knows of them."""


def _public_part(kind: type) -> frozenset[str]:
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return frozenset(kind._fields) | _names("count index")
    if issubclass(kind, enum.Enum):
        return _names("name value")
    if issubclass(kind, pydantic.BaseModel):
        return frozenset(kind.model_fields)
    if dataclasses.is_dataclass(kind):
        return frozenset(each.name for each in dataclasses.fields(kind))
    return drawn(kind) or (_ERROR if issubclass(kind, Exception) else frozenset())
