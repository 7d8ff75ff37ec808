"""Which runs there are: those that were named, those in folders that were named, and what is forked from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cave_sim import JournalError
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import run_title
from cave_sim.dashboards.lookups.portrayal import Portray, portray
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.experiment.runner import ABOUT, TRIALS
from cave_sim.history.run_list import folders_below, glance
from cave_sim.history.shards import shard_folders
from cave_sim.journal.tables import DATABASE

NAMED = 8  # runs of a folder, where one is asked for that is not there
MOST_TOLD = 1_000
"""Letters of an error, which may list what a run of anybody calls its entities."""


class RunIndex:
    """Runs by name.

    Args:
        places: folders of runs, or folders that hold such.
        portray: how entities are drawn.

    Raises:
        JournalError: a place is no folder.
    """

    def __init__(self, places: Iterable[Path], portray: Portray = portray) -> None:
        self.places: list[Path] = [Path(place).resolve() for place in places]
        self.portray = portray
        self._open: dict[str, JournalReader] = {}
        for place in self.places:
            if not place.is_dir():
                raise JournalError(f"{place} is no folder: give the folder of a run, or one that holds runs")

    def folders(self) -> dict[str, Path]:
        """Return name -> folder of every run there is now, in the order in which places were named."""
        folders: dict[str, Path] = {}
        for place in self.places:
            runs = [place, *shard_folders(place)]
            if not (place / DATABASE).is_file():
                runs = folders_below(place)
            for folder in runs:
                name = folder.name if folder == place else folder.relative_to(_above(place)).as_posix()
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
                there = ", ".join(list(folders)[:NAMED]) or "none yet"
                more = f" and {len(folders) - NAMED:,} more" if len(folders) > NAMED else ""
                raise JournalError(f"there is no run {name!r} here; there are {there}{more}")
            self._open[name] = JournalReader(name, folders[name], self.portray)
        return self._open[name]

    def wording(self, error: Exception) -> str:
        """Return what an error says to a page, in one line: runs by their names, no folders of this machine above."""
        text = shortened(" ".join(str(error).split()), MOST_TOLD)
        for place in sorted({str(_above(place)) for place in self.places}, key=len, reverse=True):
            text = re.sub(rf"(cave-sim \w+ ){re.escape(place)}/", r"\1", text).replace(f"{place}/", "the run ")
        return text

    def close(self) -> None:
        """Close every run."""
        for reader in self._open.values():
            reader.close()

    def listed(self) -> list[dict[str, Any]]:
        """Return what the page of runs tells about each, without opening any for good."""
        runs = [glance(name, folder) for name, folder in self.folders().items()]
        return [run | {"error": self.wording(JournalError(run["error"]))} if "error" in run else run for run in runs]


def _above(place: Path) -> Path:
    """Return the folder that names begin below: the districts of a city that was named itself are called after it."""
    return place.parent if (place / DATABASE).is_file() else place


def part_of(folder: Path) -> str:
    """Return what a run is a part of: ``city`` of a district, ``study`` of a trial; "" where it is none."""
    if folder in shard_folders(folder.parent) and (folder.parent / DATABASE).is_file():
        return "city"
    return "study" if folder.parent.name == TRIALS and (folder.parent.parent / ABOUT).is_file() else ""


def run_row(run: dict[str, Any]) -> dict[str, Any]:
    """Return a run that was listed as a row of the table of runs."""
    manifest, counts = run.get("manifest") or {}, Counter(run.get("counts") or {})
    return {
        "run": run["run"], "status": run["status"], "simulation": run_title(manifest) if manifest else "",
        "seed": manifest.get("seed"), "model": run.get("model"), "steps": run.get("steps"), "turns": run.get("turns"),
        "refused": counts.total() - counts["committed"] if counts else None, "spend": run.get("cost_usd"),
        "tags": ", ".join(manifest.get("tags") or []), "hash": (run.get("hash") or "")[:12],
        "error": run.get("error", ""), "part_of": part_of(Path(run["folder"])),
    }  # fmt: skip
