"""Entities at a step: their fields, what wrote them, and how they are tied to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.live.overview import has_table
from cave_sim.dashboards.live.portrayal import title
from cave_sim.dashboards.live.source import Source
from cave_sim.dashboards.live.turns import feed
from cave_sim.history.blame import blame
from cave_sim.history.target import shown
from cave_sim.journal.rebuild import entities_at

BLAMED = 40
EDGES_SHOWN = 4_000
AGENT_PARTS = {"plan": "Plan", "diary": "Memories", "memories": "Memories", "heard": "Heard", "learned": "Learned"}

Entities = dict[str, dict[str, Any]]


def entity(source: Source, name: str, step: int) -> dict[str, Any]:
    """Return an entity at a step: its fields, its ties, and for an agent its variables, costs and last turns.

    Raises:
        JournalError: it is not in the world at that step.
    """
    entities = state(source, step)
    if name not in entities:
        raise JournalError(f"{name} is not in the world at step {step}")
    fields = entities[name]["fields"]
    told = {"name": name, "type": entities[name]["type"], "title": title(name, fields), "step": step}
    told["fields"] = [_field(key, value) for key, value in fields.items()]
    told["ties"] = list(ties(entities, name))
    told["acts"] = bool(source.run.query("SELECT 1 FROM turns WHERE agent = ? AND kind = 'cell' LIMIT 1", name))
    if told["acts"]:
        told |= {"variables": variables(source, name, step), "costs": costs(source, name)}
        told["turns"] = feed(source, {"agent": name}, step, 12)["turns"]
    return told


def state(source: Source, step: int) -> Entities:
    """Return every entity at a step; the last few steps that were asked for are kept."""
    kept: dict[int, Entities] = source.kept
    if step not in kept:
        while len(kept) >= 3:
            del kept[next(iter(kept))]
        kept[step] = entities_at(source.run, step)
    return kept[step]


def _field(key: str, value: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"name": key, "shown": shown(value, 90)}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        told["number"] = value
    if isinstance(value, dict) and set(value) == {"$ref"}:
        told["link"] = value["$ref"]
    elif isinstance(value, list) and value and all(not isinstance(item, (dict, list)) for item in value):
        told["items"] = [shown(item, 400).strip('"') for item in value[:60]]
    elif _graph(graph := value.get("data", value) if isinstance(value, dict) else value):
        told["shown"] = f"a graph: {len(graph['nodes']):,} nodes, {len(graph['edges']):,} edges"
    elif isinstance(value, dict) and value:
        told["pairs"] = [[key, shown(item, 400).strip('"')] for key, item in list(value.items())[:60]]
    return told


def _graph(value: Any) -> bool:
    return isinstance(value, dict) and {"nodes", "edges"} <= value.keys()


def graphs(entities: Entities) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (entity.field, graph) of every field that holds a graph."""
    for name, made in entities.items():
        for key, value in made["fields"].items():
            graph = value.get("data", value) if isinstance(value, dict) else value
            if _graph(graph):
                yield f"{name}.{key}", graph


def ties(entities: Entities, name: str) -> Iterator[dict[str, Any]]:
    """Yield an entity's neighbours in every graph of the world, the strongest first."""
    for where, graph in graphs(entities):
        found = [(a, b, facts) for a, b, *_, facts in graph["edges"] if name in (a, b)]
        for a, b, facts in sorted(found, key=lambda edge: -_strength(edge[2]))[:40]:
            other = b if a == name else a
            yield {"graph": where, "other": other, "facts": shown(facts, 100), "strength": _strength(facts)}


def relations(source: Source, step: int) -> dict[str, Any]:
    """Return the graphs of the world at a step, and who is in them; the strongest edges of a large one."""
    entities = state(source, step)
    found = []
    for where, graph in graphs(entities):
        edges = [[str(a), str(b), _strength(facts), shown(facts, 80)] for a, b, *_, facts in graph["edges"]]
        edges.sort(key=lambda edge: -float(edge[2]))
        nodes = [str(node[0] if isinstance(node, list) else node) for node in graph["nodes"]]
        titles = {node: title(node, entities[node]["fields"]) for node in nodes if node in entities}
        found.append({"name": where, "nodes": nodes, "titles": titles, "edges": edges[:EDGES_SHOWN], "all": len(edges)})
    return {"step": step, "graphs": found}


def _strength(facts: Any) -> float:
    """Return the number that says how strong an edge is; 1 where none does."""
    if isinstance(facts, dict):
        for key in ("strength", "weight", "value"):
            if isinstance(facts.get(key), (int, float)):
                return float(facts[key])
    return 1.0


def variables(source: Source, agent: str, step: int) -> list[dict[str, Any]] | None:
    """Return an agent's own variables at a step; None where the journal does not keep them."""
    if not has_table(source, "kept"):
        return None
    kept = source.run.kept(step).get((agent, "variables")) or {}
    return [_field(key, _bare(value)) for key, value in kept.items()]


def _bare(value: Any) -> Any:
    """Return a kept variable as the value itself where it is plain."""
    if isinstance(value, dict) and len(value) == 1:
        (key, inner), *_ = value.items()
        return inner if key in ("$data", "$source") else value
    return value


def costs(source: Source, agent: str) -> dict[str, Any]:
    """Return what an agent's turns came to: how many, how they ended, real seconds, and what `usage` adds up to."""
    sql = "SELECT status, count(*), sum(duration_s) FROM turns WHERE agent = ? AND kind = 'cell' GROUP BY status"
    rows = source.run.query(sql, agent)
    sql = """SELECT each.key, sum(each.value) FROM turns, json_each(turns.usage) AS each
             WHERE agent = ? AND usage IS NOT NULL AND each.type IN ('integer', 'real') GROUP BY each.key"""
    return {
        "turns": {status: number for status, number, _ in rows},
        "seconds": sum(seconds for _, _, seconds in rows),
        "usage": dict(source.run.query(sql, agent)),
    }


def writers(source: Source, target: str, step: int) -> dict[str, Any]:
    """Return who gave a value its latest contents, newest first."""
    found = blame(source.run, target, at=step, last=BLAMED)
    told = []
    for written in reversed(found):
        data = written.to_data() | {"old": shown(written.old, 300), "new": shown(written.new, 300)}
        told.append(data)
    return {"target": target, "step": step, "written": told}
