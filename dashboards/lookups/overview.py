"""What a page learns first about a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cave_sim.dashboards.lookups.frames import roster
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.history.shards import shard_folders

MOST_DOCUMENTS = 100
SHOWN = ("simulation", "seed", "scheduler", "agents", "cave_sim", "code", "config", "create", "model", "parents")


def overview(reader: JournalReader) -> dict[str, Any]:
    """Return what a run is, how far it has come, and who is on its map."""
    timeline = reader.timeline
    timeline.advance()
    manifest = reader.run.manifest
    ground = manifest.get("map") or {}
    steps = reader.run.query("SELECT min(step), max(step), count(*) FROM steps")[0]
    return {
        "run": reader.name,
        "folder": str(reader.folder),
        "title": run_title(manifest),
        "about": {key: manifest[key] for key in SHOWN if key in manifest},
        "start": manifest.get("start", "2000-01-01T00:00"),
        "step_s": manifest.get("step_s") or 1,
        "status": reader.status(),
        "first": steps[0] or 0,
        "last": steps[1] or 0,
        "opening": timeline.last.step if timeline.liveliest.step is None else timeline.liveliest.step,
        "map": {key: ground.get(key) for key in ("name", "attribution", "axes", "lines", "ground")},
        "bounds": timeline.bounds,
        "drawn": timeline.drawn,
        "districts": [folder.name for folder in shard_folders(reader.folder)],
        "version": timeline.version,
        "movers": list(roster(timeline.movers)),
        "places": list(roster(timeline.places.values())),
        "words": timeline.words,
        "agents": agents(reader),
        "entities": sorted((name, kind) for name, kind in timeline.types.items() if not name.startswith("$")),
        "measures": [name for (name,) in reader.run.query("SELECT DISTINCT name FROM measures ORDER BY name")],
        "calls": has_table(reader, "calls"),
        "titles": manifest.get("titles") or {},
        "fields": declared(reader),
        "methods": methods(reader),
        "documents": documents(reader.folder),
        "measured": manifest.get("measured") or {},
    }


def run_title(manifest: dict[str, Any]) -> str:
    """Return a simulation's name in words; that of a study's trial is its task and way of acting."""
    config = manifest.get("config") or {}
    if "task" in config and "paradigm" in config:
        return f"{config['task']} ({config['paradigm']})".replace("_", " ").capitalize()
    return str(manifest.get("simulation", "run")).replace("_", " ").replace(".", ", ").capitalize()


def agents(reader: JournalReader) -> list[str]:
    """Return who has run cells so far."""
    rows_by_run = (run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell'") for _, run in reader.acting)
    return sorted({name for rows in rows_by_run for (name,) in rows})


def declared(reader: JournalReader) -> dict[str, dict[str, dict[str, Any]]]:
    """Return what fields mean, by class and name: those of the run itself, and of a city those of its districts."""
    fields: dict[str, dict[str, dict[str, Any]]] = {}
    for run in (reader.run, *(run for _, run in reader.acting)):
        fields |= run.manifest.get("fields") or {}
    return fields


def methods(reader: JournalReader) -> dict[str, list[str]]:
    """Return the methods that have words of their own, by class: those that cells call."""
    narrations: dict[str, list[str]] = {}
    for run in (reader.run, *(run for _, run in reader.acting)):
        narrations |= {kind: sorted(words) for kind, words in (run.manifest.get("narrations") or {}).items()}
    return narrations


def documents(folder: Path) -> list[str]:
    """Return the names of the documents that lie in the folder of a run: the last of them, by name."""
    if not (folder / "documents").is_dir():
        return []
    from cave_sim.rendering.documents import FILE_NAME, SUFFIXES  # few runs have any, and it is slow to load

    lying = (path for path in (folder / "documents").iterdir() if path.is_file() and not path.is_symlink())
    endings = {f".{suffix}" for suffix in SUFFIXES.values()}
    names = sorted(path.name for path in lying if FILE_NAME.fullmatch(path.stem) and path.suffix in endings)
    return names[-MOST_DOCUMENTS:]


def has_table(reader: JournalReader, name: str) -> bool:
    """Say whether a journal has a table that older ones have not."""
    return bool(reader.run.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name))
