"""Inequality and segregation: how unevenly something is shared, and how far groups live apart from each other.

All take plain numbers, pairs or graphs, so that they measure a live world, a run's state, or a table alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import networkx as nx
import numpy as np

from cave_sim.entity.graph_types import Graph


def gini(values: Iterable[float]) -> float:
    """Return how unequally something is shared (Gini 1912): 0 if all have the same; towards 1 if one has everything.

    Args:
        values: what each has, none below 0.

    Returns:
        NaN for nobody, and where there is nothing to share.

    Raises:
        ValueError: somebody has less than nothing.
    """
    given = np.sort(np.asarray(list(values), dtype=float))
    if (given < 0).any():
        raise ValueError("the Gini coefficient is of what people have, which is not below 0")
    if not given.sum():
        return math.nan
    ranks = np.arange(1, len(given) + 1)
    return float((2 * ranks - len(given) - 1) @ given / (len(given) * given.sum()))


def dissimilarity(residents: Iterable[tuple[Hashable, Hashable]], group: Hashable) -> float:
    """Return how unevenly a group is spread over places (Duncan and Duncan 1955): 0 evenly, 1 wholly apart.

    It is the share of the group that would have to move for it to be spread as all others are.

    Args:
        residents: a place and a group for each.
        group: which one; everybody else is the other.

    Returns:
        NaN where one of the two has nobody.
    """
    inside, outside = _counts(residents, group)
    if not inside or not outside:
        return math.nan
    places = inside.keys() | outside.keys()
    return sum(abs(inside[at] / inside.total() - outside[at] / outside.total()) for at in places) / 2


def isolation(residents: Iterable[tuple[Hashable, Hashable]], group: Hashable) -> float:
    """Return the share of the own group at the place of an average member (Bell 1954); its share of all if mixed.

    Args:
        residents: a place and a group for each.
        group: which one.

    Returns:
        NaN where nobody is of the group.
    """
    inside, outside = _counts(residents, group)
    if not inside:
        return math.nan
    return sum(many / inside.total() * many / (many + outside[at]) for at, many in inside.items())


def like_neighbours(graph: Graph, groups: Mapping[Hashable, Hashable]) -> float:
    """Return the mean share of neighbours that are of one's own group, which Schelling's segregation is told by.

    Args:
        graph: who is whose neighbour.
        groups: node -> group; nodes without one are left out.

    Returns:
        NaN where nobody has a neighbour.
    """
    shares = []
    for node in graph:
        near = [groups[other] for other in graph.neighbors(node) if other in groups]
        if node in groups and near:
            shares.append(sum(other == groups[node] for other in near) / len(near))
    return float(np.mean(shares)) if shares else math.nan


def morans_i(graph: Graph, values: Mapping[Hashable, float], weight: str | None = None) -> float:
    """Return how like values are to their neighbours' (Moran 1950): 1 alike, near 0 by chance, -1 as on a chessboard.

    Args:
        graph: who is whose neighbour.
        values: node -> number; nodes without one are left out.
        weight: the attribute of edges that says how near; each counts as one unless given.

    Returns:
        NaN where all values are the same, or nobody has a neighbour.
    """
    among = graph.subgraph([node for node in graph if node in values])
    if not among.number_of_edges():
        return math.nan
    given = np.array([float(values[node]) for node in among])
    apart = given - given.mean()
    if not apart.any():
        return math.nan
    near = nx.to_numpy_array(among, weight=weight)
    return float(len(apart) / near.sum() * (apart @ near @ apart) / (apart @ apart))


def _counts(
    residents: Iterable[tuple[Hashable, Hashable]], group: Hashable
) -> tuple[Counter[Hashable], Counter[Hashable]]:
    inside, outside = Counter[Hashable](), Counter[Hashable]()
    for place, of in residents:
        (inside if of == group else outside)[place] += 1
    return inside, outside
