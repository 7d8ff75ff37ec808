"""Forms of networkx graphs, with the order of nodes, edges and neighbours."""

from __future__ import annotations

from typing import Any

import networkx as nx

from cave_sim.entity.graphs import TrackedDiGraph, TrackedGraph
from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.set_order import is_plain

_CLASSES = {False: nx.Graph, True: nx.DiGraph}


def _write_network(network: Any, see: See) -> Any:
    if type(network) not in (nx.Graph, nx.DiGraph, TrackedGraph, TrackedDiGraph):
        raise SchemaError(f"a {type(network).__name__} cannot be kept; a Graph or a DiGraph can")
    if not all(map(is_plain, network)):
        raise SchemaError("a graph whose nodes are objects cannot be kept; use texts or numbers as nodes")
    if "_graph" in vars(network):
        raise SchemaError("a view of a graph cannot be kept: keep its copy()")
    numbers = {node: number for number, node in enumerate(network)}
    content: dict[str, Any] = {
        "directed": network.is_directed(),
        "graph": see(network.graph),
        "nodes": [[see(node), see(attributes)] for node, attributes in network.nodes.items()],
        "edges": [
            [numbers[one], numbers[other], see(attributes)]
            for one, row in network.adjacency()
            for other, attributes in row.items()
            if network.is_directed() or numbers[one] <= numbers[other]
        ],
        "next": [[numbers[other] for other in row] for _, row in network.adjacency()],
    }
    if network.is_directed():
        content["before"] = [[numbers[other] for other in row] for row in network.pred.values()]
    return content


def _make_network(content: Any, reader: Any) -> Any:
    network: Any = _CLASSES[content["directed"] is True]()

    def gather() -> None:
        graph = reader.read(content["graph"])
        nodes = [(reader.read(node), reader.read(attributes)) for node, attributes in content["nodes"]]
        edges = {(one, other): reader.read(attributes) for one, other, attributes in content["edges"]}
        reader.check_keys([node for node, _ in nodes])
        reader.later(lambda: _fill(network, content, graph, nodes, edges), last=True)

    reader.later(gather)
    return network


def _fill(network: Any, content: Any, graph: Any, nodes: Any, edges: Any) -> None:
    keys = [node for node, _ in nodes]
    if not all(type(attributes) is dict for attributes in (graph, *(each for _, each in nodes), *edges.values())):
        raise Malformed("attributes of a graph that are no dict")
    network.graph = graph
    network._node.update(nodes)
    directed = network.is_directed()

    def edge(one: int, other: int) -> Any:
        return edges[(one, other) if directed or (one, other) in edges else (other, one)]

    for one, row in enumerate(content["next"]):
        network._adj[keys[one]] = {keys[other]: edge(one, other) for other in row}
    if directed:
        for one, row in enumerate(content["before"]):
            network._pred[keys[one]] = {keys[other]: edge(other, one) for other in row}
    if len(network._adj) != len(keys) or sum(map(len, content["next"])) != _ends(edges, directed):
        raise Malformed("a graph whose edges do not fit its nodes")


def _ends(edges: Any, directed: bool) -> int:
    return len(edges) if directed else sum(1 if one == other else 2 for one, other in edges)


NETWORK = Form("$network", _write_network, _make_network)
