"""In which order a set is written: by what its items are, never by where they lie in memory or were put in first."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import functools
import hashlib
import operator
import re
import uuid
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from types import (
    BuiltinFunctionType,
    EllipsisType,
    FunctionType,
    GenericAlias,
    MethodType,
    ModuleType,
    NoneType,
    UnionType,
)
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.containers import TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.json_form import REF
from cave_sim.entity.looking_through import kinds_within
from cave_sim.entity.values import SERIAL, StableFrozenSet, StableSet, stable_order
from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.decimals import Decimal
from cave_sim.policy.libraries.module_proxy import ModuleProxy
from cave_sim.policy.libraries.ratios import Fraction
from cave_sim.runtime.graph.node import See

MOST_LOOKED_AT = 500_000
"""Parts of items, and stretches of their texts, in all sets of one agent."""


class SetOrder:
    """Puts sets in order that share what they hold, looking at no more of it than is done in moments.

    Args:
        see: what stands for an object in a template.
    """

    def __init__(self, see: See) -> None:
        self._see = see
        self._left = MOST_LOOKED_AT

    def of(self, values: Collection[Any]) -> list[Any]:
        """Return the items of a set in an order that repeats; no code of an item runs for it.

        Raises:
            SchemaError: nothing but their place in memory tells two of them apart, or it takes too long to find out.
        """
        items = list(_ITERATED.get(type(values), iter)(values))
        if _is_plain(kinds_within(items)):
            return stable_order(items)
        plain: list[Any] = []
        others: list[Any] = []
        for item in items:
            (plain if is_plain(item) else others).append(item)
        if len(others) > 1:
            others = self._by_mark(others)
        return [*stable_order(plain), *others]

    def _by_mark(self, items: list[Any]) -> list[Any]:
        marked = sorted(((self._mark(item), item) for item in items), key=lambda pair: pair[0])
        for (mark, item), (other, _) in pairwise(marked):
            if mark == other and not isinstance(item, Entity):  # those that have left are all written alike
                raise SchemaError(
                    f"a set of several {type(item).__name__} objects has no order that repeats; keep a list of them"
                )
        return [item for _, item in marked]

    def _mark(self, item: Any, depth: int = 0) -> str:
        """Return what tells an item from the others."""
        self._look_at(1)
        kind = type(item)
        return f"{kind.__name__} {self._own_mark(item, kind, depth + 1) if depth < _DEEPEST else ''}"

    def _look_at(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            raise SchemaError(f"sets whose items have more than {MOST_LOOKED_AT:,} parts; keep lists of them")

    def _own_mark(self, item: Any, kind: type, depth: int) -> str:
        if kind in _BUILT_IN or _is_plain_kind(kind) or isinstance(item, _TOLD_PLAINLY):
            return self._text_of(item)
        if isinstance(item, Entity):
            return str(self._see(item)[REF])
        if isinstance(item, tuple):
            return f"({', '.join(self._mark(part, depth) for part in tuple.__iter__(item))})"
        if isinstance(item, frozenset):
            return f"{{{', '.join(sorted(self._mark(part, depth) for part in frozenset.__iter__(item)))}}}"
        if isinstance(item, enum.Enum):
            value = self._text_of(item._value_) if _is_plain_kind(type(item._value_)) else ""
            return f"{kind.__qualname__} {item._name_} {value}"
        if kind in OWN_CLASSES:  # each has its number since it was put in
            return f"{object.__getattribute__(item, '__dict__').get(SERIAL, 0):020}"
        if isinstance(item, (FunctionType, type)):
            return f"{item.__module__} {item.__qualname__}"
        if isinstance(item, ModuleType):
            return item.__name__
        if isinstance(item, (MethodType, BuiltinFunctionType)):
            return f"{item.__name__} {self._mark(item.__self__, depth)}"
        return ", ".join(f"{name} {self._mark(part, depth)}" for name, part in _parts_of(item, kind))

    def _text_of(self, item: Any) -> str:
        """Return the text of a plain value; of a long one, a digest."""
        if isinstance(item, int) and item.bit_length() > _LONG:  # Python tells no decimal digits of large ones
            self._look_at(item.bit_length() // _LONG)
            return _digest(f"{item:x}".encode())
        if isinstance(item, (str, bytes)) and len(item) > _LONG:
            self._look_at(len(item) // _LONG)
            return _digest(item if isinstance(item, bytes) else item.encode("utf-8", "surrogatepass"))
        if parts := _NUMBERS.get(type(item)):
            return f"({', '.join(self._text_of(getattr(item, part)) for part in parts)})"
        return repr(item)


def is_plain(value: Any) -> bool:
    """Say whether a value can be compared, hashed and told without running code of a cell."""
    kind = type(value)
    if kind in _NESTS:
        return _is_plain(kinds_within(value))
    return _is_plain_kind(kind)


def _is_plain(kinds: set[type]) -> bool:
    return all(kind in _NESTS or _is_plain_kind(kind) for kind in kinds)


def _is_plain_kind(kind: type) -> bool:
    if issubclass(kind, np.generic):
        return not issubclass(kind, np.void)  # which may hold any object
    return kind in _BUILT_IN or kind.__module__ in _PLAIN_MODULES


def _digest(content: bytes) -> str:
    return f"{len(content)} {hashlib.blake2b(content, digest_size=16).hexdigest()}"


_ITERATED: dict[type, Callable[[Any], Iterator[Any]]] = {
    StableSet: set.__iter__,
    TrackedSet: set.__iter__,
    StableFrozenSet: frozenset.__iter__,
}
"""Sets of ours, which would compare their items to be read."""
_NESTS = frozenset({tuple, frozenset, StableFrozenSet})
_BUILT_IN = frozenset({str, int, float, bool, bytes, complex, range, NoneType, EllipsisType})
_PLAIN_MODULES = frozenset(kind.__module__ for kind in (dt.date, Decimal, Fraction, pd.Timestamp))
_NUMBERS: dict[type, tuple[str, ...]] = {
    Fraction: ("numerator", "denominator"),
    range: ("start", "stop", "step"),
    re.Pattern: ("pattern", "flags"),
}
"""Kinds whose text Python cuts off, or tells of no large numbers -> what they are made of."""
_TOLD_PLAINLY = (re.Pattern, uuid.UUID, pd.Interval, pd.Period, ModuleProxy)
"""Kinds whose text is made of nothing of a cell's."""
_GETTERS = frozenset({operator.itemgetter, operator.attrgetter, operator.methodcaller})
_ALIASES = frozenset({GenericAlias, UnionType})
_DEEPEST = 8
_LONG = 200
"""Of texts that are told whole, and of bits of such numbers."""


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
