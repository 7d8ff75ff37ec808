"""Networks over time: how a graph in a field grows, clusters and sorts people, and how an attitude divides them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import networkx as nx
import pandas as pd

from cave_sim.entity.graph_types import Graph
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.history.field_target import find_target
from cave_sim.history.relations import graph_of
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import state_hashes
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import Entities, entities_at


@of_run
def networks(
    run: Run, target: str, *, every: int = 1, by: Sequence[str] = (), weight: str = "strength"
) -> pd.DataFrame:
    """Return what a network was like, step by step.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: the field that holds a graph whose nodes are names of entities: ``town.relations``.
        every: so many steps lie between two rows; the last step is always there.
        by: fields of the nodes' entities by which people may sort themselves, such as ``job`` or ``age``.
        weight: the attribute of an edge whose mean is told, where edges have it.

    Returns:
        Indexed by step: ``nodes``, ``edges``, ``density`` (0 to 1), ``mean_strength``, ``clustering`` (the mean of
        local coefficients), ``components``, ``communities`` and their ``modularity`` (greedy, Clauset et al. 2004),
        for directed graphs ``reciprocity``; for each field in ``by`` ``homophily_FIELD``: assortativity from -1 to 1
        (Newman 2003), by value for numbers, by equality for others; NaN where all those with ties are alike.

    Raises:
        JournalError: there is no such field, it holds no graph, or nobody has one of the fields.
    """
    place = find_target(run, target)
    steps = [step for number, step in enumerate(state_hashes(run)) if number % max(1, every) == 0]
    last = run.last_step
    rows = {}
    for step in dict.fromkeys([*steps, last]):
        entities = entities_at(run, step)
        graph_data = entities.get(place.entity, {}).get("fields", {}).get(place.field)
        if graph_data is not None:
            rows[step] = _described(graph_of(graph_data, target), entities, by, weight)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("step")


def polarisation(values: Iterable[float], low: float, high: float) -> float:
    """Return how divided opinions are: their variance as a share of the largest that the scale allows.

    Args:
        values: one for each person, between the ends of the scale.
        low: one end of the scale.
        high: the other one.

    Returns:
        0 if all agree, 1 if one half stands at each end; NaN for nobody.
    """
    given = list(values)
    return statistics.pvariance(given) / ((high - low) / 2) ** 2 if given else float("nan")


def _described(graph: Graph, entities: Entities, by: Sequence[str], weight: str) -> dict[str, float]:
    figures: dict[str, float] = {"nodes": len(graph), "edges": graph.number_of_edges(), "density": nx.density(graph)}
    weights = [about[weight] for _, _, about in graph.edges(data=True) if weight in about]
    if weights:
        figures[f"mean_{weight}"] = statistics.fmean(weights)
    plain = nx.Graph(graph)
    figures["clustering"] = nx.average_clustering(plain) if len(plain) else 0.0
    figures["components"] = nx.number_connected_components(plain)
    if plain.number_of_edges():
        communities = nx.community.greedy_modularity_communities(plain)
        figures |= {"communities": len(communities), "modularity": nx.community.modularity(plain, communities)}
    if graph.is_directed():
        figures["reciprocity"] = nx.overall_reciprocity(graph) if graph.number_of_edges() else float("nan")
    return figures | {f"homophily_{field}": homophily(plain, _traits(plain, entities, field)) for field in by}


def _traits(graph: Graph, entities: Entities, field: str) -> dict[str, Any]:
    """Return node -> value of a field, of those who have it."""
    values = {
        name: entities[name]["fields"][field] for name in graph if field in entities.get(name, {}).get("fields", ())
    }
    if not values:
        known = sorted({each for name in graph for each in entities.get(name, {}).get("fields", ())})
        raise JournalError(f"nobody in the network has a field {field!r}.{did_you_mean(field, known)}")
    return values


def homophily(graph: Graph, values: Mapping[str, Any], name: str = "trait") -> float:
    """Return how much like is tied to like: assortativity from -1 to 1 (Newman 2003).

    Args:
        graph: without directions.
        values: node -> value, compared by value for numbers and by equality for others; nodes without one are left out.
        name: what the values are called.

    Returns:
        NaN where all those with ties are alike.
    """
    among = graph.edge_subgraph(edge for edge in graph.edges if values.keys() >= set(edge)).copy()
    is_numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values.values())
    shown = {node: values[node] if is_numeric else repr(values[node]) for node in among}
    if len(set(shown.values())) < 2:
        return float("nan")
    nx.set_node_attributes(among, shown, name)
    measure = nx.numeric_assortativity_coefficient if is_numeric else nx.attribute_assortativity_coefficient
    return float(measure(among, name))
