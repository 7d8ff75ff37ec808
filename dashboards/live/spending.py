"""What a run's models cost, and how they fare: calls, tokens, money, latency, errors, budgets."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from dashboards.live.overview import has_table
from dashboards.live.source import Source

LATEST = 4_000


def spending(source: Source) -> dict[str, Any]:
    """Return totals by model and by agent, the latest errors, and the budgets of the run."""
    run = source.run
    told: dict[str, Any] = {"calls": 0, "models": [], "agents": [], "errors": [], "budgets": budgets(source)}
    if not has_table(source, "calls"):
        return told | {"known": False}
    models: dict[str, dict[str, Any]] = {}
    agents: Counter[str] = Counter()
    total = int(run.query("SELECT count(*) FROM calls")[0][0])
    sql = "SELECT step, agent, model, reply, error, reused FROM calls ORDER BY call DESC LIMIT ?"
    for step, agent, model, reply, error, reused in run.query(sql, LATEST):
        name = _name(model)
        sums = models.setdefault(name, {"model": name, "calls": 0, "reused": 0, "errors": 0, "latency": []})
        sums["calls"] += 1
        sums["reused"] += bool(reused)
        agents[agent] += 1
        _add(sums, json.loads(reply) if reply else {})
        if error and error != "null":
            sums["errors"] += 1
            if len(told["errors"]) < 20:
                told["errors"].append({"step": step, "agent": agent, "model": name, "text": str(error)[:300]})
    for sums in models.values():
        found = sorted(sums.pop("latency"))
        sums["median_s"] = found[len(found) // 2] if found else None
        sums["slowest_s"] = found[-1] if found else None
    told |= {"known": True, "calls": total, "shown": min(total, LATEST), "models": list(models.values())}
    return told | {"agents": agents.most_common(20)}


def _name(model: str | None) -> str:
    try:
        found = json.loads(model or '""')
    except ValueError:
        found = model
    return str(found.get("name", "") if isinstance(found, dict) else found)


def _add(sums: dict[str, Any], reply: dict[str, Any]) -> None:
    usage = reply.get("usage") or {}
    for key in ("prompt_tokens", "completion_tokens"):
        sums[key] = sums.get(key, 0) + (usage.get(key) or 0)
    sums["cost_usd"] = sums.get("cost_usd", 0.0) + (reply.get("cost_usd") or 0.0)
    if reply.get("latency_s") is not None:
        sums["latency"].append(reply["latency_s"])


def budgets(source: Source) -> list[dict[str, Any]]:
    """Return what the run may spend and has spent, where its journal says so; and when a budget ended it."""
    sql = "SELECT step, kind, data FROM events WHERE kind LIKE 'budget%' ORDER BY entry DESC LIMIT 10"
    found = [{"step": step, "kind": kind, "data": data} for step, kind, data in source.run.query(sql)]
    if has_table(source, "kept"):
        sql = "SELECT step, data FROM kept WHERE kind = 'budget' ORDER BY step DESC LIMIT 1"
        found += [{"step": step, "kind": "spent", "data": data} for step, data in source.run.query(sql)]
    return found
