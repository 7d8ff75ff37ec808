"""The text of a graph in a digest, kept from step to step: what a step wrote is encoded, and nothing else is.

It is byte for byte what encoding the whole graph anew would give (:func:`~cave_sim.entity.graphs.graph_snapshot`, its
parts by name), so digests do not depend on how they came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import msgspec

from cave_sim.entity.graph_form import key_data, key_value, write_attributes
from cave_sim.entity.graphs import TrackedGraph

encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
"""Encodes in the order given; raises TypeError or OverflowError for what needs the standard library, such as 2**70."""


class GraphText:
    """The text of one graph.

    Args:
        graph: as it is now.

    Attributes:
        graph: whose text it is.
    """

    def __init__(self, graph: TrackedGraph) -> None:
        self.graph = graph
        self._is_stale = True
        self._stale_edges: set[tuple[Any, Any]] = set()
        self._places: dict[Any, int] = {}
        self._edges: dict[Any, dict[Any, bytes]] = {}
        self._rows: list[bytes] = []
        self._orders: dict[Any, bytes] = {}
        self._nodes = b""

    def touch(self, where: tuple[Any, ...]) -> None:
        """Note that a part of the graph was written.

        Args:
            where: the path of the change below its field: ``("edge", u, v)``; empty if the graph came anew.
        """
        if len(where) == 3 and where[0] == "edge":
            self._stale_edges.add((key_value(where[1]), key_value(where[2])))
        elif where[:1] != ("graph",):
            self._is_stale = True

    def text(self) -> bytes:
        """Return the JSON; raises TypeError or OverflowError as :data:`encode` does."""
        graph = self.graph
        if not self._is_stale:
            self._is_stale = not self._follow()
        if self._is_stale:
            self._read_anew()
        edges = b",".join(filter(None, self._rows))
        attributes = encode(write_attributes(graph.graph))
        directed = b"true" if graph.is_directed() else b"false"
        parts = b'"directed":', directed, b',"edges":[', edges, b'],"graph":', attributes, b',"nodes":', self._nodes
        return b"".join((b"{", self._order(), *parts, b"}"))

    def _order(self) -> bytes:
        if not self._orders:
            return b""
        rows = [self._orders[node] for node in sorted(self._orders, key=self._places.__getitem__)]
        return b'"$order":[' + b",".join(rows) + b"],"

    def _read_anew(self) -> None:
        adjacency = dict(self.graph.adjacency())
        self._stale_edges.clear()
        self._places = {node: place for place, node in enumerate(adjacency)}
        self._edges = {node: {} for node in adjacency}
        self._rows = [self._row(node, row) for node, row in adjacency.items()]
        self._orders = {}
        self._note_orders(adjacency)
        nodes = self.graph.nodes(data=True)
        self._nodes = encode([[key_data(node), write_attributes(data)] for node, data in nodes])
        self._is_stale = False

    def _follow(self) -> bool:
        """Bring the rows of the edges that were written up to date; returns False if they have nodes that are new."""
        places, edges = self._places, self._edges
        if len(places) != len(self.graph):
            return False
        rows: dict[Any, None] = {}
        for one, other in self._stale_edges:
            if one not in places or other not in places:
                return False
            edges[one].pop(other, None)
            edges[other].pop(one, None)
            rows[one] = rows[other] = None
        self._stale_edges.clear()
        adjacency = self.graph.adj
        for node in rows:
            self._rows[places[node]] = self._row(node, adjacency[node])
        self._note_orders(rows)
        return True

    def _note_orders(self, nodes: Iterable[Any]) -> None:
        """Write down whose neighbours do not stand in the order of the edges, as :data:`ORDER` has it.

        The edges put those that stand before a node first, one after another; of an undirected graph, the rest comes as
        the node itself has it.
        """
        graph, places = self.graph, self._places
        directed = graph.is_directed()
        rows = graph.pred if directed else graph.adj
        for node in nodes:
            others, last = list(rows[node]), len(places) if directed else places[node]
            ranks = [min(places[other], last) for other in others]
            if all(one <= other for one, other in pairwise(ranks)):
                self._orders.pop(node, None)
            else:
                self._orders[node] = encode([key_data(node), [key_data(other) for other in others]])

    def _row(self, node: Any, row: Any) -> bytes:
        """Return the edges that are told of at a node: all that lead from it, but for those told at an earlier one."""
        places, texts, directed = self._places, self._edges[node], self.graph.is_directed()
        place = places[node]
        parts = []
        for other, data in row.items():
            if directed or places[other] >= place:
                text = texts.get(other)
                if text is None:
                    text = texts[other] = encode([key_data(node), key_data(other), write_attributes(data)])
                parts.append(text)
        return b",".join(parts)
