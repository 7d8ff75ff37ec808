"""What a run's models cost, and how they fare: calls, tokens, money, latency, errors, and what may be spent."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import has_table

LATEST = 4_000
ERRORS_SHOWN = AGENTS_SHOWN = 20
PACE_STEPS = 24
LIMITED = ("calls", "tokens", "money_usd", "seconds")


def spending(reader: JournalReader) -> dict[str, Any]:
    """Return totals by model and by agent, the latest errors, and spendings beside their limits."""
    totals: dict[str, Any] = {"calls": 0, "shown": 0, "models": [], "errors": [], "kinds": {}}
    totals |= {"books": books(reader), "agents": by_agent(reader), "notes": notes(reader), "pace": None}
    if not has_table(reader, "calls"):
        return totals
    models: dict[str, ModelUse] = {}
    kinds: Counter[str] = Counter()
    sql = "SELECT step, agent, model, reply, error, reused, retry FROM calls ORDER BY call DESC LIMIT ?"
    for step, agent, model, reply, error, reused, retry in reader.run.query(sql, LATEST):
        name = _name(model)
        sums = models.setdefault(name, ModelUse(name))
        sums.add(_read(reply), reused=bool(reused), retried=retry > 0)
        if failure := _read(error):
            sums.sums["errors"] += 1
            kinds[failure.get("kind", "")] += 1
            if len(totals["errors"]) < ERRORS_SHOWN:
                text = str(failure.get("message", ""))[:300]
                totals["errors"].append({"step": step, "agent": agent, "model": name, "text": text})
    total = int(reader.run.query("SELECT count(*) FROM calls")[0][0])
    totals |= {"calls": total, "shown": min(total, LATEST), "models": [sums.to_data() for sums in models.values()]}
    return totals | {"kinds": dict(kinds), "pace": pace(reader)}


def pace(reader: JournalReader) -> dict[str, float] | None:
    """Return what a step came to lately: calls, tokens and US dollars, the mean of the last steps; None before one."""
    (first, last), *_ = reader.run.query("SELECT min(step), max(step) FROM steps")
    if last is None or last <= first:
        return None
    steps = min(PACE_STEPS, last - first)
    sql = """SELECT count(*), sum(json_extract(reply, '$.usage.prompt_tokens')
             + json_extract(reply, '$.usage.completion_tokens')), sum(json_extract(reply, '$.cost_usd'))
             FROM calls WHERE step >= ? AND step < ?"""  # a call is of the step that its clock shows
    ((calls, tokens, money_usd),) = reader.run.query(sql, last - steps, last)
    per_step = {"calls": calls, "tokens": tokens or 0, "money_usd": money_usd or 0.0}
    return {"steps": steps} | {name: value / steps for name, value in per_step.items()}


class ModelUse:
    """Adds up the calls of one model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sums: Counter[str] = Counter()
        self.cost_usd: float = 0.0
        self.latencies_s: list[float] = []

    def add(self, reply: dict[str, Any], *, reused: bool, retried: bool) -> None:
        """Count a call and what its reply says of itself."""
        usage = reply.get("usage") or {}
        self.sums.update(calls=1, reused=reused, retried=retried)
        self.sums.update({key: usage.get(key) or 0 for key in ("prompt_tokens", "completion_tokens")})
        self.cost_usd += reply.get("cost_usd") or 0.0
        if reply.get("latency_s") is not None:
            self.latencies_s.append(reply["latency_s"])

    def to_data(self) -> dict[str, Any]:
        """Return the sums; latencies in seconds, None where no reply came."""
        known = ("calls", "reused", "retried", "prompt_tokens", "completion_tokens", "errors")
        data = {"model": self.name, **{key: self.sums[key] for key in known}, "cost_usd": self.cost_usd}
        latencies_s = sorted(self.latencies_s)
        return data | {
            "median_s": latencies_s[len(latencies_s) // 2] if latencies_s else None,
            "slowest_s": latencies_s[-1] if latencies_s else None,
        }


def _name(model: str | None) -> str:
    try:
        parsed = json.loads(model or '""')
    except ValueError:
        parsed = model
    return str(parsed.get("name", "") if isinstance(parsed, dict) else parsed)


def _read(text: str | None) -> dict[str, Any]:
    return (json.loads(text) if text else None) or {}


def books(reader: JournalReader) -> list[dict[str, Any]]:
    """Return what was spent of calls, tokens, US dollars and seconds, and what may be, None for no limit."""
    spent, limits = _spent(reader).get("run") or {}, reader.run.manifest.get("limits") or {}
    return [
        {"of": key, "spent": spent.get(key, 0), "limit": limits.get(key)}
        for key in LIMITED
        if spent.get(key) or limits.get(key) is not None
    ]


def by_agent(reader: JournalReader) -> list[dict[str, Any]]:
    """Return who spent how much, the largest first."""
    rows = [{"agent": agent, **spent} for agent, spent in (_spent(reader).get("agents") or {}).items()]
    return sorted(rows, key=lambda row: (-row["tokens"], row["agent"]))[:AGENTS_SHOWN]


def _spent(reader: JournalReader) -> dict[str, Any]:
    if not has_table(reader, "kept"):
        return {}
    rows = reader.run.query("SELECT data FROM kept WHERE kind = 'budget' AND agent = '' ORDER BY step DESC LIMIT 1")
    return dict(json.loads(rows[0][0]).get("spent") or {}) if rows else {}


def notes(reader: JournalReader) -> list[dict[str, Any]]:
    """Return what the run noted of budgets that were reached, and of agents that are no longer asked."""
    sql = """SELECT step, kind, data FROM events WHERE kind IN ('budget_reached', 'quarantined')
             ORDER BY entry DESC LIMIT 10"""
    stopped = reader.entry("stopped")
    rows: list[dict[str, Any]] = []
    if isinstance(stopped, dict):
        text = str(stopped.get("message"))[:400]
        kind = "outage" if "outage" in stopped else "budget_reached"
        rows.append({"step": reader.run.last_step + 1, "kind": kind, "text": text})
    for step, kind, data in reader.run.query(sql):
        event = json.loads(data)
        failed = f"{event.get('agent')} met {event.get('failures')} failures in a row, and is left alone for a while"
        text = event.get("message") or failed
        rows.append({"step": step, "kind": kind, "text": str(text)[:400]})
    return rows
