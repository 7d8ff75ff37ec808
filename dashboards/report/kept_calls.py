"""What agents asked models, as a report holds it: all of it, or of very much an even share, each text once."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.minds import call_told, minds, requests, sessions_of_agent
from cave_sim.dashboards.report.kept_turns import evenly
from cave_sim.session.session import Session

MOST_CALLS = 2_000
MOST_LETTERS = 2_000_000
LONGEST = 60_000  # letters of one text
MOST_MEMORIES = 5_000


def kept_calls(reader: JournalReader) -> dict[str, Any]:
    """Return who has a mind, their calls, oldest first, how many each made in all, what they remember, what waits.

    A call is as :func:`cave_sim.dashboards.lookups.minds.one_call` tells it, with its agent and the step that shows it;
    its messages name their texts by number, since prompts repeat each other.
    """
    names = minds(reader)
    data: dict[str, Any] = {"names": names, "calls": [], "texts": [], "asked": {}, "memories": {}}
    data["waiting"] = requests(reader)
    if not names:
        return {"minds": data}
    data["asked"] = dict(reader.run.query("SELECT agent, count(*) FROM calls GROUP BY agent"))
    sessions = {agent: sessions_of_agent(reader, agent, reader.run.last_step) for agent in names}
    ends = reader.run.query("SELECT last_call, step FROM steps ORDER BY step")
    texts: dict[str, int] = {}
    chosen = _chosen(reader)
    rows = reader.run.query("SELECT call FROM calls ORDER BY call")
    for (number,), row_call in zip(rows, reader.run.calls(), strict=True):
        at = bisect_left(ends, (number, -1))
        if number not in chosen or at == len(ends):
            continue  # left out, or not committed yet
        call = call_told(reader, number, row_call, sessions[row_call["agent"]])
        call |= {"agent": row_call["agent"], "shown_at": ends[at][1], "reply": _cut(call["reply"])}
        for message in call["messages"]:
            message["text"] = texts.setdefault(_cut(message["text"]), len(texts))
        data["calls"].append(call)
    most = MOST_MEMORIES // len(names)
    data |= {"texts": list(texts), "memories": {name: _memories(sessions[name], most) for name in names}}
    return {"minds": data}


def _chosen(reader: JournalReader) -> set[int]:
    """Return the numbers of the calls that are kept: those that failed before others, and evenly many."""
    failed: list[int] = []
    others: list[int] = []
    letters, seen = 0, set[int]()
    rows = reader.run.query("SELECT call, error IS NOT NULL FROM calls ORDER BY call")
    for (number, in_vain), call in zip(rows, reader.run.calls(), strict=True):
        (failed if in_vain else others).append(number)
        for message in call["request"]["messages"]:
            if (text := hash(message["text"])) not in seen:
                seen.add(text)
                letters += min(LONGEST, len(message["text"]))
        letters += min(LONGEST, len((call["reply"] or {}).get("text", "")))
    most = min(MOST_CALLS, (len(failed) + len(others)) * MOST_LETTERS // max(MOST_LETTERS, letters))
    failed = evenly(failed, most // 2)
    return {*failed, *evenly(others, most - len(failed))}


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text) - LONGEST:,} more letters)"


def _memories(sessions: dict[str, Session], most: int) -> list[list[Any]]:
    """Return [step of its making, text, importance] of somebody's latest memories, oldest first."""
    by_id = {row.id: row for each in sessions.values() for row in each.rows if row.kind == "memory"}
    rows = sorted(by_id.values(), key=lambda row: row.time_s)[-most:]
    return [[row.step, _cut(row.text), row.data.get("importance", 0.0)] for row in rows]
