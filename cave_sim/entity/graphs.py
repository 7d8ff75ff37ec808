"""A networkx graph in a field: reads and algorithms are networkx's own, writes are noted like any dict's.

networkx builds a graph from dicts that it gets from factories; ours note what is written to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx

from cave_sim.diagnostics.plurals import article
from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.containers import NotedDict
from cave_sim.entity.graph_form import (
    ORDER,
    GraphParts,
    admit_attribute,
    check_attribute_name,
    key_value,
    parts_of,
    read_attributes,
    write_graph,
)
from cave_sim.entity.graph_types import DiGraph, Graph
from cave_sim.entity.home import NOWHERE, Homed, home_of
from cave_sim.entity.undo_log import UndoLog
from cave_sim.entity.values import check_scalar, plain_copy
from cave_sim.errors import SchemaError


class GraphDict(NotedDict):
    """One of the dicts that a tracked graph is made of. It knows the dict and key that it hangs from."""

    __slots__ = ("_epoch", "_graph", "_hook")

    def __init__(self, graph: TrackedGraph, items: Any = ()) -> None:
        dict.__init__(self, items)
        self._graph, self._epoch = graph, 0
        self._hook: tuple[GraphDict, Any] | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(value) is GraphDict and self._holds_dicts():
            key = _node_key(self._graph, key)
            if not self._lists_sources():
                value._hook = (self, key)
        else:
            key, value = (
                _checked(self._graph, check_attribute_name, key),
                _checked(self._graph, admit_attribute, value),
            )
        self._store(key, value)

    def _begin_write(self) -> UndoLog | None:
        return home_of(self._graph).begin_write()

    def _holds_dicts(self) -> bool:
        """Say whether networkx hangs its own dicts here; what holds attributes takes plain data only."""
        graph = self._graph.__dict__
        tables = (graph.get("_adj"), graph.get("_succ"), graph.get("_pred"))
        within = self if self._hook is None else self._hook[0]
        return self is graph.get("_node") or any(within is table for table in tables)

    def _lists_sources(self) -> bool:
        """Say whether this lists who leads to a node of a directed graph: the edges there hang elsewhere, too."""
        return self._hook is not None and self._hook[0] is self._graph.__dict__.get("_pred")

    def copy(self) -> dict[Any, Any]:
        return dict(self)


class TrackedGraph(Homed, Graph):  # type: ignore[misc]
    """An undirected or directed graph that belongs to a field. Made from a plain one by copying it in."""

    _home = NOWHERE

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
        self.add_nodes_from((_node_key(self, node), dict(data)) for node, data in parts.nodes.items())
        self.add_edges_from((_node_key(self, u), _node_key(self, v), dict(data)) for u, v, data in edges)

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

    def add_node(self, node_for_adding: Any, **attributes: Any) -> None:
        super().add_node(_node_key(self, node_for_adding), **attributes)

    def add_edge(self, u_of_edge: Any, v_of_edge: Any, **attributes: Any) -> None:
        super().add_edge(_node_key(self, u_of_edge), _node_key(self, v_of_edge), **attributes)


def _checked(graph: TrackedGraph, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except SchemaError as error:
        raise home_of(graph).refusal(error, "a graph") from None


def _node_key(graph: TrackedGraph, node: Any) -> Any:
    parts = node if type(node) is tuple else (node,)
    if not all(type(part) in (int, str) for part in parts):
        raise SchemaError(f"a node must be a text, an integer or a tuple of these, not {article(type(node).__name__)}")
    for part in parts:
        _checked(graph, check_scalar, part)
    return node


class TrackedDiGraph(TrackedGraph, DiGraph):  # type: ignore[misc]
    """The directed one."""


def table_of(graph: Graph, kind: str) -> GraphDict:
    """Return what networkx hangs the nodes, the edges, the edges by their targets, or the graph's attributes from."""
    tables = graph.__dict__
    table: GraphDict = tables[{"node": "_node", "edge": "_adj", "source": "_pred", "graph": "graph"}[kind]]
    return table


def edge_between(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the nodes of an undirected edge in one order, from whichever side it was come to."""
    return (one, other) if _ranked(one) <= _ranked(other) else (other, one)


def _ranked(node: Any) -> tuple[str, str]:
    return str(node), type(node).__name__


def place_of(part: GraphDict) -> tuple[Any, ...]:
    """Return where in its graph a dict hangs: ("node", n), ("edge", u, v), shorter for what is above, or ("graph",).

    Who leads to a node of a directed graph is under ("source", v, u).
    """
    keys: list[Any] = []
    while (hook := part._hook) is not None:
        part, key = hook
        keys.insert(0, key)
    tables = part._graph.__dict__
    if part is tables["_node"] or part is tables["graph"]:
        return ("node" if part is tables["_node"] else "graph", *keys)
    return ("source" if part is tables.get("_pred") else "edge", *keys)


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
    become(graph, data)
    return graph


def become(graph: Graph, data: Any, read: Callable[[Any], dict[str, Any]] = read_attributes) -> None:
    """Bring a whole graph to what :func:`graph_snapshot` gave of another one.

    Args:
        graph: tracked or not.
        data: the form of the other one.
        read: makes attributes of those in the form.
    """
    graph.clear()
    graph.graph.update(read(data["graph"]))
    graph.add_nodes_from((key_value(node), read(attributes)) for node, attributes in data["nodes"])
    graph.add_edges_from((key_value(u), key_value(v), read(of_edge)) for u, v, of_edge in data["edges"])
    rows = table_of(graph, "source" if graph.is_directed() else "edge")
    for node, neighbours in data.get(ORDER, ()):
        _reorder(rows[key_value(node)], [key_value(other) for other in neighbours])


def _reorder(row: GraphDict, order: list[Any]) -> None:
    """Bring the neighbours of a node into an order; raises ValueError if it does not name them all."""
    if len(order) != len(row) or any(other not in row for other in order):
        raise ValueError("the order of a node's neighbours names others than its neighbours")
    neighbours = {other: row[other] for other in order}
    row.clear()
    row.update(neighbours)


for _kind, _name in (
    (GraphDict, "dict"),
    (TrackedGraph, "networkx.classes.graph.Graph"),
    (TrackedDiGraph, "networkx.classes.digraph.DiGraph"),
):
    told_as(_kind, _name)
