"""The tree of runs, and forks that pages start: each goes on in a process of its own, and is watched like any run."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cave_sim import JournalError, WorldError
from cave_sim.dashboards.live.run_index import RunIndex
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import run_title

MOST_AT_ONCE = 4


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


@dataclass
class Fork:
    """A fork under way: its process, and where it writes."""

    name: str
    folder: Path
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    def state(self) -> dict[str, Any]:
        """Return how it goes."""
        code = self.process.poll()
        status = "running" if code is None else "finished" if code == 0 else "failed"
        self.log.seek(0)
        lines = self.log.read()[-2_000:].decode(errors="replace").strip().splitlines()
        return {"run": self.name, "status": status, "trouble": lines[-1] if status == "failed" and lines else ""}


class Forks:
    """Starts and stops forks."""

    def __init__(self, index: RunIndex) -> None:
        self.index = index
        self._started: dict[str, Fork] = {}

    def states(self) -> list[dict[str, Any]]:
        """Return every fork that was started here."""
        return [fork.state() for fork in self._started.values()]

    def start(self, reader: JournalReader, wish: dict[str, Any]) -> dict[str, Any]:
        """Fork a run at a step.

        Args:
            reader: the run.
            wish: `step`; `code`, a cell that the operator (or `agent`) runs there; `until`, the step to go on to.

        Raises:
            WorldError: too many run at once, or the wish does not fit.
        """
        if sum(fork.process.poll() is None for fork in self._started.values()) >= MOST_AT_ONCE:
            raise WorldError(f"{MOST_AT_ONCE} forks are running already; wait for one, or stop it")
        step, until = wish.get("step"), wish.get("until")
        if not isinstance(step, int) or step < 0:
            raise WorldError(f"step={step!r}: a fork begins at a step of its parent")
        if until is not None and (not isinstance(until, int) or until <= step):
            raise WorldError(f"until={until!r}: a fork goes on to a step after {step}, where it begins")
        folder = self._free_folder(reader.folder, step)
        command = [sys.executable, "-m", "cave_sim", "fork", str(reader.folder), "--quiet"]
        command += ["--at", str(step), "--out", str(folder)]
        if until is not None:
            command += ["--steps", str(until)]
        if str(wish.get("code") or "").strip():
            command += ["--cell", str(wish["code"]), "--agent", str(wish.get("agent") or "operator")]
        log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the fork
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.index.add(folder)
        fork = Fork(folder.name, folder, process, log)
        self._started[fork.name] = fork
        return fork.state()

    def stop(self, name: str) -> None:
        """End a fork after its present step.

        Raises:
            JournalError: no such fork was started here.
        """
        if name not in self._started:
            raise JournalError(f"no fork {name!r} was started here")
        self._started[name].process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End every fork."""
        for fork in self._started.values():
            if fork.process.poll() is None:
                fork.process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    fork.process.wait(5)
            fork.log.close()

    @staticmethod
    def _free_folder(parent: Path, step: int) -> Path:
        count = 1
        while (folder := parent.with_name(f"{parent.name}-fork{step}" + (f"-{count}" if count > 1 else ""))).exists():
            count += 1
        return folder
