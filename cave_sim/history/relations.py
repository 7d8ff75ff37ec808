"""Who is tied to whom, over time: the edges of the graphs in a run's fields as they come, change and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
import pandas as pd

from cave_sim.entity.graph_types import Graph
from cave_sim.errors import JournalError
from cave_sim.history.field_target import find_target
from cave_sim.history.panel import states
from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_at

Edges = dict[tuple[str, str], dict[str, Any]]
FIRST_COLUMNS = ["step", "graph", "source", "target", "change"]


@of_run
def relations(run: Run, *, graph: str | None = None) -> pd.DataFrame:
    """Return a row for each edge that came, changed or went in a step, in all graphs or in one.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        graph: the field that holds it, such as ``town.relations``; all that hold one if not given.

    Returns:
        ``step``, ``graph``, ``source``, ``target``; ``change``, which is ``came``, ``changed`` or ``went``; and a
        column for each attribute of edges, as it is after that step.
    """
    if graph is not None:
        find_target(run, graph)
    known: dict[str, Edges] = {}
    rows: list[dict[str, Any]] = []
    for step, entities, touched in states(run):
        for name in sorted(touched):
            fields = entities.get(name, {"fields": {}})["fields"]
            for place in sorted({*(f"{name}.{field}" for field in fields), *_of(known, name)}):
                if graph not in (None, place):
                    continue
                data = fields.get(place.partition(".")[2])
                now = _edges(data) if is_graph(data) else {}
                before = known.pop(place, {})
                if now or is_graph(data):
                    known[place] = now
                rows += _differences(step, place, before, now)
    attributes = sorted({key for row in rows for key in row} - {*FIRST_COLUMNS})
    return pd.DataFrame(rows, columns=[*FIRST_COLUMNS, *attributes])


@of_run
def graph_at(run: Run, target: str, step: int | None = None) -> Graph:
    """Return the graph that a field held after a step, the last one if not given.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: the field, such as ``town.relations``.
        step: which step.

    Raises:
        JournalError: there is no such field or step, or it holds no graph.
    """
    place = find_target(run, target)
    entities = entities_at(run, run.last_step if step is None else step)
    return graph_of(entities.get(place.entity, {}).get("fields", {}).get(place.field), target)


@of_run
def graphs_in(run: Run) -> dict[str, Graph]:
    """Return every graph that the fields of entities hold at the end of a run, by entity and field."""
    return {
        f"{name}.{field}": graph_of(data, f"{name}.{field}")
        for name, entity in sorted(entities_at(run, run.last_step).items())
        for field, data in entity["fields"].items()
        if is_graph(data)
    }


def is_graph(data: Any) -> bool:
    """Say whether plain data is that of a graph."""
    return isinstance(data, Mapping) and {"nodes", "edges"} <= data.keys()


def graph_of(data: Any, target: str) -> Graph:
    """Return the graph of plain data; raises JournalError, which names where it lay, if there is none."""
    if not is_graph(data):
        raise JournalError(f"{target} holds no graph")
    graph = nx.DiGraph() if data.get("directed") else nx.Graph()
    graph.add_nodes_from((str(name), dict(about)) for name, about in data["nodes"])
    graph.add_edges_from((str(one), str(other), dict(about)) for one, other, about in data["edges"])
    return graph


def _edges(data: Mapping[str, Any]) -> Edges:
    return {(str(one), str(other)): dict(about) for one, other, about in data["edges"]}


def _of(known: Mapping[str, Edges], entity: str) -> set[str]:
    return {place for place in known if place.partition(".")[0] == entity}


def _differences(step: int, graph: str, before: Edges, now: Edges) -> list[dict[str, Any]]:
    """Return a row for each edge that is not as it was. An undirected edge may be told from its other end."""
    rows = []
    for change, edges in (
        ("went", {edge: before[edge] for edge in before if edge not in now}),
        ("came", {edge: now[edge] for edge in now if edge not in before}),
        ("changed", {edge: about for edge, about in now.items() if edge in before and before[edge] != about}),
    ):
        for (source, target), about in sorted(edges.items(), key=lambda item: item[0]):
            attributes = {key: value for key, value in about.items() if key not in FIRST_COLUMNS}
            rows.append(
                {"step": step, "graph": graph, "source": source, "target": target, "change": change, **attributes}
            )
    return rows
