"""Lineage: who acted on what, and which turn read what which other turn had written, as a graph."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import networkx as nx

from cave_sim.entity.graph_types import DiGraph
from cave_sim.history.code_lines import reads
from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import ChangeRow, TurnRow

INSIDE = "$"
"""Entities whose name begins so are the world's own books, and in no graph."""


@of_run
def lineage(run: Run) -> DiGraph:
    """Return the graph of a run, with texts and numbers alone as attributes, as GraphML wants it.

    Nodes are ``agent:NAME``, ``entity:NAME`` and ``turn:NUMBER`` (turns that changed something), with their ``kind``.
    Edges have a ``kind`` too: ``took`` (agent to turn), ``wrote`` (turn to entity, with ``fields`` and how many
    ``changes``), ``read`` (from the turn that wrote a field last to the turn whose cell names it, with ``fields``; of
    a method that was asked, from the turn that wrote its entity last), and ``acted on`` (agent to entity, with how many
    ``changes`` in all).
    """
    graph = nx.DiGraph()
    writers: dict[str, int] = {}
    cells = {turn.turn: turn for turn in run.turns()}
    for number, changes in _by_turn(run.changes()):
        turn = cells[number]
        node = f"turn:{number}"
        graph.add_node(node, kind="turn", step=turn.step, agent=turn.agent, turn_kind=turn.kind, code=turn.code)
        _connect_agent(graph, turn, changes)
        _connect_reads(graph, turn, writers)
        for entity, fields in _written(changes).items():
            graph.add_node(f"entity:{entity}", kind="entity")
            graph.add_edge(node, f"entity:{entity}", kind="wrote", fields=_listed(fields), changes=fields.total())
            writers.update({f"{entity}.{field}": number for field in fields}, **{entity: number})
    return graph


def _by_turn(changes: Iterable[ChangeRow]) -> Iterable[tuple[int, list[ChangeRow]]]:
    turns: dict[int, list[ChangeRow]] = {}
    for change in changes:
        if not change.entity.startswith(INSIDE):
            turns.setdefault(change.turn, []).append(change)
    return turns.items()


def _written(changes: list[ChangeRow]) -> dict[str, Counter[str]]:
    fields_written: dict[str, Counter[str]] = {}
    for change in changes:
        names = [str(change.path[0])] if change.path else list((change.new or change.old or {}).get("fields", ()))
        fields_written.setdefault(change.entity, Counter()).update(names)
    return fields_written


def _connect_agent(graph: DiGraph, turn: TurnRow, changes: list[ChangeRow]) -> None:
    agent = f"agent:{turn.agent}"
    graph.add_node(agent, kind="agent")
    graph.add_edge(agent, f"turn:{turn.turn}", kind="took")
    for entity, count in Counter(change.entity for change in changes).items():
        so_far = graph.get_edge_data(agent, f"entity:{entity}", {"changes": 0})["changes"]
        graph.add_edge(agent, f"entity:{entity}", kind="acted on", changes=so_far + count)


def _connect_reads(graph: DiGraph, turn: TurnRow, writers: dict[str, int]) -> None:
    sources: dict[int, list[str]] = {}
    for name in reads(turn.code, turn.agent) if turn.code else ():
        source = writers.get(name.rpartition(".")[0] if name.endswith("()") else name)
        if source is not None:
            sources.setdefault(source, []).append(name)
    for source, names in sources.items():
        graph.add_edge(f"turn:{source}", f"turn:{turn.turn}", kind="read", fields=_listed(names))


def _listed(names: Iterable[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)
