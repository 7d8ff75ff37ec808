"""Runs and studies that pages start: each goes on in a process of its own, and is watched like any other."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cave_sim import JournalError, WorldError
from cave_sim.dashboards.live.run_index import RunIndex

MOST_AT_ONCE = 4


@dataclass
class Started:
    """One that is under way: its process, and where it writes."""

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


class Processes:
    """Starts `cave-sim` in processes of their own, a few at once, and ends them with the server."""

    def __init__(self, index: RunIndex) -> None:
        self.index = index
        self._started: dict[str, Started] = {}

    def states(self) -> list[dict[str, Any]]:
        """Return everything that was started here."""
        return [each.state() for each in self._started.values()]

    def start(self, folder: Path, words: Sequence[str]) -> dict[str, Any]:
        """Start a command that writes into a folder, by whose name pages call it.

        Args:
            folder: of the run, or of the study, that there will be; :meth:`free`.
            words: of the command line behind `cave-sim`.

        Raises:
            WorldError: too many are under way at once.
        """
        if sum(each.process.poll() is None for each in self._started.values()) >= MOST_AT_ONCE:
            raise WorldError(f"{MOST_AT_ONCE} of those that were started here are running already; wait, or stop one")
        log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        process = subprocess.Popen(
            [sys.executable, "-m", "cave_sim", *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        self.index.add(folder)
        started = Started(folder.name, folder, process, log)
        self._started[started.name] = started
        return started.state()

    def free(self, first: Path) -> Path:
        """Return a folder, or the next one by number that neither is there nor will be by what was started here."""
        taken = {each.folder for each in self._started.values()}
        folder, count = first, 1
        while folder.exists() or folder in taken:
            count += 1
            folder = first.with_name(f"{first.name}-{count}")
        return folder

    def stop(self, name: str) -> None:
        """End one after its present step.

        Raises:
            JournalError: none of that name was started here.
        """
        if name not in self._started:
            raise JournalError(f"nothing called {name!r} was started here")
        self._started[name].process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End all of them."""
        for each in self._started.values():
            if each.process.poll() is None:
                each.process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    each.process.wait(5)
            each.log.close()
