"""What a run's models cost, and how they fare: calls, tokens, money, latency, errors, and what may be spent."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from cave_sim.dashboards.live.overview import has_table
from cave_sim.dashboards.live.source import Source

LATEST = 4_000
ERRORS_SHOWN = AGENTS_SHOWN = 20
LIMITED = ("calls", "tokens", "money_usd", "seconds")


def spending(source: Source) -> dict[str, Any]:
    """Return totals by model and by agent, the latest errors, and spendings beside their limits."""
    told: dict[str, Any] = {"calls": 0, "shown": 0, "models": [], "errors": [], "kinds": {}}
    told |= {"books": books(source), "agents": by_agent(source), "notes": notes(source)}
    if not has_table(source, "calls"):
        return told
    models: dict[str, Model] = {}
    kinds: Counter[str] = Counter()
    sql = "SELECT step, agent, model, reply, error, reused, retry FROM calls ORDER BY call DESC LIMIT ?"
    for step, agent, model, reply, error, reused, retry in source.run.query(sql, LATEST):
        name = _name(model)
        sums = models.setdefault(name, Model(name))
        sums.add(_read(reply), reused=bool(reused), retried=retry > 0)
        if failure := _read(error):
            sums.sums["errors"] += 1
            kinds[failure.get("kind", "")] += 1
            if len(told["errors"]) < ERRORS_SHOWN:
                text = str(failure.get("message", ""))[:300]
                told["errors"].append({"step": step, "agent": agent, "model": name, "text": text})
    total = int(source.run.query("SELECT count(*) FROM calls")[0][0])
    told |= {"calls": total, "shown": min(total, LATEST), "models": [sums.told() for sums in models.values()]}
    return told | {"kinds": dict(kinds)}


class Model:
    """Adds up the calls of one model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sums: Counter[str] = Counter()
        self.cost_usd = 0.0
        self.latencies_s: list[float] = []

    def add(self, reply: dict[str, Any], *, reused: bool, retried: bool) -> None:
        """Count a call and what its reply says of itself."""
        usage = reply.get("usage") or {}
        self.sums.update(calls=1, reused=reused, retried=retried)
        self.sums.update({key: usage.get(key) or 0 for key in ("prompt_tokens", "completion_tokens")})
        self.cost_usd += reply.get("cost_usd") or 0.0
        if reply.get("latency_s") is not None:
            self.latencies_s.append(reply["latency_s"])

    def told(self) -> dict[str, Any]:
        """Return the sums; latencies in seconds, None where no reply came."""
        known = ("calls", "reused", "retried", "prompt_tokens", "completion_tokens", "errors")
        told = {"model": self.name, **{key: self.sums[key] for key in known}, "cost_usd": self.cost_usd}
        found = sorted(self.latencies_s)
        return told | {"median_s": found[len(found) // 2] if found else None, "slowest_s": found[-1] if found else None}


def _name(model: str | None) -> str:
    try:
        found = json.loads(model or '""')
    except ValueError:
        found = model
    return str(found.get("name", "") if isinstance(found, dict) else found)


def _read(text: str | None) -> dict[str, Any]:
    return (json.loads(text) if text else None) or {}


def books(source: Source) -> list[dict[str, Any]]:
    """Return what was spent of calls, tokens, US dollars and seconds, and what may be, None for no limit."""
    spent, limits = _spent(source).get("run") or {}, source.run.manifest.get("limits") or {}
    return [
        {"of": key, "spent": spent.get(key, 0), "limit": limits.get(key)}
        for key in LIMITED
        if spent.get(key) or limits.get(key) is not None
    ]


def by_agent(source: Source) -> list[dict[str, Any]]:
    """Return who spent how much, the largest first."""
    found = [{"agent": agent, **spent} for agent, spent in (_spent(source).get("agents") or {}).items()]
    return sorted(found, key=lambda each: (-each["tokens"], each["agent"]))[:AGENTS_SHOWN]


def _spent(source: Source) -> dict[str, Any]:
    if not has_table(source, "kept"):
        return {}
    rows = source.run.query("SELECT data FROM kept WHERE kind = 'budget' AND agent = '' ORDER BY step DESC LIMIT 1")
    return dict(json.loads(rows[0][0]).get("spent") or {}) if rows else {}


def notes(source: Source) -> list[dict[str, Any]]:
    """Return what the run noted of budgets that were reached, and of agents that are no longer asked."""
    sql = """SELECT step, kind, data FROM events WHERE kind IN ('budget_reached', 'quarantined')
             ORDER BY entry DESC LIMIT 10"""
    found = []
    for step, kind, data in source.run.query(sql):
        told = json.loads(data)
        failed = f"{told.get('agent')} met {told.get('failures')} failures in a row and is not asked again"
        said = told.get("message") or failed
        found.append({"step": step, "kind": kind, "text": str(said)[:400]})
    return found
