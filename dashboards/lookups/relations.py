"""Who is tied to whom: the graphs that fields of entities hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.outline import graph_in, outline
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.states import Entities
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.history.wording import value_text, word_text

EDGES_SHOWN = 4_000
FACTS_SHOWN = 100


def relations(reader: JournalReader, step: int) -> dict[str, Any]:
    """Return the graphs of the world at a step, and who is in them; the strongest edges of a large one."""
    entities = outline(reader, step)
    return {"step": step, "graphs": [graph_data(where, graph, entities) for where, graph in graphs(entities)]}


def graph_data(where: str, graph: dict[str, Any], entities: Entities) -> dict[str, Any]:
    """Return a graph as a page draws it: nodes, their titles, and edges, the strongest first."""
    edges: list[list[Any]] = [[str(a), str(b), strength(facts)] for a, b, *_, facts in graph["edges"]]
    edges.sort(key=lambda edge: -float(edge[2]))
    nodes = [str(node[0] if isinstance(node, list) else node) for node in graph["nodes"]]
    titles = {node: title(node, entities[node]["fields"]) for node in nodes if node in entities}
    return {"name": where, "nodes": nodes, "titles": titles, "edges": edges[:EDGES_SHOWN], "all": len(edges)}


def graphs(entities: Entities) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (entity.field, graph) of every field that holds a graph."""
    for name, entity in entities.items():
        for key, value in entity["fields"].items():
            if (graph := graph_in(value)) is not None:
                yield f"{name}.{key}", graph


def ties(entities: Entities, name: str) -> Iterator[dict[str, Any]]:
    """Yield an entity's neighbours in every graph of the world, the strongest first."""
    for where, graph in graphs(entities):
        edges = [(a, b, facts) for a, b, *_, facts in graph["edges"] if name in (a, b)]
        for a, b, facts in sorted(edges, key=lambda edge: -strength(edge[2]))[:40]:
            other = b if a == name else a
            yield {"graph": where, "other": other, "facts": facts_text(facts), "strength": strength(facts)}


def facts_text(facts: Any) -> str:
    """Return what is known of an edge as people say it: ``{"strength": 1.0, "kin": True}`` is "strength 1, kin"."""
    if not isinstance(facts, dict):
        return "" if facts is None else value_text(facts, FACTS_SHOWN)
    parts = []
    for key, value in facts.items():
        words = str(key).replace("_", " ")
        if isinstance(value, bool):
            parts.append(words if value else f"not {words}")
        elif isinstance(value, float):
            parts.append(f"{words} {value:.3g}")
        elif value not in (None, "", [], {}):
            parts.append(f"{words} {word_text(value) if isinstance(value, str) else value_text(value)}")
    return shortened(", ".join(parts), FACTS_SHOWN)


def strength(facts: Any) -> float:
    """Return the number that says how strong an edge is; 1 where none does."""
    if isinstance(facts, dict):
        for key in ("strength", "weight", "value"):
            if isinstance(facts.get(key), (int, float)):
                return float(facts[key])
    return 1.0
