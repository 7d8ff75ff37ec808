"""Cutting a street network into districts: always the same ones, of about equal weight, and each in one piece."""

from collections import Counter
from collections.abc import Mapping

import networkx as nx

from cave_sim.entity.graph_types import Graph

WEIGHT = "length_m"


def cut(graph: Graph, parts: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Return the part of each node, numbered from 0; every part is connected.

    Recursive bisection. Between the two ends of a network, its nodes are put in the order of how much nearer they are
    to one end than to the other, and that order is cut where half of the weight is passed. Corners that are cut off
    from the rest of their part then go to the neighbour that they have most streets to.

    Args:
        graph: connected; its edges have ``length_m``.
        parts: how many, 1 or more, at most one for each node.
        weights: node -> how much it counts for, 1 or more; nodes that are not there count for 1.
    """
    if not 1 <= parts <= len(graph):
        raise ValueError(f"parts={parts}: a network of {len(graph)} nodes is cut into 1 to {len(graph)} parts")
    part_of: dict[int, int] = {}
    _bisect(graph, sorted(graph), 0, parts, weights, part_of)
    while stranded := _stranded(graph, part_of):
        for piece in stranded:
            part_of.update(dict.fromkeys(piece, _neighbour(graph, part_of, piece)))
    return part_of


def _bisect(
    graph: Graph, nodes: list[int], first: int, parts: int, weights: Mapping[int, int], part_of: dict[int, int]
) -> None:
    if parts == 1:
        part_of.update(dict.fromkeys(nodes, first))
        return
    near = parts // 2
    ordered = _from_end_to_end(graph.subgraph(nodes))
    share = sum(weights.get(node, 1) for node in ordered) * near / parts
    passed, middle = 0, 0
    while passed < share and middle < len(ordered) - (parts - near):
        passed, middle = passed + weights.get(ordered[middle], 1), middle + 1
    _bisect(graph, ordered[:middle], first, near, weights, part_of)
    _bisect(graph, ordered[middle:], first + near, parts - near, weights, part_of)


def _from_end_to_end(graph: Graph) -> list[int]:
    """Return the nodes of the largest piece from one end to the other, then whoever is cut off."""
    pieces = _pieces(graph)
    start = _farthest(_metres(graph, pieces[0][0]))
    from_start = _metres(graph, start)
    from_end = _metres(graph, _farthest(from_start))
    ordered = sorted(pieces[0], key=lambda node: (from_start[node] - from_end[node], from_start[node], node))
    return ordered + [node for piece in pieces[1:] for node in piece]


def _stranded(graph: Graph, part_of: Mapping[int, int]) -> list[list[int]]:
    """Return the pieces of parts beside the largest of each."""
    members: dict[int, list[int]] = {}
    for node, part in part_of.items():
        members.setdefault(part, []).append(node)
    return [piece for part in sorted(members) for piece in _pieces(graph.subgraph(members[part]))[1:]]


def _neighbour(graph: Graph, part_of: Mapping[int, int], piece: list[int]) -> int:
    here = part_of[piece[0]]
    streets = Counter(part_of[other] for node in piece for other in graph.adj[node] if part_of[other] != here)
    return min(streets, key=lambda part: (-streets[part], part)) if streets else here


def _pieces(graph: Graph) -> list[list[int]]:
    """Return the connected pieces, the largest first."""
    return sorted((sorted(piece) for piece in nx.connected_components(graph)), key=lambda piece: (-len(piece), piece))


def _metres(graph: Graph, node: int) -> dict[int, float]:
    metres: dict[int, float] = nx.single_source_dijkstra_path_length(graph, node, weight=WEIGHT)
    return metres


def _farthest(metres: Mapping[int, float]) -> int:
    return max(metres, key=lambda node: (metres[node], -node))
