"""In which order a set is written: by what its items are, never by where they lie in memory or were put in first."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import functools
import operator
import re
import uuid
from collections.abc import Iterable
from itertools import pairwise
from types import BuiltinFunctionType, EllipsisType, FunctionType, GenericAlias, MethodType, NoneType, UnionType
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.entity import Entity
from cave_sim.entity.json_form import REF
from cave_sim.entity.values import SERIAL, StableFrozenSet, stable_order
from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.decimals import Decimal
from cave_sim.policy.libraries.module_proxy import ModuleProxy
from cave_sim.policy.libraries.ratios import Fraction
from cave_sim.runtime.graph.node import See


def written_order(items: Iterable[Any], see: See) -> list[Any]:
    """Return the items of a set in an order that repeats; no code of an item runs for it.

    Raises:
        SchemaError: nothing but their place in memory tells two of them apart.
    """
    plain: list[Any] = []
    others: list[Any] = []
    for item in items:
        (plain if is_plain(item) else others).append(item)
    if len(others) > 1:
        others = _by_mark(others, see)
    return [*stable_order(plain), *others]


def is_plain(value: Any) -> bool:
    """Say whether a value can be compared, hashed and told without running code of a cell."""
    kind = type(value)
    if kind in _NESTS:
        return all(map(is_plain, value))
    return kind in _BUILT_IN or kind.__module__ in _PLAIN_MODULES


_NESTS = frozenset({tuple, frozenset, StableFrozenSet})
_BUILT_IN = frozenset({str, int, float, bool, bytes, complex, range, NoneType, EllipsisType})
_PLAIN_MODULES = frozenset(kind.__module__ for kind in (dt.date, Decimal, Fraction, np.float64, pd.Timestamp))
_TOLD_PLAINLY = (re.Pattern, uuid.UUID, pd.Interval, pd.Period, ModuleProxy)
"""Kinds whose text is made of nothing of a cell's."""
_GETTERS = frozenset({operator.itemgetter, operator.attrgetter, operator.methodcaller})
_ALIASES = frozenset({GenericAlias, UnionType})
_DEEPEST = 8


def _by_mark(items: list[Any], see: See) -> list[Any]:
    marked = sorted(((_mark(item, see), item) for item in items), key=lambda pair: pair[0])
    for (mark, item), (other, _) in pairwise(marked):
        if mark == other and not isinstance(item, Entity):  # those that have left are all written alike
            raise SchemaError(
                f"a set of several {type(item).__name__} objects has no order that repeats; keep a list of them"
            )
    return [item for _, item in marked]


def _mark(item: Any, see: See, depth: int = 0) -> str:
    """Return what tells an item from the others."""
    kind = type(item)
    return f"{kind.__name__} {_own_mark(item, kind, see, depth + 1) if depth < _DEEPEST else ''}"


def _own_mark(item: Any, kind: type, see: See, depth: int) -> str:
    if is_plain(item) or isinstance(item, _TOLD_PLAINLY):
        return repr(item)
    if isinstance(item, Entity):
        return str(see(item)[REF])
    if isinstance(item, tuple):
        return f"({', '.join(_mark(part, see, depth) for part in tuple.__iter__(item))})"
    if isinstance(item, frozenset):
        return f"{{{', '.join(sorted(_mark(part, see, depth) for part in frozenset.__iter__(item)))}}}"
    if isinstance(item, enum.Enum):
        return f"{kind.__qualname__} {item._name_} {item._value_ if is_plain(item._value_) else ''}"
    if kind in OWN_CLASSES:  # each has its number since it was put in
        return f"{object.__getattribute__(item, '__dict__').get(SERIAL, 0):020}"
    if isinstance(item, (FunctionType, type)):
        return f"{item.__module__} {item.__qualname__}"
    if isinstance(item, (MethodType, BuiltinFunctionType)):
        return f"{item.__name__} {_mark(item.__self__, see, depth)}"
    return ", ".join(f"{name} {_mark(part, see, depth)}" for name, part in _parts_of(item, kind))


def _parts_of(item: Any, kind: type) -> list[tuple[str, Any]]:
    """Return what a value of a library's or of the researcher's class is made of, by name."""
    if kind is functools.partial:
        return [("", item.func), ("", item.args), *sorted(item.keywords.items())]
    if kind in _GETTERS:
        return [("", item.__reduce__())]
    if kind in _ALIASES:
        return [("", getattr(item, "__origin__", None)), ("", item.__args__)]
    if isinstance(item, BaseException):
        return [("", item.args)]
    if dataclasses.is_dataclass(item):
        return [(each.name, object.__getattribute__(item, each.name)) for each in dataclasses.fields(item)]
    held = object.__getattribute__(item, "__dict__") if kind.__dictoffset__ else {}
    return sorted(held.items())
