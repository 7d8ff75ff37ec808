"""``copy`` in a cell: copies of what cells make, by which no code of theirs runs."""

from __future__ import annotations

import collections
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.entity.containers import Tracked
from cave_sim.entity.entity import Entity
from cave_sim.entity.graphs import GraphDict
from cave_sim.entity.reference_containers import RefDict, RefList, RefSet
from cave_sim.entity.values import SERIAL, StableFrozenSet, StableSet
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.chain_maps import ChainMap
from cave_sim.policy.libraries.queues import QUEUES, Queue, items_of
from cave_sim.policy.libraries.user_containers import USER_BASES

_SEQUENCES = (list, collections.deque)
_MAPPINGS = (dict, collections.Counter, collections.defaultdict, collections.OrderedDict)
_TABLES = (bytearray, ChainMap, pd.DataFrame, pd.Series, np.ndarray, nx.Graph, nx.DiGraph)
_PARTS = (Tracked, RefList, RefDict, RefSet, GraphDict)


def copy(value: Any) -> Any:
    """``copy.copy``: another container of the same items, another object with the same attributes."""
    kind = _kind_of(value)
    if isinstance(value, _PARTS):
        return kind(value.items() if isinstance(value, dict) else value)
    if kind in OWN_CLASSES or kind in USER_BASES:
        return _shallow(value) if _is_plain_object(value) else value
    if kind in _SEQUENCES or kind in _MAPPINGS or kind in _TABLES or kind is StableSet:
        return value.copy()
    return _copied_queue(value, items_of(value)) if kind in QUEUES.values() else value


def deepcopy(value: Any) -> Any:
    """``copy.deepcopy``: a copy all the way down, in which who shared what still does."""
    _kind_of(value)
    return _deep(value, {})


def _kind_of(value: Any) -> type:
    """Return the class of a copy: of what is a part of an entity, the one that Python has."""
    if isinstance(value, Entity):
        raise TypeError(f"{value} is an entity, of which there is one; copy what you need of its fields")
    if isinstance(value, _PARTS):
        return list if isinstance(value, list) else dict if isinstance(value, dict) else StableSet
    return type(value)


def _deep(value: Any, seen: dict[int, tuple[Any, Any]]) -> Any:
    if isinstance(value, Entity):
        return value  # what refers to an entity goes on to refer to it
    kind = _kind_of(value)
    if kind in _ATOMS:
        return value
    if id(value) in seen:
        return seen[id(value)][1]
    if kind in (tuple, StableFrozenSet):
        copied: Any = kind(_deep(item, seen) for item in value)
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        copied = tuple.__new__(kind, [_deep(item, seen) for item in tuple.__iter__(value)])
    else:
        copied = _begun(value, kind)
        seen[id(value)] = value, copied
        if copied is not value:
            _fill(copied, value, kind, seen)
    seen[id(value)] = value, copied  # the value, too: so its identity stays its own
    return copied


def _fill(copied: Any, value: Any, kind: type, seen: dict[int, Any]) -> None:
    if kind in _SEQUENCES:
        copied.extend(_deep(item, seen) for item in value)
    elif kind in _MAPPINGS:
        for key, item in value.items():
            copied[_deep(key, seen)] = _deep(item, seen)
    elif kind is StableSet:
        copied.update(_deep(item, seen) for item in value)
    elif kind in OWN_CLASSES or kind in USER_BASES:
        copied.__dict__.update({name: _deep(item, seen) for name, item in value.__dict__.items() if name != SERIAL})
    elif kind in QUEUES.values():
        items_of(copied).extend(_deep(item, seen) for item in items_of(value))


_ATOMS = frozenset({str, int, float, bool, type(None), bytes, complex})


def _begun(value: Any, kind: type) -> Any:
    """Return an empty copy of what may hold itself, a whole one of what holds no objects, or the value itself."""
    if kind is collections.deque:
        return collections.deque(maxlen=value.maxlen)
    if kind is collections.defaultdict:
        return collections.defaultdict(value.default_factory)
    if kind is list or kind in _MAPPINGS or kind is StableSet:
        return kind()
    if kind in USER_BASES or (kind in OWN_CLASSES and _is_plain_object(value)):
        return _new(value, {})
    if kind in _TABLES:
        return value.copy()
    return _copied_queue(value, []) if kind in QUEUES.values() else value


def _is_plain_object(value: Any) -> bool:
    """Say whether an object is of a class that adds nothing to ``object``: no error, no member of an Enum."""
    return all(base in OWN_CLASSES or base is object or base in USER_BASES for base in type(value).__mro__)


def _shallow(value: Any) -> Any:
    """Return another object with the same attributes; a dict or a list of the cell's own holds its own copy."""
    own_data = {"data": copy(value.__dict__["data"])} if isinstance(value, USER_BASES) else {}
    return _new(value, value.__dict__ | own_data)


def _new(value: Any, attributes: dict[str, Any]) -> Any:
    copied = object.__new__(type(value))
    copied.__dict__.update({name: item for name, item in attributes.items() if name != SERIAL})
    return copied


def _copied_queue(value: Queue, items: list[Any]) -> Queue:
    copied = type(value)(value.maxsize)
    items_of(copied).extend(items)
    return copied


COPY = {"copy": copy, "deepcopy": deepcopy}
"""What ``copy`` offers."""
