"""Which runs there are: those that were named, those in folders that were named, and what is forked from them."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import run_title
from cave_sim.dashboards.lookups.portrayal import Portray, portray
from cave_sim.journal.lock import is_locked
from cave_sim.journal.opening import open_to_read
from cave_sim.journal.tables import DATABASE

LISTED = ("simulation", "seed", "finished", "steps", "state_hash", "config", "create", "model", "parents", "tags",
          "agents", "start", "step_s")  # fmt: skip
GLANCE_S = 2.0
"""How long a look at one run may take, that a damaged or hostile file holds up nobody."""


class RunIndex:
    """Runs by name.

    Args:
        places: folders of runs, or folders that hold such.
        portray: how entities are drawn.

    Raises:
        JournalError: a place is no folder.
    """

    def __init__(self, places: Iterable[Path], portray: Portray = portray) -> None:
        self.places = [Path(place).resolve() for place in places]
        self.portray = portray
        self._open: dict[str, JournalReader] = {}
        for place in self.places:
            if not place.is_dir():
                raise JournalError(f"{place} is no folder: give the folder of a run, or one that holds runs")

    def folders(self) -> dict[str, Path]:
        """Return name -> folder of every run there is now, in the order in which places were named."""
        folders: dict[str, Path] = {}
        for place in self.places:
            runs = [place] if (place / DATABASE).is_file() else sorted(path.parent for path in place.rglob(DATABASE))
            for folder in runs:
                name = folder.name if folder == place else folder.relative_to(place).as_posix()
                while name in folders and folders[name] != folder:
                    name += "′"
                folders.setdefault(name, folder)
        return folders

    def add(self, place: Path) -> None:
        """Know another run, such as a fork that will be there in a moment."""
        if place.resolve() not in self.places:
            self.places.append(place.resolve())

    def reader(self, name: str) -> JournalReader:
        """Return a run by its name.

        Raises:
            JournalError: there is none; the message lists those that there are.
        """
        if name not in self._open:
            folders = self.folders()
            if name not in folders:
                raise JournalError(f"there is no run {name!r} here; there are {', '.join(folders) or 'none yet'}")
            self._open[name] = JournalReader(name, folders[name], self.portray)
        return self._open[name]

    def close(self) -> None:
        """Close every run."""
        for reader in self._open.values():
            reader.close()

    def listed(self) -> list[dict[str, Any]]:
        """Return what the page of runs tells about each, without opening any for good."""
        return [glance(name, folder) for name, folder in self.folders().items()]


def glance(name: str, folder: Path) -> dict[str, Any]:
    """Return a run in a few facts: how far it came, its turns by status, what it spent."""
    facts: dict[str, Any] = {"run": name, "folder": str(folder), "status": "unreadable"}
    try:
        with closing(open_to_read(folder / DATABASE, GLANCE_S).connection) as file:
            manifest = {key: json.loads(value) for key, value in file.execute(
                f"SELECT key, value FROM manifest WHERE key IN ({','.join('?' * len(LISTED))})", LISTED)}  # fmt: skip
            newest = file.execute("SELECT step, state_hash FROM steps ORDER BY step DESC LIMIT 1").fetchone()
            counts = dict(file.execute("SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status"))
            facts |= {"cost_usd": _spent(file), "model": _model(file, manifest.get("model"))}
    except (sqlite3.Error, OSError, ValueError, JournalError) as error:
        return facts | {"error": str(error)}
    ended = "finished" if manifest.get("finished") else "running" if is_locked(folder) else "stopped"
    facts |= {"status": ended, "steps": newest[0] if newest else 0, "hash": newest[1] if newest else ""}
    facts |= {"turns": sum(counts.values()), "counts": counts, "manifest": manifest}
    return facts


def run_row(run: dict[str, Any]) -> dict[str, Any]:
    """Return a run that was listed as a row of the table of runs."""
    manifest, counts = run.get("manifest") or {}, Counter(run.get("counts") or {})
    return {
        "run": run["run"], "status": run["status"], "simulation": run_title(manifest) if manifest else "",
        "seed": manifest.get("seed"), "model": run.get("model"), "steps": run.get("steps"), "turns": run.get("turns"),
        "refused": counts.total() - counts["committed"] if counts else None, "spend": run.get("cost_usd"),
        "tags": ", ".join(manifest.get("tags") or []), "hash": (run.get("hash") or "")[:12],
    }  # fmt: skip


def _model(file: sqlite3.Connection, chosen: Any) -> str:
    """Return who was asked: the model that a run was made with, else the one that its first call went to."""
    if isinstance(chosen, dict):
        return str(chosen.get("name"))
    known = file.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'").fetchone()
    first = known and file.execute("SELECT json_extract(model, '$.name') FROM calls LIMIT 1").fetchone()
    return str(first[0]) if first else "scripted"


def _spent(file: sqlite3.Connection) -> float | None:
    sql = "SELECT sum(json_extract(usage, '$.cost_usd')) FROM turns WHERE usage IS NOT NULL"
    total_usd = file.execute(sql).fetchone()[0]
    return None if total_usd is None else float(total_usd)
