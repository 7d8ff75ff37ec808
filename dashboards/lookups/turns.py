"""The feed of turns, and one turn in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.lookups.code_colours import coloured
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import has_table
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.history.highlights import highlights
from cave_sim.history.wording import change_text, path_text, value_text
from cave_sim.history.written_texts import Written
from cave_sim.journal.reader import Run

PAGE = 60
CHANGES_SHOWN = 3
CHANGES_TOLD = 400
MOST_TALKING = 80
HEAD = """SELECT t.turn, t.step, t.agent, t.parent, t.kind, t.status, coalesce(c.code, ''), t.error, t.output,
          (SELECT count(*) FROM changes WHERE changes.turn = t.turn)
          FROM turns t LEFT JOIN cells c ON c.hash = t.cell"""
FILTERS = {
    "agent": "t.agent = ?",
    "status": "t.status = ?",
    "kind": "t.kind = ?",
    "entity": "t.turn IN (SELECT turn FROM changes WHERE entity = ?)",
    "before": "t.turn < ?",
    "after": "t.turn > ?",
}
LIKE = "LIKE ? ESCAPE '\\'"
SEARCHED = f"""(c.code {LIKE} OR t.output {LIKE} OR t.error {LIKE} OR t.agent {LIKE} OR EXISTS (SELECT 1 FROM changes x
            WHERE x.turn = t.turn AND (x.entity {LIKE} OR x.path {LIKE} OR x.new {LIKE})))"""


def feed(reader: JournalReader, wanted: dict[str, str], step: int | None, most: int = PAGE) -> dict[str, Any]:
    """Return the latest turns that fit, newest first, up to the end of a step.

    Args:
        reader: the run.
        wanted: column -> value, of `FILTERS`; `search` finds a text in code, output, error and changes.
        step: the step that is shown; None for the newest.
        most: how many.

    Returns:
        ``turns``: rows; of a city those of all its districts, each with its ``district``. ``more``: whether there may
        be earlier ones.
    """
    where, parameters = [], []
    if wanted.get("search"):
        text = wanted["search"].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        where.append(SEARCHED)
        parameters += [f"%{text}%"] * SEARCHED.count("?")
    for key, condition in FILTERS.items():
        if wanted.get(key):
            where.append(condition)
            parameters.append(wanted[key])
    if step is not None:
        where.append("t.turn <= (SELECT coalesce(max(last_turn), 0) FROM steps WHERE step <= ?)")
        parameters.append(str(step))
    sql = f"{HEAD} WHERE {' AND '.join(where) or '1'} ORDER BY t.turn DESC LIMIT {int(most)}"
    entries = [
        (row, run, district) for district, run in reader.acting for row in run.query(sql, *map(_number, parameters))
    ]
    entries.sort(
        key=lambda each: each[0][1], reverse=True
    )  # by step; within one and the same journal they are in order
    rows = [_row(reader, run, *row) | ({"district": name} if name else {}) for row, run, name in entries[:most]]
    return {"turns": rows, "more": len(entries) >= most}


def talk(reader: JournalReader, step: int) -> dict[str, Any]:
    """Return the latest cells of a step that hold a text, and so may have said one: `turns`, each as it is told."""
    sql = """SELECT t.turn, t.agent, c.code FROM turns t JOIN cells c ON c.hash = t.cell
             WHERE t.step = ? - 1 AND t.kind = 'cell' AND t.status = 'committed'
             AND t.turn > (SELECT coalesce(max(last_turn), 0) FROM steps WHERE step < ? - 1)
             AND t.turn <= (SELECT coalesce(max(last_turn), 0) FROM steps WHERE step <= ?)
             AND (instr(c.code, '"') OR instr(c.code, '''')) ORDER BY t.turn DESC LIMIT ?"""
    rows = [(row, run) for _, run in reader.acting for row in run.query(sql, step, step, step, MOST_TALKING)]
    told_cells = [(agent, reader.narrator.tell(agent, code, Written(run, turn))) for (turn, agent, code), run in rows]
    return {"turns": [{"agent": agent, "told": sentences} for agent, sentences in told_cells if sentences]}


def outstanding(reader: JournalReader) -> list[dict[str, Any]]:
    """Return what stands out in a run, in ten lines; found once for all who look until it goes on."""
    run, stamp = reader.run, reader.stamp()
    if reader.story is None or reader.story[0] != stamp:
        shards = [each for district, each in reader.acting if district]
        reader.story = stamp, [each.to_data() for each in highlights(run, shards=shards)]
    return reader.story[1]


def until(reader: JournalReader, step: int) -> int:
    """Return the last turn of a step, or of the last step before it."""
    rows = reader.run.query("SELECT last_turn FROM steps WHERE step <= ? ORDER BY step DESC LIMIT 1", step)
    return int(rows[0][0]) if rows else 0


def _number(text: str) -> str | int:
    return int(text) if text.isdigit() and len(text) < 16 else text


def _row(
    reader: JournalReader, run: Run, turn: int, step: int, agent: str, parent: int | None, kind: str, status: str,
    code: str, error: str | None, output: str, count: int,
) -> dict[str, Any]:  # fmt: skip
    lines = [line for line in (error or "").splitlines() if line.strip()]
    row = {"turn": turn, "step": step, "agent": agent, "kind": kind, "status": status, "count": count}
    row |= {"code": shown_code(code), "error": lines[-1].strip()[:200] if lines else "", "output": output[:160]}
    row |= {"parent": parent} if parent is not None else {}
    landed = status == "committed" and kind == "cell"
    row |= {"told": reader.narrator.tell(agent, code, Written(run, turn)) if landed else []}
    return row | {"changes": list(changes_told(run, turn, CHANGES_SHOWN))}


def shown_code(code: str) -> str:
    """Return a cell in one line."""
    text = "; ".join(line.strip() for line in code.strip().splitlines() if not line.strip().startswith("#"))
    return shortened(text, 160)


def changes(run: Run, turn: int, most: int) -> Iterator[dict[str, Any]]:
    """Yield a turn's changes in words, at most so many."""
    for entity, where, op, before, after in _written(run, turn, most):
        place = where[:1] if op in ("add", "discard") else where  # of a set, whose items have no places
        change = {"entity": entity, "path": list(where), "place": path_text(place), "op": op}
        change |= {"old": value_text(before, 200), "new": value_text(after, 200)}
        yield change | {"told": change_text(where, op, before, after, 80)}


def changes_told(run: Run, turn: int, most: int) -> Iterator[dict[str, str]]:
    """Yield the entities that a turn changed and how, as a feed tells it, at most so many."""
    for entity, where, op, before, after in _written(run, turn, most):
        yield {"entity": entity, "told": change_text(where, op, before, after, 80)}


def _written(run: Run, turn: int, most: int) -> Iterator[tuple[str, tuple[Any, ...], str, Any, Any]]:
    sql = "SELECT entity, path, op, old, new FROM changes WHERE turn = ? ORDER BY position LIMIT ?"
    for entity, path, op, old, new in run.query(sql, turn, most):
        yield entity, tuple(run.data(path)), op, run.data(old), run.data(new)


def turn(reader: JournalReader, number: int) -> dict[str, Any]:
    """Return one turn in full: code, output, error, changes, what its agent was shown, and what a model said.

    Raises:
        JournalError: there is no such turn (yet).
    """
    rows = reader.run.query(
        """SELECT t.turn, t.step, t.agent, t.parent, t.kind, t.status, coalesce(c.code, ''), t.error, t.output,
           t.duration_s, t.usage FROM turns t LEFT JOIN cells c ON c.hash = t.cell WHERE t.turn = ?""",
        number,
    )
    if not rows:
        last = reader.run.query("SELECT max(turn) FROM turns")[0][0]
        message = f"{reader.name} has no turn {number}: its last is {last}"
        raise JournalError(f"{message}. The feed lists those that there are")
    _, step, agent, parent, kind, status, code, error, output, duration_s, usage = rows[0]
    children = [child for (child,) in reader.run.query("SELECT turn FROM turns WHERE parent = ?", number)]
    return {
        "turn": number, "step": step, "agent": agent, "parent": parent, "kind": kind, "status": status,
        "code": code, "html": coloured(code), "output": output, "error": error, "duration_s": duration_s,
        "usage": reader.run.data(usage), "children": children,
        "shown_at": shown_at(reader, number), "changes": list(changes(reader.run, number, CHANGES_TOLD)),
        "calls": list(calls(reader, agent, step)) if kind == "cell" else [],
    }  # fmt: skip


def shown_at(reader: JournalReader, number: int) -> int:
    """Return the first step that shows what a turn wrote; the newest for a turn that is not committed yet."""
    rows = reader.run.query("SELECT min(step) FROM steps WHERE last_turn >= ?", number)
    if rows[0][0] is not None:
        return int(rows[0][0])
    return int(reader.run.query("SELECT coalesce(max(step), 0) FROM steps")[0][0])


def calls(reader: JournalReader, agent: str, step: int) -> Iterator[dict[str, Any]]:
    """Yield what an agent asked models in a step, and what they said."""
    if not has_table(reader, "calls"):
        return
    for call in reader.run.calls(agent=agent, step=step):
        reply, error = call.get("reply") or {}, call.get("error") or {}
        messages = [
            {"role": str(message.get("role", "")), "text": str(message.get("text") or message.get("content") or "")}
            for message in (call.get("request") or {}).get("messages") or []
        ]
        yield {
            "attempt": call.get("attempt"), "retry": call.get("retry"),
            "model": (call.get("model") or {}).get("name", ""), "messages": messages,
            "reply": reply.get("text", ""), "usage": reply.get("usage") or {},
            "cost_usd": reply.get("cost_usd"), "latency_s": reply.get("latency_s"),
            "error": error.get("message") or error.get("kind") or "",
        }  # fmt: skip
