"""The tree of runs, and the forks that pages ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cave_sim import WorldError
from cave_sim.dashboards.live.new_runs import steering
from cave_sim.dashboards.live.processes import Processes
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import run_title


def branches(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each run with the run and step that it was forked from, if it was, and the city whose district it is."""
    names = {Path(run["folder"]).name: run["run"] for run in listed}
    folders = {run["folder"]: run["run"] for run in listed}
    tree = []
    for run in listed:
        manifest = run.get("manifest") or {}
        parents = [parent for parent in manifest.get("parents") or [] if isinstance(parent, dict)]
        parent = parents[-1] if parents else {}
        above = names.get(Path(str(parent.get("run", ""))).name) if parent else None
        about = {key: run.get(key) for key in ("run", "status", "steps", "hash", "error")}
        about |= {"within": folders.get(str(Path(run["folder"]).parent)), "title": run_title(manifest)}
        tree.append(about | {"parent": above, "at": parent.get("step"), "seed": manifest.get("seed"),
                             "simulation": manifest.get("simulation")})  # fmt: skip
    return tree


def start_fork(processes: Processes, reader: JournalReader, wish: dict[str, Any]) -> dict[str, Any]:
    """Fork a run at a step, in a process of its own, which pages steer; returns how it goes.

    Args:
        processes: what starts it.
        reader: the run.
        wish: `step`; `code`, a cell that the operator (or `agent`) runs there; `until`, the step to go on to; pace and
            minds as of :func:`steering`.

    Raises:
        WorldError: too many run at once, or the wish does not fit.
    """
    step, until = wish.get("step"), wish.get("until")
    if not isinstance(step, int) or step < 0:
        raise WorldError(f"step={step!r}: a fork begins at a step of its parent")
    if until is not None and (not isinstance(until, int) or until <= step):
        raise WorldError(f"until={until!r}: a fork goes on to a step after {step}, where it begins")
    folder = processes.free(reader.folder.with_name(f"{reader.folder.name}-fork{step}"))
    words = ["fork", str(reader.folder), "--quiet", "--at", str(step), "--out", str(folder)]
    if until is not None:
        words += ["--steps", str(until)]
    if str(wish.get("code") or "").strip():
        words += ["--cell", str(wish["code"]), "--agent", str(wish.get("agent") or "operator")]
    return processes.start(folder, [*words, *steering(wish)], steered=True)
