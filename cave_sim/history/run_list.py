"""Which runs there are in a folder, each in a few facts, without opening any for good."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import JournalError
from cave_sim.history.shards import shard_folders
from cave_sim.journal.lock import is_locked
from cave_sim.journal.manifest_shape import expect_shape
from cave_sim.journal.opening import NotBegun, open_to_read
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.tallies import COSTS

LISTED = ("simulation", "seed", "finished", "stopped", "steps", "state_hash", "config", "create", "model", "parents",
          "tags", "notes", "agents", "start", "step_s", "district")  # fmt: skip
COUNTS = "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status"
GLANCE_S = 2.0
"""How long a look at one run may take, that a damaged or hostile file holds up nobody."""


def runs_in(place: Path) -> Iterator[Path]:
    """Yield the folders of the runs in a place, or the place itself if it is one; parts of cities are left out."""
    if (place / DATABASE).is_file():
        yield place
        return
    for folder in folders_below(place):
        if not (folder.parent / DATABASE).is_file():
            yield folder


def folders_below(place: Path) -> list[Path]:
    """Return the folders of all runs below a place, but for hidden ones, such as a fork of ``why`` that passes."""
    folders = sorted(path.parent for path in place.rglob(DATABASE))
    return [folder for folder in folders if not any(part[0] == "." for part in folder.relative_to(place).parts)]


def glance(name: str, folder: Path) -> dict[str, Any]:
    """Return a run in a few facts: how far it came, its turns by status, what it spent."""
    facts: dict[str, Any] = {"run": name, "folder": str(folder), "status": "unreadable"}
    try:
        with closing(open_to_read(folder / DATABASE, GLANCE_S).connection) as file:
            manifest = {key: from_json(value) for key, value in file.execute(
                f"SELECT key, value FROM manifest WHERE key IN ({','.join('?' * len(LISTED))})", LISTED)}  # fmt: skip
            expect_shape(manifest)
            newest = file.execute("SELECT step, state_hash FROM steps ORDER BY step DESC LIMIT 1").fetchone()
            counts = dict(file.execute(COUNTS))
            facts |= {"cost_usd": _spent(file), "model": _model(file, manifest.get("model")), **_calls(file)}
    except (sqlite3.Error, OSError, ValueError, JournalError) as error:
        return facts | {"error": str(error), "is_empty": isinstance(error, NotBegun)}
    shards = [glance(shard.name, shard) for shard in shard_folders(folder)]  # whoever acts in a city is in those
    counts = dict(sum((Counter(each.get("counts", {})) for each in shards), Counter(counts)))
    ended = "finished" if manifest.get("finished") else "running" if is_locked(folder) else "stopped"
    facts |= {"status": ended, "steps": newest[0] if newest else 0, "hash": newest[1] if newest else ""}
    facts |= {"turns": sum(counts.values()), "counts": counts, "manifest": manifest}
    return facts


def row(place: Path, folder: Path) -> dict[str, Any]:
    """Return a run as a row of a table: what it is, how it ended, how large it is, what it took, what people noted."""
    facts = glance(str(folder.relative_to(place)) if folder != place else folder.name, folder)
    manifest = facts.get("manifest") or {}
    stopped = isinstance(manifest.get("stopped"), dict)
    status = "stopped" if stopped else "interrupted" if facts["status"] == "stopped" else facts["status"]
    if facts.get("is_empty"):
        status = "running" if is_locked(folder) else "not begun"
    return {
        "run": facts["run"],
        "simulation": manifest.get("simulation"),
        "seed": manifest.get("seed"),
        "status": status,
        "steps": facts.get("steps"),
        "shared": _shared(manifest),
        "turns": facts.get("turns"),
        "size_bytes": sum(
            path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
        ),
        "calls": facts.get("calls"),
        "tokens": facts.get("tokens"),
        "cost_usd": facts.get("usd"),
        "tags": list(manifest.get("tags") or []),
        "notes": [str(note.get("text")) for note in manifest.get("notes") or [] if isinstance(note, dict)],
    }


def _shared(manifest: dict[str, Any]) -> int:
    """Return how many of its steps a branch has from the run that it goes on from; its journal has only the others."""
    parents = manifest.get("parents")
    first = parents[0] if isinstance(parents, list) and parents else None
    step = first.get("step") if isinstance(first, dict) else None
    return step if isinstance(step, int) else 0


def _calls(file: sqlite3.Connection) -> dict[str, Any]:
    """Return what a run's own calls came to: how many, tokens, US dollars."""
    if not _has_calls(file):
        return {"calls": 0, "tokens": 0, "usd": 0.0}
    calls, reused, tokens, dollars = file.execute(COSTS).fetchone()
    return {"calls": calls - reused, "tokens": tokens, "usd": dollars}


def _has_calls(file: sqlite3.Connection) -> bool:
    return file.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'").fetchone() is not None


def _model(file: sqlite3.Connection, chosen: Any) -> str:
    """Return who was asked: the model that a run was made with, else the one that its first call went to."""
    if isinstance(chosen, dict):
        return str(chosen.get("name"))
    first = _has_calls(file) and file.execute("SELECT json_extract(model, '$.name') FROM calls LIMIT 1").fetchone()
    return str(first[0]) if first else "scripted"


def _spent(file: sqlite3.Connection) -> float | None:
    sql = "SELECT sum(json_extract(usage, '$.cost_usd')) FROM turns WHERE usage IS NOT NULL"
    total_usd = file.execute(sql).fetchone()[0]
    return None if total_usd is None else float(total_usd)
