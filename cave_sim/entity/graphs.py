"""A networkx graph in a field: reads and algorithms are networkx's own, writes are noted like any dict's.

networkx builds a graph from dicts that it gets from factories; ours note what is written to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from cave_sim.canonical_json import same_json
from cave_sim.entity.containers import WHOLE
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.entity.values import plain_copy
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
            value._hook = (self, key)
        else:
            key, value = self._graph._checked(key), self._graph._checked(value)
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
            self.graph.update(source.graph)
            self.add_nodes_from((self._key(node), dict(data)) for node, data in source.nodes(data=True))
            self.add_edges_from((self._key(u), self._key(v), dict(data)) for u, v, data in source.edges(data=True))

    def _make(self) -> GraphDict:
        return GraphDict(self)

    def to_directed_class(self) -> Any:
        return nx.DiGraph

    def to_undirected_class(self) -> Any:
        return nx.Graph

    def copy(self, as_view: bool = False) -> Any:
        """Return a plain networkx graph that is nobody's."""
        plain = nx.DiGraph() if self.is_directed() else nx.Graph()
        plain.add_nodes_from((node, dict(data)) for node, data in self._node.items())
        plain.add_edges_from((u, v, dict(data)) for u, v, data in self.edges(data=True))
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

    def _checked(self, value: Any) -> Any:
        try:
            return plain_copy(value)
        except SchemaError as error:
            place = "a graph" if self._owner is None else f"{self._owner._label()}.{self._field}"
            raise SchemaError(f"{place}: {error}") from None

    def _key(self, node: Any) -> Any:
        if type(node) is int or type(node) is str:
            return node
        if type(node) is tuple and all(type(part) in (int, str) for part in node):
            return node
        raise SchemaError(f"a node must be a text, an integer or a tuple of these, not a {type(node).__name__}")

    def add_node(self, node_for_adding: Any, **attributes: Any) -> None:
        super().add_node(self._key(node_for_adding), **attributes)

    def add_edge(self, u_of_edge: Any, v_of_edge: Any, **attributes: Any) -> None:
        super().add_edge(self._key(u_of_edge), self._key(v_of_edge), **attributes)

    def _place_of(self, part: GraphDict) -> tuple[Any, ...]:
        """Return where a dict hangs: ("node",), ("node", n), ("edge",), ("edge", u), ("edge", u, v) or ("graph",)."""
        keys: list[Any] = []
        while part._hook is not None:
            part, key = part._hook
            keys.insert(0, key)
        return ("node" if part is self._node else "graph" if part is self.graph else "edge", *keys)

    def _touched(self, entries: list[Entry]) -> list[tuple[Any, ...]]:
        """Return the nodes ("node", n), edges ("edge", u, v) and attributes ("graph", key) that the writes concern."""
        places: dict[tuple[Any, ...], None] = {}
        for part, slot, old in entries:
            keys = [key for key in {**old, **part} if old.get(key) is not part.get(key)] if slot is WHOLE else slot
            for key in keys:
                kind, *place = (*self._place_of(part), key)
                size = 2 if kind == "edge" else 1
                if len(place) >= size:
                    place = place[:size]
                    places[(kind, *(place if self.is_directed() else sorted(place, key=str)))] = None
        return list(places)

    def _changes(self, entries: list[Entry]) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
        """Yield (where, old data, new data) for every node and edge that differs; None stands for absence."""
        before = Before(entries)
        for where in self._touched(entries):
            kind, *place = where
            start = {"node": self._node, "edge": self._adj, "graph": self.graph}[kind]
            old: Any = start
            new: Any = start
            for key in place:
                old = None if old is None else before.get(old, key)
                new = None if new is None else new.get(key)
            old = before.whole(old) if isinstance(old, GraphDict) else old
            new = dict(new) if isinstance(new, GraphDict) else new
            if not same_json(old, new, ordered=False):
                yield where, old, new

    def _reordered(self, entries: list[Entry]) -> bool:
        """Say whether something left and something came: then parts alone do not tell in which order they stand now."""
        left = any(slot is WHOLE for _, slot, _ in entries)
        return left and any(slot is not WHOLE and old is MISSING for _, slot, old in entries)

    def _snapshot_before(self, entries: list[Entry]) -> dict[str, Any]:
        """Return what :func:`graph_snapshot` would have given before the writes."""
        before = Before(entries)
        plain = nx.DiGraph() if self.is_directed() else nx.Graph()
        plain.graph.update(before.whole(self.graph))
        plain.add_nodes_from((node, before.whole(data)) for node, data in before.whole(self._node).items())
        for u, row in before.whole(self._adj).items():
            plain.add_edges_from((u, v, before.whole(data)) for v, data in before.whole(row).items())
        found: dict[str, Any] = graph_snapshot(plain)
        return found

    def _apply(self, where: tuple[Any, ...], data: Any) -> None:
        """Bring one node, edge or attribute to the data given; None removes it."""
        kind, *place = where
        if kind == "graph":
            self.graph.pop(place[0], None) if data is None else self.graph.__setitem__(place[0], data)
        elif data is None:
            present = self.has_node(*place) if kind == "node" else self.has_edge(*place)
            if present:
                (self.remove_node if kind == "node" else self.remove_edge)(*place)
        else:
            (self.add_node if kind == "node" else self.add_edge)(*place)
            attributes = self._node[place[0]] if kind == "node" else self._adj[place[0]][place[1]]
            for key in [key for key in attributes if key not in data]:
                del attributes[key]
            for key, value in data.items():
                if key not in attributes or not same_json(attributes[key], value):
                    attributes[key] = value


class Before:
    """What the dicts of a graph held before a stretch of writes, found from the undo entries alone."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries: dict[int, list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault(id(entry[0]), []).append(entry)

    def get(self, part: GraphDict, key: Any) -> Any:
        """Return what the key held, or None."""
        for _, slot, old in self._entries.get(id(part), ()):
            if slot is WHOLE:
                return old.get(key)
            if slot[0] == key:
                return None if old is MISSING else old
        return part.get(key)

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
    return GRAPH_CLASSES[graph.is_directed()](graph)


def graph_snapshot(graph: Any) -> Any:
    """Return nodes and edges with their attributes, in order, as plain data."""
    return {
        "directed": graph.is_directed(),
        "graph": plain_copy(graph.graph),
        "nodes": [[plain_copy(key_data(node)), plain_copy(data)] for node, data in graph.nodes(data=True)],
        "edges": [[*map(plain_copy, (key_data(u), key_data(v), data))] for u, v, data in graph.edges(data=True)],
    }


def graph_restore(data: Any) -> TrackedGraph:
    """Return the tracked graph for what :func:`graph_snapshot` gave."""
    graph = GRAPH_CLASSES[bool(data["directed"])](**data["graph"])
    graph.add_nodes_from((key_value(node), attributes) for node, attributes in data["nodes"])
    graph.add_edges_from((key_value(u), key_value(v), attributes) for u, v, attributes in data["edges"])
    return graph


def key_data(node: Any) -> Any:
    """Return a node's key as plain data."""
    return list(node) if isinstance(node, tuple) else node


def key_value(data: Any) -> Any:
    """Return a node's key from plain data."""
    return tuple(data) if isinstance(data, list) else data
