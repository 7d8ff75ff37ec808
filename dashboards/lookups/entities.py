"""Entities at a step: their fields, what wrote them, and how they are tied to each other."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.outline import graph_in, outline
from cave_sim.dashboards.lookups.overview import has_table
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.relations import ties
from cave_sim.dashboards.lookups.turns import feed
from cave_sim.errors import did_you_mean
from cave_sim.history.blame import blame
from cave_sim.history.wording import value_text
from cave_sim.runtime.graph.shape import statements_in, value_of

BLAMED = 40


def entity(reader: JournalReader, name: str, step: int) -> dict[str, Any]:
    """Return an entity at a step: its fields, its ties, and for an agent its variables, costs and last turns.

    Raises:
        JournalError: it is not in the world at that step.
    """
    entities = outline(reader, step, name)
    if name not in entities:
        raise JournalError(f"{name} is not in the world at step {step}{_since_when(reader, name, step)}")
    fields = entities[name]["fields"]
    data = {"name": name, "type": entities[name]["type"], "title": title(name, fields), "step": step}
    data["fields"] = [field_data(key, value) for key, value in fields.items()]
    data["ties"] = list(ties(entities, name))
    acted = "SELECT 1 FROM turns WHERE agent = ? AND kind = 'cell' LIMIT 1"
    data["acts"] = any(run.query(acted, name) for _, run in reader.acting)
    if data["acts"]:
        data |= {"variables": variables(reader, name, step), "costs": costs(reader, name)}
        data["turns"] = feed(reader, {"agent": name}, step, 12)["turns"]
    return data


def field_data(key: str, value: Any) -> dict[str, Any]:
    """Return what a page shows of a field: a text, and its number, link, items or pairs where it has such."""
    if (graph := graph_in(value)) is not None:
        return {"name": key, "shown": f"a graph: {len(graph['nodes']):,} nodes, {len(graph['edges']):,} edges"}
    data: dict[str, Any] = {"name": key, "shown": value_text(value, 90)}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        data["number"] = value
    if isinstance(value, dict) and set(value) == {"$ref"}:
        data["link"] = value["$ref"]
    elif isinstance(value, list) and value and all(not isinstance(item, (dict, list)) for item in value):
        data["items"] = [value_text(item, 400).strip('"') for item in value[:60]]
    elif isinstance(value, dict) and value:
        data["pairs"] = [[key, value_text(item, 400).strip('"')] for key, item in list(value.items())[:60]]
    return data


def variables(reader: JournalReader, agent: str, step: int) -> list[dict[str, Any]] | None:
    """Return an agent's own variables at a step; None where the journal does not keep them."""
    if not has_table(reader, "kept"):
        return None
    data_by_run = (run.private_data(step).get((agent, "variables")) or {} for _, run in reader.acting)
    namespace: dict[str, Any] = next(filter(None, data_by_run), {})
    return [field_data(key, bare(value)) for key, value in namespace.items()]


def bare(value: Any) -> Any:
    """Return a kept variable as the value itself where it is plain."""
    plain = value_of(value)
    if isinstance(plain, dict) and len(plain) == 1:
        (tag, inner), *_ = plain.items()
        heap = value.get("$heap", {}) if isinstance(value, dict) else {}
        return heap.get(inner, inner) if tag == "$see" else next(statements_in(value), plain)
    return plain


def costs(reader: JournalReader, agent: str) -> dict[str, Any]:
    """Return what an agent's turns came to: how many, how they ended, real seconds, and what `usage` adds up to."""
    sql = "SELECT status, count(*), sum(duration_s) FROM turns WHERE agent = ? AND kind = 'cell' GROUP BY status"
    rows = [row for _, run in reader.acting for row in run.query(sql, agent)]
    sql = """SELECT each.key, sum(each.value) FROM turns, json_each(turns.usage) AS each
             WHERE agent = ? AND usage IS NOT NULL AND each.type IN ('integer', 'real') GROUP BY each.key"""
    turns, usage = Counter[str](), Counter[str]()
    for status, number, _ in rows:
        turns[status] += number
    for _, run in reader.acting:
        usage.update(dict(run.query(sql, agent)))
    return {"turns": dict(turns), "seconds": sum(seconds for _, _, seconds in rows), "usage": dict(usage)}


def _since_when(reader: JournalReader, name: str, step: int) -> str:
    """Return the rest of a sentence about somebody who is not there: when they come, or left; who else there is."""
    sql = """SELECT (SELECT min(step) FROM steps WHERE last_turn >= changes.turn), op FROM changes
             WHERE entity = ? AND op IN ('create', 'remove') ORDER BY turn, position"""
    known = sorted(row for _, run in reader.acting for row in run.query(sql, name) if row[0] is not None)
    if coming := [at for at, op in known if op == "create" and at > step]:
        return f": it comes in step {coming[0]}, so move the time on"
    if removals := [at for at, op in known if op == "remove" and at <= step]:
        return f": it left in step {removals[-1]}, so move the time back"
    way = did_you_mean(name, reader.timeline.types) or " Choose somebody on the map, or find them above."
    return f", nor at any other.{way}"


def writers(reader: JournalReader, target: str, step: int) -> dict[str, Any]:
    """Return who gave a value its latest contents, newest first."""
    chain = [
        written.to_data() | {"old": value_text(written.old, 300), "new": value_text(written.new, 300)}
        for written in reversed(blame(reader.run, target, at=step, last=BLAMED))
    ]
    return {"target": target, "step": step, "written": chain}
