"""Writing variables as one object graph in plain data, with identities, aliases and cycles.

What an agent's cells leave is written at the end of each turn, and what is read back from it is what the next turn
sees, on every host and after every stop. Objects that one other refers to stand where they are used; those that are
shared, or lie deep, are numbered and stand in the ``$heap`` of their component's first variable, so that a variable
is written ``{"$heap": {"0": ...}, "value": {"$see": "0"}}``, and another that shares objects with it
``{"$with": "first", "value": {"$see": "0"}}``. All other variables are the plain form of their value.

No code of a cell runs to write a variable, but for the order of a set of objects with an order of their own.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CoroutineType, FunctionType
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.containers import FROZEN, SET
from cave_sim.runtime.graph.errors import CannotBeKept, describe
from cave_sim.runtime.graph.forms import Forms
from cave_sim.runtime.graph.node import Form, Node, UnionFind
from cave_sim.runtime.graph.scalars import LARGE, PLAIN, SHORT, write_scalar
from cave_sim.runtime.graph.set_order import SetOrder

SETS = (SET, FROZEN)
SEE, HEAP, WITH, VALUE = "$see", "$heap", "$with", "value"
INLINE_DEPTH = 16
"""How deep objects stand within each other before one is moved to the heap, so that no reader has to recurse."""
MAX_PARTS = 2_000_000
MAX_BYTES = 2**28
"""How much texts and arrays may come to, before any of it is written out."""


@dataclass(slots=True)
class _Component:
    """Variables that share objects."""

    head: str
    labels: dict[int, str] = field(default_factory=dict)
    waiting: list[Node] = field(default_factory=list)


class GraphWriter:
    """Writes the variables of one agent; used once.

    Args:
        forms: the forms of whatever may be among them.
        most_bytes: how much texts and arrays among them may come to.
    """

    def __init__(self, forms: Forms, most_bytes: int = MAX_BYTES) -> None:
        self._forms = forms
        self._bytes_left = most_bytes
        self._nodes: dict[int, Node] = {}
        self._waiting: list[Node] = []
        self._roots = UnionFind()
        self._sets = SetOrder(self._see)
        self._root = 0
        self._parts = 0

    def write(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables as plain data, by name in alphabetical order; raises CannotBeKept."""
        names = sorted(variables)
        values = []
        for name in names:
            self._root = self._roots.add()
            try:
                values.append(self._see(variables[name]))
                self._take_apart()
            except CannotBeKept:
                raise
            except SchemaError as error:
                raise CannotBeKept(name, f"{name}: {error}") from None
            except _Unkeepable as error:
                verb = "is" if error.value is variables[name] else "holds"
                raise CannotBeKept(name, f"{name} {verb} {describe(error.value, name)}") from None
        return self._emit(names, values)

    # ---- taking apart

    def _see(self, value: Any) -> Any:
        kind = type(value)
        if (kind is str and len(value) < SHORT and value.isascii()) or (kind is int and -LARGE < value < LARGE):
            return value  # most of what there is
        scalar = write_scalar(value)
        if kind is str or kind is bytes:
            self._count(len(value))
        if scalar is not value or kind in PLAIN:
            return scalar
        place = self._forms.place(value)
        if place is not None:
            return place
        node = self._nodes.get(id(value))
        if node is None:
            node = self._nodes[id(value)] = Node(value, self._root)
            self._waiting.append(node)
        elif node.root != self._root:
            self._roots.join(node.root, self._root)
        node.references += 1
        return node

    def _take_apart(self) -> None:
        while self._waiting:
            node = self._waiting.pop()
            form = self._forms.of(node.value)
            if form is None:
                if isinstance(node.value, CoroutineType):
                    node.value.close()  # nobody will await it
                raise _Unkeepable(node.value)
            self._parts += _effort_of(node.value, form) + _parts_in(node.value)
            if self._parts > MAX_PARTS:
                raise SchemaError(f"more than {MAX_PARTS:,} parts are too many to be kept; use an array or a table")
            self._count(_bytes_in(node.value))
            value = self._sets.of(node.value) if form in SETS else node.value
            content = form.write(value, self._see)
            node.template = content if not form.tag else {form.tag: content}

    def _count(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise SchemaError("texts and arrays of this size are too much to be kept; keep a summary")

    # ---- putting together

    def _emit(self, names: list[str], values: list[Any]) -> dict[str, Any]:
        components: dict[int, _Component] = {}
        written: dict[str, Any] = {}
        for root, (name, value) in enumerate(zip(names, values, strict=True)):
            component = components.setdefault(self._roots.find(root), _Component(name))
            data = self._inline(value, component, 0)
            written[name] = data if component.head == name else {WITH: component.head, VALUE: data}
        for component in components.values():
            heap: dict[str, Any] = {}
            for node in component.waiting:  # grows as it is emptied
                heap[component.labels[id(node)]] = self._inline(node.template, component, 0)
            if heap:
                written[component.head] = {HEAP: heap, VALUE: written[component.head]}
        return written

    def _inline(self, data: Any, component: _Component, depth: int) -> Any:
        kind = type(data)
        if kind is Node:
            if data.references == 1 and depth < INLINE_DEPTH:
                return self._inline(data.template, component, depth + 1)
            if id(data) not in component.labels:
                component.labels[id(data)] = str(len(component.labels))
                component.waiting.append(data)
            return {SEE: component.labels[id(data)]}
        if kind is list:
            return [item if type(item) in PLAIN else self._inline(item, component, depth) for item in data]
        if kind is dict:
            if PLAIN.issuperset(map(type, data.values())):
                return data
            return {
                key: item if type(item) in PLAIN else self._inline(item, component, depth) for key, item in data.items()
            }
        return data


class _Unkeepable(Exception):
    """Carries a value that has no form."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _effort_of(value: Any, form: Form) -> int:
    """Return as how many parts an object counts by itself: those that take longer to write, as more."""
    if isinstance(value, _LONGER):
        return 40
    return 5 if form.tag else 1


def _parts_in(value: Any) -> int:
    """Return how many parts a container or a graph is taken apart into; 0 for anything else."""
    if isinstance(value, nx.Graph):
        return 4 * (len(value) + int(value.number_of_edges()))
    if isinstance(value, dict):
        return 2 * len(value)
    return len(value) if isinstance(value, _CONTAINERS) else 0


def _bytes_in(value: Any) -> int:
    """Return what the numbers of an array or a table take; 0 for anything else."""
    if isinstance(value, pd.DataFrame):
        return int(value.size) * 8
    return int(value.nbytes) if isinstance(value, (np.ndarray, pd.Series, pd.Index)) else 0


_LONGER = (FunctionType, nx.Graph, pd.DataFrame, pd.Series, pd.Index)
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)
