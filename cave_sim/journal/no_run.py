"""What is said where there is no run: whether the place is there at all, and which run somebody may have meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cave_sim.errors import JournalError, nearest
from cave_sim.journal.tables import DATABASE

RUNS_NAMED = 8
DEFAULT = "runs"
"""Where runs lie unless somebody says otherwise."""


def no_run(folder: str | Path) -> JournalError:
    """Return the error for a place without a run: what is wrong with it, and the runs that may have been meant."""
    folder = Path(folder)
    if folder.is_dir():
        inside = _listed(runs_in(folder) or runs_in(folder, "*/*"))  # those of a study lie a folder deeper
        of = next((run for run in runs_in(folder.parent) if folder.name.startswith(f"{run.name}-")), None)
        results = f". It lies beside the run {of}, as what is found out about that does; leave it out" if of else ""
        inner_runs = f". Name one of the runs in it: {inside}" if inside else results
        return JournalError(f"{folder} holds no run: there is no {DATABASE} in it{inner_runs}")
    if folder.is_file():
        return JournalError(f"{folder} holds no run: this is a file; a run is named by its folder")
    beside = runs_in(folder.parent) or runs_in(folder.parent / DEFAULT)
    near = nearest(folder.name, [path.name for path in beside])
    if near:
        hint = f"Did you mean {next(path for path in beside if path.name == near)}?"
    else:
        hint = f"There are: {_listed(beside)}" if beside else "cave-sim run town_day makes one"
    return JournalError(f"{folder} holds no run: there is no such folder. {hint}")


def runs_in(folder: Path, where: str = "*") -> list[Path]:
    """Return the runs right in a folder, the latest first; or elsewhere below it, where a pattern says."""
    try:
        databases = sorted(folder.glob(f"{where}/{DATABASE}"), key=lambda path: -path.stat().st_mtime)
    except (OSError, ValueError):
        return []
    return [path.parent for path in databases]


def _listed(runs: Sequence[Path]) -> str:
    more = f" and {len(runs) - RUNS_NAMED} more" if len(runs) > RUNS_NAMED else ""
    return ", ".join(map(str, runs[:RUNS_NAMED])) + more
