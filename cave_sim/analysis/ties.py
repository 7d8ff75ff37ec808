"""Ties: who wrote to, read, heard and met whom, as graphs of a run; and what such graphs are like.

They are taken from the journal: from what agents did, and not from what anybody says of it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import combinations
from typing import Any

import networkx as nx
import pandas as pd

from cave_sim.entity.graph_types import DiGraph, Graph
from cave_sim.errors import JournalError
from cave_sim.history.diffusion import contacts
from cave_sim.history.networks import homophily
from cave_sim.journal.queries import all_readings
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_by_step

HEARD = ("heard",)
PLACE = "location"


def written(run: Run) -> DiGraph:
    """Return who wrote whom: an edge from each agent to each other agent whose entity its cells changed.

    Its ``times`` says in how many turns.
    """
    agents = _agents(run)
    turns = {(change.agent, change.entity, change.turn) for change in run.changes() if change.kind == "cell"}
    return _graph((one, other) for one, other, _ in turns if one != other and one in agents and other in agents)


def heard(run: Run, fields: Collection[str] = HEARD) -> DiGraph:
    """Return who was heard by whom: an edge from each agent to each whose ``heard`` its cells wrote into."""
    return _graph((each.source, each.target) for each in contacts(run, fields) if each.text)


def read(run: Run) -> DiGraph:
    """Return who read whom: an edge from each agent to each whose fields that are not for everybody it read."""
    return _graph((agent, entity) for _, _, agent, entity in all_readings(run) if agent != entity)


def met(run: Run, place: str = PLACE) -> Graph:
    """Return who met whom: an edge between two agents for the steps after which both were in one place.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        place: the field that says where somebody is; whoever is nowhere meets nobody.

    Raises:
        JournalError: nobody has such a field.
    """
    agents, pairs, is_known = _agents(run), Counter[tuple[str, str]](), False
    for _, entities in entities_by_step(run):
        where: dict[str, list[str]] = {}
        for name, entity in entities.items():
            if name in agents and place in entity["fields"]:
                is_known = True
                if entity["fields"][place] is not None:
                    where.setdefault(json.dumps(entity["fields"][place], sort_keys=True), []).append(name)
        pairs.update(pair for names in where.values() for pair in combinations(sorted(names), 2))
    if not is_known:
        raise JournalError(f"nobody who acts in {run.folder} has a field {place!r} that says where they are")
    graph = nx.Graph()
    graph.add_edges_from((one, other, {"times": times}) for (one, other), times in pairs.items())
    return graph


KINDS: dict[str, Callable[[Run], Graph]] = {"wrote": written, "read": read, "heard": heard, "met": met}


def degrees(graph: Graph) -> pd.DataFrame:
    """Return a row for each node: its ``degree`` and how many ``times`` its ties came about; directed ones by way."""
    columns = {"degree": dict(graph.degree()), "times": dict(graph.degree(weight="times"))}
    if graph.is_directed():
        columns = {
            "out": dict(graph.out_degree()),
            "in": dict(graph.in_degree()),
            "times_out": dict(graph.out_degree(weight="times")),
            "times_in": dict(graph.in_degree(weight="times")),
        }
    return pd.DataFrame(columns).rename_axis("name").sort_index()


def tie_measures(graph: Graph, traits: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, float]:
    """Return what a graph of ties is like.

    Args:
        graph: such as :func:`heard` returns.
        traits: trait -> (name -> value): ``homophily_TRAIT`` says how much like is tied to like (Newman 2003).

    Returns:
        ``nodes``, ``edges``, ``density``, ``mean_degree``, ``clustering``, ``components``, ``communities`` with their
        ``modularity`` (greedy, Clauset et al. 2004), ``degree_assortativity``, of directed graphs ``reciprocity``; NaN
        where a graph is too small to say.
    """
    if not isinstance(graph, nx.Graph):
        raise JournalError(f"tie_measures({graph!r}): takes a graph of networkx, as heard(run) returns")
    plain, edges = nx.Graph(graph), graph.number_of_edges()
    measured: dict[str, float] = {"nodes": len(graph), "edges": edges, "density": nx.density(graph)}
    measured["mean_degree"] = 2 * plain.number_of_edges() / len(plain) if len(plain) else math.nan
    measured["clustering"] = nx.average_clustering(plain) if len(plain) else math.nan
    measured["components"] = nx.number_connected_components(plain)
    parts = nx.community.greedy_modularity_communities(plain) if edges else []
    measured["communities"] = len(parts)
    measured["modularity"] = nx.community.modularity(plain, parts) if edges else math.nan
    has_spread = len({degree for _, degree in plain.degree() if degree}) > 1
    measured["degree_assortativity"] = nx.degree_pearson_correlation_coefficient(plain) if has_spread else math.nan
    if graph.is_directed():
        measured["reciprocity"] = nx.overall_reciprocity(graph) if edges else math.nan
    return measured | {
        f"homophily_{trait}": homophily(plain, values, trait) for trait, values in (traits or {}).items()
    }


def _agents(run: Run) -> set[str]:
    """Return whose cells ran, and whom something was done by."""
    return {str(name) for (name,) in run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell'")}


def _graph(pairs: Iterable[tuple[str, str]]) -> DiGraph:
    graph = nx.DiGraph()
    graph.add_edges_from((one, other, {"times": times}) for (one, other), times in sorted(Counter(pairs).items()))
    return graph
