"""A networkx graph in a field: reads and algorithms are networkx's own, writes are noted like any dict's.

networkx builds a graph from dicts that it gets from factories; ours note what is written to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx

from cave_sim.canonical_json import same_json
from cave_sim.entity.containers import WHOLE
from cave_sim.entity.graph_form import (
    ORDER,
    GraphParts,
    admit_attribute,
    check_attribute_name,
    key_value,
    parts_of,
    read_attribute,
    read_attributes,
    write_attribute,
    write_attributes,
    write_graph,
)
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.entity.values import check_scalar, plain_copy
from cave_sim.errors import SchemaError

Entry = tuple[Any, Any, Any]


class GraphDict(dict[Any, Any]):
    """One of the dicts that a tracked graph is made of. It knows the dict and key that it hangs from."""

    __slots__ = ("_epoch", "_graph", "_hook")

    def __init__(self, graph: TrackedGraph, items: Any = ()) -> None:
        dict.__init__(self, items)
        self._graph, self._epoch = graph, 0
        self._hook: tuple[GraphDict, Any] | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(value) is GraphDict and self._holds_dicts():
            key = self._graph._key(key)
            if not self._lists_sources():
                value._hook = (self, key)
        else:
            key, value = self._graph._checked(check_attribute_name, key), self._graph._checked(admit_attribute, value)
        undo_log = self._graph._undo_log()
        if undo_log is not None:
            undo_log.undo.append((self, (key,), dict.get(self, key, MISSING)))
        dict.__setitem__(self, key, value)

    def _holds_dicts(self) -> bool:
        """Say whether networkx hangs its own dicts here; what holds attributes takes plain data only."""
        graph = self._graph.__dict__
        tables = (graph.get("_adj"), graph.get("_succ"), graph.get("_pred"))
        within = self if self._hook is None else self._hook[0]
        return self is graph.get("_node") or any(within is table for table in tables)

    def _lists_sources(self) -> bool:
        """Say whether this lists who leads to a node of a directed graph: the edges there hang elsewhere, too."""
        return self._hook is not None and self._hook[0] is self._graph.__dict__.get("_pred")

    def _note_removal(self) -> None:
        undo_log = self._graph._undo_log()
        if undo_log is not None and self._epoch != undo_log.epoch:
            self._epoch = undo_log.epoch
            undo_log.undo.append((self, WHOLE, dict(dict.items(self))))

    def _revert(self, slot: Any, old: Any) -> None:
        if slot is WHOLE:
            dict.clear(self)
            dict.update(self, old)
        elif old is MISSING:
            dict.pop(self, slot[0], None)
        else:
            dict.__setitem__(self, slot[0], old)

    def __delitem__(self, key: Any) -> None:
        self._note_removal()
        dict.__delitem__(self, key)

    def pop(self, key: Any, *default: Any) -> Any:
        self._note_removal()
        return dict.pop(self, key, *default)

    def popitem(self) -> tuple[Any, Any]:
        self._note_removal()
        return dict.popitem(self)

    def clear(self) -> None:
        self._note_removal()
        dict.clear(self)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **items: Any) -> None:
        for key, value in dict(*others, **items).items():
            self[key] = value

    def __ior__(self, other: Any) -> GraphDict:  # type: ignore[misc]
        self.update(other)
        return self

    def copy(self) -> dict[Any, Any]:
        return dict(self)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self),)


class TrackedGraph(nx.Graph):  # type: ignore[misc]
    """An undirected or directed graph that belongs to a field. Made from a plain one by copying it in."""

    _owner: Any = None
    _field: str = ""

    def __init__(self, source: Any = None, **attributes: Any) -> None:
        make = self._make
        for factory in (
            "node_dict_factory",
            "node_attr_dict_factory",
            "adjlist_outer_dict_factory",
            "adjlist_inner_dict_factory",
            "edge_attr_dict_factory",
            "graph_attr_dict_factory",
        ):
            self.__dict__[factory] = make
        super().__init__(**attributes)
        if source is not None:
            self._take_over(parts_of(source), source.edges(data=True))

    def _take_over(self, parts: GraphParts, edges: Iterable[tuple[Any, Any, Any]]) -> None:
        """Add what a graph is made of."""
        self.graph.update(parts.attributes)
        self.add_nodes_from((self._key(node), dict(data)) for node, data in parts.nodes.items())
        self.add_edges_from((self._key(u), self._key(v), dict(data)) for u, v, data in edges)

    def _make(self) -> GraphDict:
        return GraphDict(self)

    def to_directed_class(self) -> Any:
        return nx.DiGraph

    def to_undirected_class(self) -> Any:
        return nx.Graph

    def copy(self, as_view: bool = False) -> Any:
        """Return a plain networkx graph that is nobody's."""
        plain = nx.DiGraph() if self.is_directed() else nx.Graph()
        plain.graph.update(plain_copy(self.graph))
        plain.add_nodes_from((node, plain_copy(data)) for node, data in self._node.items())
        plain.add_edges_from((u, v, plain_copy(data)) for u, v, data in self.edges(data=True))
        return plain

    def _undo_log(self) -> UndoLog | None:
        if self._owner is None:
            return None
        undo_log: UndoLog | None = self._owner._undo_log
        if undo_log is not None:
            undo_log.deep = True
            if undo_log.guard is not None:
                undo_log.guard.write(self._owner, self._field)
        return undo_log

    def _settle_in(self, owner: Any, field: str) -> None:
        self._owner, self._field = owner, field

    def _checked(self, check: Callable[[Any], Any], value: Any) -> Any:
        try:
            return check(value)
        except SchemaError as error:
            place = "a graph" if self._owner is None else f"{self._owner._label()}.{self._field}"
            raise SchemaError(f"{place}: {error}") from None

    def _key(self, node: Any) -> Any:
        if type(node) is tuple and all(type(part) in (int, str) for part in node):
            for part in node:
                self._checked(check_scalar, part)
            return node
        if type(node) is int or type(node) is str:
            self._checked(check_scalar, node)
            return node
        raise SchemaError(f"a node must be a text, an integer or a tuple of these, not a {type(node).__name__}")

    def add_node(self, node_for_adding: Any, **attributes: Any) -> None:
        super().add_node(self._key(node_for_adding), **attributes)

    def add_edge(self, u_of_edge: Any, v_of_edge: Any, **attributes: Any) -> None:
        super().add_edge(self._key(u_of_edge), self._key(v_of_edge), **attributes)

    def _place_of(self, part: GraphDict) -> tuple[Any, ...]:
        """Return where a dict hangs: ("node", n), ("edge", u, v), shorter for what is above them, or ("graph",).

        Who leads to a node of a directed graph is under ("source", v, u).
        """
        keys: list[Any] = []
        while part._hook is not None:
            part, key = part._hook
            keys.insert(0, key)
        if part is self._node or part is self.graph:
            return ("node" if part is self._node else "graph", *keys)
        return ("source" if part is self.__dict__.get("_pred") else "edge", *keys)

    def _touched(self, entries: list[Entry]) -> list[tuple[Any, ...]]:
        """Return the nodes ("node", n), edges ("edge", u, v) and attributes ("graph", key) that the writes concern."""
        places: dict[tuple[Any, ...], None] = {}
        for part, slot, old in entries:
            keys = slot
            if slot is WHOLE:
                keys = [key for key in {**old, **part} if old.get(key, MISSING) is not dict.get(part, key, MISSING)]
            for key in keys:
                kind, *place = (*self._place_of(part), key)
                size = 2 if kind == "edge" else 1
                if len(place) >= size and kind != "source":
                    place = place[:size]
                    places[(kind, *(place if self.is_directed() else sorted(place, key=str)))] = None
        return list(places)

    def _changes(self, entries: list[Entry]) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
        """Yield (where, old data, new data) for every node, edge and attribute that differs; MISSING for absence."""
        before = Before(entries)
        for where in self._touched(entries):
            old, new = self._data_before(before, where), self._data_at(where)
            if not same_json(old, new):
                yield where, old, new

    def _data_before(self, before: Before, where: tuple[Any, ...]) -> Any:
        kind, *place = where
        value: Any = self._table(kind)
        for key in place:
            value = MISSING if value is MISSING else before.get(value, key)
        return write_attributes(before.whole(value)) if isinstance(value, GraphDict) else _written(value)

    def _data_at(self, where: tuple[Any, ...]) -> Any:
        kind, *place = where
        value: Any = self._table(kind)
        for key in place:
            value = MISSING if value is MISSING else dict.get(value, key, MISSING)
        return write_attributes(value) if isinstance(value, GraphDict) else _written(value)

    def _table(self, kind: str) -> GraphDict:
        table: GraphDict = {"node": self._node, "edge": self._adj, "graph": self.graph}[kind]
        return table

    def _reordered(self, entries: list[Entry]) -> bool:
        """Say whether something left and something came: then parts alone do not tell in which order they stand now."""
        left = any(slot is WHOLE for _, slot, _ in entries)
        return left and any(slot is not WHOLE and old is MISSING for _, slot, old in entries)

    def _snapshot_before(self, entries: list[Entry]) -> dict[str, Any]:
        """Return what :func:`graph_snapshot` would have given before the writes."""
        before = Before(entries)
        whole = before.whole
        nodes = {node: whole(data) for node, data in whole(self._node).items()}
        tables = (self._adj, self._pred) if self.is_directed() else (self._adj, GraphDict(self))
        rows, sources = (
            {node: {other: whole(data) for other, data in whole(row).items()} for node, row in whole(table).items()}
            for table in tables
        )
        return write_graph(GraphParts(self.is_directed(), whole(self.graph), nodes, rows, sources))

    def _apply(self, where: tuple[Any, ...], data: Any) -> None:
        """Bring one node, edge or attribute to the data given; MISSING removes it."""
        kind, *place = where
        if kind == "graph" and data is MISSING:
            self.graph.pop(place[0], None)
        elif kind == "graph":
            self.graph[place[0]] = read_attribute(data)
        elif data is MISSING:
            present = self.has_node(*place) if kind == "node" else self.has_edge(*place)
            if present:
                (self.remove_node if kind == "node" else self.remove_edge)(*place)
        else:
            (self.add_node if kind == "node" else self.add_edge)(*place)
            attributes = self._node[place[0]] if kind == "node" else self._adj[place[0]][place[1]]
            for key in [key for key in attributes if key not in data]:
                del attributes[key]
            for key, value in data.items():
                if key not in attributes or not same_json(write_attribute(attributes[key]), value):
                    attributes[key] = read_attribute(value)

    def _become(self, data: Any) -> None:
        """Bring the whole graph to what :func:`graph_snapshot` gave of another one."""
        self.clear()
        self.graph.update(read_attributes(data["graph"]))
        self.add_nodes_from((key_value(node), read_attributes(attributes)) for node, attributes in data["nodes"])
        self.add_edges_from((key_value(u), key_value(v), read_attributes(found)) for u, v, found in data["edges"])
        rows = self._pred if self.is_directed() else self._adj
        for node, neighbours in data.get(ORDER, ()):
            _reorder(rows[key_value(node)], [key_value(other) for other in neighbours])


def _written(value: Any) -> Any:
    return MISSING if value is MISSING else write_attribute(value)


def _reorder(row: GraphDict, order: list[Any]) -> None:
    """Bring the neighbours of a node into an order; raises ValueError if it does not name them all."""
    if len(order) != len(row) or any(other not in row for other in order):
        raise ValueError("the order of a node's neighbours names others than its neighbours")
    neighbours = {other: row[other] for other in order}
    row.clear()
    row.update(neighbours)


class Before:
    """What the dicts of a graph held before a stretch of writes, found from the undo entries alone."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries: dict[int, list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault(id(entry[0]), []).append(entry)

    def get(self, part: GraphDict, key: Any) -> Any:
        """Return what the key held, or MISSING."""
        for _, slot, old in self._entries.get(id(part), ()):
            if slot is WHOLE:
                return old.get(key, MISSING)
            if slot[0] == key:
                return old
        return dict.get(part, key, MISSING)

    def whole(self, part: GraphDict) -> dict[Any, Any]:
        """Return all that the dict held."""
        content = dict(part)
        for _, slot, old in reversed(self._entries.get(id(part), ())):
            if slot is WHOLE:
                content = dict(old)
            elif old is MISSING:
                content.pop(slot[0], None)
            else:
                content[slot[0]] = old
        return content


class TrackedDiGraph(TrackedGraph, nx.DiGraph):  # type: ignore[misc]
    """The directed one."""


GRAPH_CLASSES: dict[bool, type[TrackedGraph]] = {False: TrackedGraph, True: TrackedDiGraph}


def tracked_graph(graph: Any) -> TrackedGraph:
    """Return a tracked copy of a networkx graph; raises SchemaError for multigraphs and unfit data."""
    if graph.is_multigraph():
        raise SchemaError("a multigraph cannot be kept; give parallel edges a node of their own, or an attribute")
    if isinstance(graph, TrackedGraph):
        return graph_restore(graph_snapshot(graph))
    return GRAPH_CLASSES[graph.is_directed()](graph)


def graph_snapshot(graph: Any) -> Any:
    """Return nodes and edges with their attributes, in order, as plain data."""
    return write_graph(parts_of(graph))


def graph_restore(data: Any) -> TrackedGraph:
    """Return the tracked graph for what :func:`graph_snapshot` gave; raises ValueError for other data."""
    graph = GRAPH_CLASSES[bool(data["directed"])]()
    graph._become(data)
    return graph
