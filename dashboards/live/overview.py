"""What a page learns first about a run, and the strip of time below its map."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cave_sim.dashboards.live.source import Source
from cave_sim.dashboards.live.wire import roster

MARKS_SHOWN = 400
BUCKETS = 480
TROUBLES = ("model_failed", "quarantined", "budget_reached", "watch_failed")
SHOWN = ("simulation", "seed", "scheduler", "agents", "cave_sim", "code", "config", "create", "model", "parents")


def overview(source: Source) -> dict[str, Any]:
    """Return what a run is, how far it has come, and who is on its map."""
    track = source.track
    track.advance()
    manifest = source.run.manifest
    ground = manifest.get("map") or {}
    steps = source.run.query("SELECT min(step), max(step), count(*) FROM steps")[0]
    return {
        "run": source.name,
        "folder": str(source.folder),
        "title": run_title(manifest),
        "about": {key: manifest[key] for key in SHOWN if key in manifest},
        "start": manifest.get("start", "2000-01-01T00:00"),
        "step_s": manifest.get("step_s") or 1,
        "status": source.status(),
        "first": steps[0] or 0,
        "last": steps[1] or 0,
        "map": {key: ground.get(key) for key in ("name", "attribution", "axes", "lines", "nodes")},
        "bounds": track.bounds,
        "version": track.version,
        "movers": list(roster(track.movers)),
        "places": list(roster(track.places.values())),
        "words": track.words,
        "agents": agents(source),
        "entities": sorted((name, kind) for name, kind in track.types.items() if not name.startswith("$")),
        "measures": [name for (name,) in source.run.query("SELECT DISTINCT name FROM measures ORDER BY name")],
        "calls": has_table(source, "calls"),
    }


def run_title(manifest: dict[str, Any]) -> str:
    """Return a simulation's name in words; that of a study's trial is its task and way of acting."""
    made = manifest.get("config") or {}
    if "task" in made and "paradigm" in made:
        return f"{made['task']} ({made['paradigm']})".replace("_", " ").capitalize()
    return str(manifest.get("simulation", "run")).replace("_", " ").capitalize()


def agents(source: Source) -> list[str]:
    """Return who has run cells so far."""
    return [name for (name,) in source.run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell' ORDER BY agent")]


def has_table(source: Source, name: str) -> bool:
    """Say whether a journal has a table that older ones have not."""
    return bool(source.run.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name))


@dataclass
class Strip:
    """What the strip of time shows, as far as the run was read: a live one is asked for it every second."""

    width: int
    until: int = 0
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    marks: list[dict[str, Any]] = field(default_factory=list)


def timeline(source: Source) -> dict[str, Any]:
    """Return turns by status in evenly long stretches of the run, and what stands out: marks by step."""
    first, last = source.run.query("SELECT coalesce(min(step), 0), coalesce(max(step), 0) FROM steps")[0]
    width = max(1, -(-(last - first + 1) // BUCKETS))
    if source.strip is None or source.strip.width != width:
        source.strip = Strip(width)
    _read_on(source, source.strip)
    strip = [{"step": part * width, **found} for part, found in sorted(source.strip.counts.items())]
    return {"first": first, "last": last, "width": width, "strip": strip, "marks": marks(source, source.strip)}


def _read_on(source: Source, strip: Strip) -> None:
    """Add to a strip what was committed since it was read."""
    behind, until = strip.until, int(source.run.query("SELECT coalesce(max(turn), 0) FROM turns")[0][0])
    sql = """SELECT step / ? AS part, status, count(*) FROM turns WHERE turn > ? AND turn <= ? AND kind = 'cell'
             GROUP BY part, status"""
    for part, status, number in source.run.query(sql, strip.width, behind, until):
        strip.counts.setdefault(part, Counter())[status] += number
    if len(strip.marks) < MARKS_SHOWN:
        strip.marks += [*acts(source, behind, until), *refused(source, behind, until), *events(source, behind, until)]
    strip.until = until


def marks(source: Source, strip: Strip) -> list[dict[str, Any]]:
    """Return what stands out: acts of the researcher, blocked turns, notes of the run itself, and its own beginning."""
    parents = [each for each in source.run.manifest.get("parents") or [] if isinstance(each, dict)]
    begun = [
        {"step": each.get("step", 0), "kind": "fork", "text": f"forked from {each.get('run')}"} for each in parents
    ]
    found = begun + strip.marks
    sql = "SELECT step, kind, data FROM events ORDER BY entry LIMIT ?"
    for step, kind, data in source.run.query(sql, MARKS_SHOWN):
        look = "refused" if kind in TROUBLES else "reached" if kind.startswith("watch_") else "event"
        found.append({"step": step, "kind": look, "text": noted(kind, data)})
    return sorted(found, key=lambda mark: mark["step"])


def acts(source: Source, behind: int, until: int) -> list[dict[str, Any]]:
    """Return what the researcher did between two turns."""
    sql = """SELECT step + 1, turn, status FROM turns WHERE turn > ? AND turn <= ? AND agent = 'operator'
             AND kind = 'cell' LIMIT ?"""
    return [
        {"step": step, "kind": "operator", "turn": turn, "text": f"operator: {status}"}
        for step, turn, status in source.run.query(sql, behind, until, MARKS_SHOWN)
    ]


def refused(source: Source, behind: int, until: int) -> list[dict[str, Any]]:
    """Return the turns between two that the engine did not let through, one mark for those of a step."""
    sql = """SELECT step + 1, min(turn), agent, status, count(*) FROM turns WHERE turn > ? AND turn <= ? AND status IN
             ('blocked', 'timeout', 'conflict') AND agent <> 'operator' GROUP BY step, status ORDER BY step LIMIT ?"""
    return [
        {"step": step, "kind": "refused", "turn": turn,
         "text": f"{agent}: {status}" + (f", and {number - 1} more" if number > 1 else "")}
        for step, turn, agent, status, number in source.run.query(sql, behind, until, MARKS_SHOWN)
    ]  # fmt: skip


def noted(kind: str, data: str) -> str:
    """Return a note of the run about itself in words."""
    told = json.loads(data)
    said = told.get("error") or told.get("message") or told.get("condition") or "" if isinstance(told, dict) else ""
    return f"{kind.replace('_', ' ')}: {said}" if said else kind.replace("_", " ")


def events(source: Source, behind: int, until: int) -> list[dict[str, Any]]:
    """Return the scheduled events that came due, or were called off, between two turns: those that left the queue."""
    sql = """SELECT t.step + 1, c.path, c.old FROM turns t JOIN changes c USING (turn) WHERE turn > ? AND turn <= ?
             AND t.kind = 'world' AND c.entity = '$system' AND c.op = 'delete' AND c.path LIKE '["events",%'
             ORDER BY turn LIMIT ?"""
    return [
        {"step": step, "kind": "event", "text": (old or path)[:160]}
        for step, path, old in source.run.query(sql, behind, until, MARKS_SHOWN)
    ]


def world_time(source: Source, step: int) -> datetime:
    """Return what the clock shows at a step."""
    start = datetime.fromisoformat(str(source.run.manifest.get("start", "2000-01-01T00:00")))
    return start + timedelta(seconds=step * float(source.run.manifest.get("step_s") or 1))
