"""``type(x)`` in a cell: the class of a value, which makes more such objects only where cells are meant to make them.

Most classes of ours stand for what only a world makes: its databases, handles of agents, streams of chance. Their
constructors trust whom they are handed by, and a cell would hand them a stand-in. So each of ours that no module and no
name of the scope offers is shown by a class that answers questions and cannot be called.
"""

from __future__ import annotations

import types
import zoneinfo
from typing import Any, NoReturn

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.graphs import GraphDict, TrackedDiGraph, TrackedGraph
from cave_sim.entity.reference_containers import RefDict, RefList, RefSet
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.addresses import show_as
from cave_sim.policy.libraries.byte_arrays import ByteArray
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.class_tools import COLLECTIONS_ABC
from cave_sim.policy.libraries.modules import OFFERED_CLASSES
from cave_sim.policy.libraries.numpy_api import Array
from cave_sim.policy.libraries.numpy_dates import DateClass
from cave_sim.policy.libraries.pandas_clock import Timestamp
from cave_sim.policy.libraries.places import ZoneInfo
from cave_sim.policy.libraries.ranges import BoundedRange
from cave_sim.policy.libraries.shown_names import BuiltinFunction, CalledClass
from cave_sim.policy.libraries.stand_ins import StandIn
from cave_sim.policy.text_cleaning import Text

PACKAGE = __name__.partition(".")[0]
_INSTEAD: dict[type, type] = {
    **dict.fromkeys((TrackedList, RefList), list),
    **dict.fromkeys((TrackedDict, RefDict, GraphDict), dict),
    **dict.fromkeys((TrackedSet, RefSet), StableSet),
    TrackedGraph: nx.Graph,
    TrackedDiGraph: nx.DiGraph,
    np.ndarray: Array,
    str: Text,
    bytearray: ByteArray,
    BuiltinFunction: types.BuiltinFunctionType,
    range: BoundedRange,
    pd.Timestamp: Timestamp,
    zoneinfo.ZoneInfo: ZoneInfo,
    np.datetime64: DateClass,
    **dict.fromkeys((UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError), UnicodeError),
}
"""What stands in a cell for the class of a value that is tracked, or whose own constructor reaches too far."""


class _ShownClass(type):
    """What another class is to those who ask, but for its calls."""

    shown: type

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        raise Blocked(f"a {cls.__name__} is made by the world alone")

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.shown)

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls or issubclass(kind, cls.shown)

    def __repr__(cls) -> str:
        return f"<class '{cls.__name__}'>"


told_as(_ShownClass, "type")
_SHOWN: dict[type, type] = {}


def _shown(kind: type) -> type:
    if kind not in _SHOWN:
        _SHOWN[kind] = _ShownClass(kind.__name__, (), {"shown": kind, "__doc__": kind.__doc__})
        for asked in COLLECTIONS_ABC.values():
            if issubclass(kind, asked):
                asked.register(_SHOWN[kind])
    return _SHOWN[kind]


def class_of_value(value: Any) -> type:
    """``type`` without its three-argument form and without metaclasses, which make classes past the gate."""
    kind = type(value)
    if kind is type or issubclass(kind, (StandIn, _ShownClass)):
        return Type
    if issubclass(kind, type):
        raise Blocked("type() of a class is not for cells")
    if kind in _INSTEAD:
        return _INSTEAD[kind]
    return kind if kind in OFFERED_CLASSES or not _is_ours(kind) else _shown(kind)


def _is_ours(kind: type) -> bool:
    """Say whether a class belongs to this package, and not to a cell, a world's author, or an error's catcher."""
    if kind.__module__.partition(".")[0] != PACKAGE or kind in OWN_CLASSES:
        return False
    return not issubclass(kind, (Entity, BaseException, StableSet, StableFrozenSet))


class _TypeClass(StandIn):
    stands_for = type

    def __call__(self, *args: Any) -> type:
        if len(args) == 3:
            raise Blocked("type() of three arguments is not for cells; write a class statement")
        return class_of_value(*args)


class Type(metaclass=_TypeClass):
    """``type`` in a cell: to be asked for, and to ask of a value."""

    __class_getitem__: Any = classmethod(types.GenericAlias)


_INSTEAD[CalledClass] = Type
told_as(class_of_value, "type")
Type.__name__ = Type.__qualname__ = "type"
Type.__module__ = "builtins"
for _kind, _name in ((StableSet, "set"), (StableFrozenSet, "frozenset"), (RandomStream, "random.Random")):
    show_as(f"{_kind.__module__}.{_kind.__qualname__}", _name)
