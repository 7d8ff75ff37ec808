"""The strip of time below the map: turns by status along the run, and marks of what stands out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import STATUSES

MARKS_SHOWN = 400
BUCKETS = 480
REFUSED = ("blocked", "timeout", "conflict")
COUNTS = f"""SELECT {", ".join(f"count(*) FILTER (WHERE status = '{status}')" for status in STATUSES)},
             count(*) FILTER (WHERE agent = 'operator') FROM turns WHERE turn > ? AND turn <= ? AND kind = 'cell'"""
"""Of a stretch of turns; to group those of many would sort what stands in order already."""
TROUBLES = ("model_failed", "quarantined", "budget_reached", "stopped", "watch_failed")


@dataclass
class Strip:
    """What the strip of time shows, as far as the run was read: a live one is asked for it every second."""

    width: int
    until: dict[str, int] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    marks: list[dict[str, Any]] = field(default_factory=list)


def timeline(reader: JournalReader) -> dict[str, Any]:
    """Return turns by status in evenly long stretches of the run, and what stands out: marks by step."""
    first, last = reader.run.query("SELECT coalesce(min(step), 0), coalesce(max(step), 0) FROM steps")[0]
    width = max(1, -(-(last - first + 1) // BUCKETS))
    if reader.strip is None or reader.strip.width != width:
        reader.strip = Strip(width)
    _read_on(reader, reader.strip)
    strip = [{"step": part * width, **counts} for part, counts in sorted(reader.strip.counts.items())]
    return {"first": first, "last": last, "width": width, "strip": strip, "marks": marks(reader, reader.strip)}


def _read_on(reader: JournalReader, strip: Strip) -> None:
    """Add to a strip what was committed since it was read, of a city in any of its districts."""
    for district, run in reader.acting:
        _read_on_in(run, strip, district)


def _read_on_in(run: Run, strip: Strip, district: str) -> None:
    behind, until = strip.until.get(district, 0), int(run.query("SELECT coalesce(max(turn), 0) FROM turns")[0][0])
    sql = "SELECT max(step - 1, 0) / ? AS part, max(last_turn) FROM steps WHERE last_turn > ? GROUP BY part"
    kinds, after = Counter[str](), behind
    for part, last_turn in run.query(sql, strip.width, behind):
        found = Counter(dict(zip((*STATUSES, "operator"), run.query(COUNTS, after, last_turn)[0], strict=True)))
        kinds, after = kinds + found, last_turn
        if counted := {status: found[status] for status in STATUSES if found[status]}:
            strip.counts.setdefault(part, Counter()).update(counted)
    if len(strip.marks) < MARKS_SHOWN:
        entries = [*(acts(run, behind, until) if kinds["operator"] else ()), *events(run, behind, until)]
        if any(kinds[status] for status in REFUSED):
            entries += refused(run, behind, until)
        strip.marks += [mark | {"turn": None} for mark in entries] if district else entries  # numbered in each district
    strip.until[district] = until


def marks(reader: JournalReader, strip: Strip) -> list[dict[str, Any]]:
    """Return what stands out: acts of the researcher, blocked turns, notes of the run itself, and its own beginning."""
    parents = [parent for parent in reader.run.manifest.get("parents") or [] if isinstance(parent, dict)]
    begun = [
        {"step": parent.get("step", 0), "kind": "fork", "text": f"forked from {parent.get('run')}"}
        for parent in parents
    ]
    every_mark = begun + noted_by_people(reader) + strip.marks
    sql = "SELECT step, kind, data FROM events WHERE kind <> 'reads' ORDER BY entry LIMIT ?"  # those are of turns
    for step, kind, data in reader.run.query(sql, MARKS_SHOWN):
        look = "refused" if kind in TROUBLES else "reached" if kind.startswith("watch_") else "event"
        every_mark.append({"step": step, "kind": look, "text": noted(kind, data)})
    return sorted(every_mark, key=lambda mark: mark["step"])


def noted_by_people(reader: JournalReader) -> list[dict[str, Any]]:
    """Return the notes on moments of the run, as they are now."""
    notes = [note for note in reader.entry("notes") or [] if isinstance(note.get("step"), int)]
    return [{"step": note["step"], "kind": "note", "text": str(note.get("text"))} for note in notes[:MARKS_SHOWN]]


def acts(run: Run, behind: int, until: int) -> list[dict[str, Any]]:
    """Return what the researcher did between two turns."""
    sql = """SELECT step + 1, turn, status FROM turns WHERE turn > ? AND turn <= ? AND agent = 'operator'
             AND kind = 'cell' LIMIT ?"""
    return [
        {"step": step, "kind": "operator", "turn": turn, "text": f"operator: {status}"}
        for step, turn, status in run.query(sql, behind, until, MARKS_SHOWN)
    ]


def refused(run: Run, behind: int, until: int) -> list[dict[str, Any]]:
    """Return the turns between two that the engine did not let through, one mark for those of a step."""
    sql = f"""SELECT step + 1, min(turn), agent, status, count(*) FROM turns WHERE turn > ? AND turn <= ? AND status IN
              {REFUSED} AND kind = 'cell' AND agent <> 'operator' GROUP BY step, status ORDER BY step LIMIT ?"""
    return [
        {"step": step, "kind": "refused", "turn": turn,
         "text": f"{agent}: {status}" + (f", and {number - 1} more" if number > 1 else "")}
        for step, turn, agent, status, number in run.query(sql, behind, until, MARKS_SHOWN)
    ]  # fmt: skip


def noted(kind: str, data: str) -> str:
    """Return a note of the run about itself in words."""
    event = json.loads(data)
    text = event.get("error") or event.get("message") or event.get("condition") or "" if isinstance(event, dict) else ""
    return f"{kind.replace('_', ' ')}: {text}" if text else kind.replace("_", " ")


def events(run: Run, behind: int, until: int) -> list[dict[str, Any]]:
    """Return the scheduled events that came due, or were called off, between two turns: those that left the queue."""
    sql = """SELECT t.step + 1, c.path, c.old FROM turns t JOIN changes c USING (turn) WHERE turn > ? AND turn <= ?
             AND t.kind = 'world' AND c.entity = '$system' AND c.op = 'delete' AND c.path LIKE '["events",%'
             ORDER BY turn LIMIT ?"""
    return [
        {"step": step, "kind": "event", "text": (old or path)[:160]}
        for step, path, old in run.query(sql, behind, until, MARKS_SHOWN)
    ]
