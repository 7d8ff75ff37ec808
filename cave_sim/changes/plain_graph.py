"""A graph as plain data that is written part by part. networkx keeps nodes and edges, and in which order they stand.

What hangs on them stays the plain data that it is in the file: a tracked graph would read every attribute, look whether
a world may hold it, note it for an undo that never comes, and write it again.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from cave_sim.entity.graph_form import graph_form, key_data, key_value, parts_of
from cave_sim.entity.graphs import become


class PlainGraph:
    """A graph opened for writing.

    Args:
        data: the form of a graph; it is not changed.

    Raises:
        LookupError, ValueError, TypeError: it is none.
    """

    def __init__(self, data: Any) -> None:
        self._graph = nx.DiGraph() if data["directed"] else nx.Graph()
        become(self._graph, data, dict)

    def write(self, op: str, place: tuple[Any, ...], data: Any) -> None:
        """Bring one node, edge or attribute to what it is now, or take it out."""
        graph, kind, (first, *more) = self._graph, place[1], map(key_value, place[2:])
        if kind == "graph":
            if op == "delete":
                graph.graph.pop(first, None)
            else:
                graph.graph[first] = data
        elif op == "delete":
            if graph.has_node(first) if kind == "node" else graph.has_edge(first, *more):
                (graph.remove_node if kind == "node" else graph.remove_edge)(first, *more)
        else:
            (graph.add_node if kind == "node" else graph.add_edge)(first, *more)
            attributes = graph.nodes[first] if kind == "node" else graph.edges[(first, *more)]
            for name in attributes.keys() - data.keys():
                del attributes[name]
            attributes.update(data)

    def data(self) -> Any:
        """Return the form of the graph."""
        return graph_form(parts_of(self._graph), key_data, dict)
