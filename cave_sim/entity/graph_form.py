"""The plain data that a graph is written as: its attributes, nodes and edges, in the order that iteration shows.

The neighbours of a node mostly stand in the order of the edges; where they do not, the form says so under ``$order``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from typing import Any, NamedTuple

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.field import Field
from cave_sim.entity.frozen import frozen
from cave_sim.entity.graph_types import Graph
from cave_sim.entity.nested_types import PlainType
from cave_sim.entity.values import check_text, plain_copy
from cave_sim.errors import SchemaError

Row = Mapping[Any, Mapping[str, Any]]
"""The neighbours of one node, each with the attributes of the edge."""

ORDER = "$order"
"""Holds the nodes whose neighbours stand otherwise than the edges alone would put them, with these in their order."""
_PARTS = frozenset({"directed", "graph", "nodes", "edges"})
_FORMS = (_PARTS, _PARTS | {ORDER})

_PLAIN = PlainType(Any, Field())


class GraphParts(NamedTuple):
    """What a graph is made of, as dicts.

    Attributes:
        directed: whether its edges have a direction.
        attributes: of the graph itself.
        nodes: node -> its attributes.
        rows: node -> its neighbours; of a directed graph, those that its edges lead to.
        sources: of a directed graph, node -> those whose edges lead to it; empty otherwise.
    """

    directed: bool
    attributes: Mapping[str, Any]
    nodes: Mapping[Any, Mapping[str, Any]]
    rows: Mapping[Any, Row]
    sources: Mapping[Any, Row]


def parts_of(graph: Graph) -> GraphParts:
    """Return what a graph of networkx's is made of; nothing is copied."""
    directed = graph.is_directed()
    sources = dict(graph.pred.items()) if directed else {}
    return GraphParts(directed, graph.graph, dict(graph.nodes(data=True)), dict(graph.adjacency()), sources)


def write_graph(parts: GraphParts) -> dict[str, Any]:
    """Return the form of a graph; raises SchemaError for what no graph in a world may hold."""
    return graph_form(parts, lambda node: plain_copy(key_data(node)), write_attributes)


def graph_form(
    parts: GraphParts, write_key: Callable[[Any], Any], write_all: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Return the form of a graph, its nodes' keys and all attributes of something each written by a function."""
    edges = list(_edges(parts))
    form = {
        "directed": parts.directed,
        "graph": write_all(parts.attributes),
        "nodes": [[write_key(node), write_all(data)] for node, data in parts.nodes.items()],
        "edges": [[write_key(u), write_key(v), write_all(data)] for u, v, data in edges],
    }
    if order := _unusual_rows(parts, edges):
        form[ORDER] = [[key_data(node), [key_data(other) for other in others]] for node, others in order]
    return form


def parts_by_name(data: dict[str, Any]) -> dict[str, Any]:
    """Return the form of a graph with its parts sorted by name, however a file has them; other dicts as they are."""
    if data.keys() in _FORMS and _is_form(**{part: data[part] for part in _PARTS}):
        return {part: data[part] for part in sorted(data)}
    return data


def _is_form(directed: Any, graph: Any, nodes: Any, edges: Any) -> bool:
    """Say whether these are the parts of a graph, and not what somebody's dict has by the same names."""
    if type(directed) is not bool or type(graph) is not dict or type(nodes) is not list or type(edges) is not list:
        return False
    return all(map(_is_row, nodes, repeat(2))) and all(map(_is_row, edges, repeat(3)))


def _is_row(row: Any, width: int) -> bool:
    return type(row) is list and len(row) == width and type(row[-1]) is dict


def _edges(parts: GraphParts) -> Iterable[tuple[Any, Any, Mapping[str, Any]]]:
    """Yield every edge once, from node to node, as networkx does."""
    seen = set()
    for node, row in parts.rows.items():
        for other, data in row.items():
            if parts.directed or other not in seen:
                yield node, other, data
        seen.add(node)


def _unusual_rows(parts: GraphParts, edges: list[tuple[Any, Any, Any]]) -> list[tuple[Any, list[Any]]]:
    """Return the nodes whose neighbours stand otherwise than the edges alone, added one by one, would put them."""
    rows = parts.sources if parts.directed else parts.rows
    usual: dict[Any, list[Any]] = {node: [] for node in rows}
    for u, v, _ in edges:
        usual[v].append(u)
        if not parts.directed and u != v:
            usual[u].append(v)
    return [(node, list(row)) for node, row in rows.items() if list(row) != usual[node]]


def admit_attribute(value: Any) -> Any:
    """Return an attribute's value as it is kept, its containers frozen; raises SchemaError."""
    return frozen(plain_copy(value))


def check_attribute_name(name: Any) -> str:
    """Return the name of an attribute; raises SchemaError if it is no text that a file can hold."""
    if type(name) is not str:
        raise SchemaError(f"the name of a graph's attribute must be a text, not {article(type(name).__name__)}")
    check_text(name)
    return name


def write_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a graph, node or edge as plain data."""
    return {check_attribute_name(name): write_attribute(value) for name, value in attributes.items()}


def write_attribute(value: Any) -> Any:
    """Return an attribute's value as plain data."""
    return _PLAIN.encode(plain_copy(value))


def read_attribute(data: Any) -> Any:
    """Return an attribute's value for what :func:`write_attribute` gave."""
    return frozen(_PLAIN.decode(data))


def read_attributes(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes for what :func:`write_attributes` gave."""
    return {name: read_attribute(value) for name, value in data.items()}


def key_data(node: Any) -> Any:
    """Return a node's key as plain data."""
    return list(node) if isinstance(node, tuple) else node


def key_value(data: Any) -> Any:
    """Return a node's key from plain data."""
    return tuple(data) if isinstance(data, list) else data
