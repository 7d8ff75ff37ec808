"""What goes on in a mind: what it was asked and answered, what each part cost, and what came to mind, and why."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import has_table
from cave_sim.dashboards.lookups.turns import shown_code
from cave_sim.determinism.canonical_json import from_json
from cave_sim.journal.effect_answers import waiting
from cave_sim.journal.redaction import REDACTED
from cave_sim.session.archive import restore
from cave_sim.session.graph import sessions_of
from cave_sim.session.memory import Memory, Recollection
from cave_sim.session.relevance import ByMeaning
from cave_sim.session.row import Row, SessionError
from cave_sim.session.session import Session

CALLS_LISTED = 60
CONSIDERED = 200
"""How many memories are weighed again: more than ever come to mind."""


def mind(reader: JournalReader, agent: str, step: int, call: int | None = None) -> dict[str, Any]:
    """Return what an agent asked a model up to the end of a step, and one of these calls in full.

    Args:
        reader: the run.
        agent: whose mind; empty for whoever asked last.
        step: the step that is shown.
        call: the number of a call; None for the latest.

    Raises:
        JournalError: there is no such call.
    """
    data: dict[str, Any] = {"agent": agent, "step": step, "minds": minds(reader), "calls": [], "call": None}
    data["waiting"] = requests(reader)
    if not data["minds"]:
        return data
    until = _last_call(reader, step)
    if not agent:
        last = reader.run.query("SELECT agent FROM calls WHERE call <= ? ORDER BY call DESC LIMIT 1", until)
        data["agent"] = agent = last[0][0] if last else data["minds"][0]
    data["calls"] = heads(reader, agent, until)
    if call is None and data["calls"]:
        call = data["calls"][0]["call"]
    if call is not None:
        data["call"] = one_call(reader, agent, call)
    return data


def minds(reader: JournalReader) -> list[str]:
    """Return who asked a model so far."""
    if not has_table(reader, "calls"):
        return []
    return [agent for (agent,) in reader.run.query("SELECT DISTINCT agent FROM calls ORDER BY agent")]


def _last_call(reader: JournalReader, step: int) -> int:
    rows = reader.run.query("SELECT last_call FROM steps WHERE step <= ? ORDER BY step DESC LIMIT 1", step)
    return int(rows[0][0]) if rows else 0


def heads(reader: JournalReader, agent: str, until: int) -> list[dict[str, Any]]:
    """Return the latest calls of an agent, newest first, each in a few facts."""
    sql = """SELECT call, step, attempt, retry, error IS NOT NULL,
             coalesce(json_extract(reply, '$.usage.prompt_tokens'), 0),
             coalesce(json_extract(reply, '$.usage.completion_tokens'), 0), json_extract(reply, '$.cost_usd')
             FROM calls WHERE agent = ? AND call <= ? ORDER BY call DESC LIMIT ?"""
    names = "call step attempt retry failed prompt_tokens completion_tokens cost_usd".split()
    return [dict(zip(names, row, strict=True)) for row in reader.run.query(sql, agent, until, CALLS_LISTED)]


def one_call(reader: JournalReader, agent: str, number: int) -> dict[str, Any]:
    """Return a call: its messages, its parts with their tokens, its reply, what was recalled, and what came of it.

    Raises:
        JournalError: the agent made no call of that number.
    """
    where = "SELECT step FROM calls WHERE call = ? AND agent = ?"
    rows = reader.run.query(where, number, agent)
    if not rows:
        raise JournalError(f"{agent} made no call {number} in {reader.name}")
    ((step,),) = rows
    sql = "SELECT count(*) FROM calls WHERE agent = ? AND step = ? AND call < ?"
    ((before,),) = reader.run.query(sql, agent, step, number)
    call = next(islice(reader.run.calls(agent=agent, step=step), before, None))
    return call_told(reader, number, call, sessions_of_agent(reader, agent, reader.run.last_step))


def call_told(reader: JournalReader, number: int, call: dict[str, Any], sessions: dict[str, Session]) -> dict[str, Any]:
    """Return what a page tells of a call that was read, given the sessions of its agent at the end of the run."""
    agent, step = call["agent"], call["step"]
    messages = [
        {"role": str(each.get("role", "")), "text": str(each.get("text") or each.get("content") or "")}
        for each in (call.get("request") or {}).get("messages") or []
    ]
    reply, usage = call["reply"] or {}, (call["reply"] or {}).get("usage") or {}
    return {
        "call": number, "step": step, "attempt": call["attempt"], "retry": call["retry"],
        "reused": call["reused"], "model": call["model"].get("name", ""), "messages": messages,
        "parts": parts_in_tokens(call.get("parts") or {}, usage.get("prompt_tokens") or 0), "usage": usage,
        "reply": reply.get("text", ""), "cost_usd": reply.get("cost_usd"), "latency_s": reply.get("latency_s"),
        "error": (call["error"] or {}).get("message") or (call["error"] or {}).get("kind") or "",
        "recalled": recalled(sessions, step, messages),
        "turns": _turns(reader, agent, step, reply.get("text", "")),
    }  # fmt: skip


def parts_in_tokens(parts: dict[str, float], prompt_tokens: int) -> list[dict[str, Any]]:
    """Return the parts of a prompt in their order, each with its tokens: by our estimate of their shares."""
    total = sum(parts.values())
    scale = prompt_tokens / total if total and prompt_tokens else 1.0
    return [{"part": name, "tokens": round(tokens * scale)} for name, tokens in parts.items() if tokens]


def recalled(sessions: dict[str, Session], step: int, messages: list[dict[str, str]]) -> dict[str, Any] | None:
    """Return which memories came to mind for a request, and what spoke for each; None where none were looked for.

    They are weighed again from the session as it was: the run's file tells the memories and the query, not the weights.
    """
    text = "\n".join(message["text"] for message in messages)
    latest = None
    for session in sessions.values():
        for place, row in enumerate(session.rows):
            if row.step == step and "recalled" in row.data and row.text in text:
                latest = session, place, row
    if latest is None:
        return None
    session, place, row = latest
    query = str(row.data.get("query", ""))
    memory = Memory(relevance=ByMeaning())
    before = session.fork(at=place)
    weighed = {each.row.id: each for each in memory.weighed(before, query, now_s=row.time_s, count=CONSIDERED) if query}
    rows = {each.id: each for each in before.rows}
    weighed_rows = [_memory(rows[name], weighed.get(name), row.time_s) for name in row.data["recalled"] if name in rows]
    return {"query": query, "memories": weighed_rows, "of": sum(each.kind == "memory" for each in before.rows)}


def sessions_of_agent(reader: JournalReader, agent: str, until: int) -> dict[str, Session]:
    """Return the sessions of an agent as they were at a step."""
    sql = "SELECT about, plain(rows) FROM sessions WHERE step <= ? AND agent = ? ORDER BY entry"
    if not has_table(reader, "sessions") or REDACTED in reader.run.manifest:
        return {}
    entries = [
        {"about": from_json(about), "rows": from_json(rows)} for about, rows in reader.run.query(sql, until, agent)
    ]
    try:
        return restore(entries)
    except SessionError:  # it shares rows with the session of somebody else
        return {name: each for name, each in sessions_of(reader.run, until).items() if each.agent == agent}


def memories(reader: JournalReader, agent: str, step: int, most: int) -> list[dict[str, Any]]:
    """Return the latest memories of an agent at a step, oldest first."""
    rows: Iterable[Row] = (
        row for each in sessions_of_agent(reader, agent, step).values() for row in each.rows if row.kind == "memory"
    )
    by_id = {row.id: row for row in rows}
    return [_memory(row, None, row.time_s) for row in sorted(by_id.values(), key=lambda row: row.time_s)[-most:]]


def _memory(row: Row, weighed: Recollection | None, now_s: float) -> dict[str, Any]:
    data = {"step": row.step, "text": row.text, "of": row.data.get("of", "event")}
    data |= {"importance": row.data.get("importance", 0.0), "hours_ago": round((now_s - row.time_s) / 3600, 2)}
    if weighed is not None:
        data["why"] = {
            "recency": round(weighed.recency, 3), "importance": round(weighed.importance, 3),
            "relevance": round(weighed.relevance, 3), "score": round(weighed.score, 3),
        }  # fmt: skip
    return data


def _turns(reader: JournalReader, agent: str, step: int, reply: str) -> list[dict[str, Any]]:
    """Return the turns that a reply's code became."""
    sql = """SELECT t.turn, t.status, c.code FROM turns t JOIN cells c ON c.hash = t.cell
             WHERE t.agent = ? AND t.step = ? AND t.kind = 'cell' ORDER BY t.turn"""
    return [
        {"turn": turn, "status": status, "code": shown_code(code)}
        for turn, status, code in reader.run.query(sql, agent, step)
        if code.strip() and code.strip() in reply
    ]


def requests(reader: JournalReader) -> list[dict[str, Any]]:
    """Return what was asked of tools and waits for people."""
    columns = "ticket", "step", "agent", "tool", "arguments"
    return [{key: row[key] for key in columns} for row in waiting(reader.run)]
