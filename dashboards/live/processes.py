"""Runs and studies that pages start: each has a process of its own, and is watched and steered like any other."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from cave_sim import JournalError, WorldError
from cave_sim.dashboards.live.control_lines import RemoteControls
from cave_sim.dashboards.live.run_index import RunIndex

MOST_AT_ONCE = 4


@dataclass
class Started:
    """One that is under way: its process, and where it writes."""

    name: str
    folder: Path
    process: subprocess.Popen[str]
    log: IO[bytes]

    def state(self) -> dict[str, Any]:
        """Return how it goes."""
        code = self.process.poll()
        status = "running" if code is None else "finished" if code == 0 else "failed"
        self.log.seek(0)
        lines = self.log.read()[-2_000:].decode(errors="replace").strip().splitlines()
        trouble = lines[-1].removeprefix("cave-sim: ") if status == "failed" and lines else ""
        return {"run": self.name, "status": status, "trouble": trouble}


class Processes:
    """Starts `cave-sim` in processes of their own, a few at once, and ends them with the server.

    Args:
        index: learns of what they write.
        steer: called with the name and the controls of a run that can be steered.
        ring: called with the name of a run in which something changed, from any thread.
    """

    def __init__(
        self, index: RunIndex, steer: Callable[[str, RemoteControls], None], ring: Callable[[str], None]
    ) -> None:
        self.index = index
        self._steer, self._ring = steer, ring
        self._started: dict[str, Started] = {}

    def states(self) -> list[dict[str, Any]]:
        """Return everything that was started here."""
        return [each.state() for each in self._started.values()]

    def trouble(self, name: str) -> str:
        """Return by what error one ended that was started here; "" if it did not, or is none of those."""
        return str(self._started[name].state()["trouble"]) if name in self._started else ""

    def start(self, folder: Path, words: Sequence[str], *, steered: bool = False) -> dict[str, Any]:
        """Start a command that writes into a folder, by whose name pages call it.

        Args:
            folder: of the run, or of the study, that there will be; :meth:`free`.
            words: of the command line behind `cave-sim`.
            steered: whether it is a run with `--watch=lines`.

        Raises:
            WorldError: too many are under way at once.
        """
        if sum(each.process.poll() is None for each in self._started.values()) >= MOST_AT_ONCE:
            raise WorldError(f"{MOST_AT_ONCE} of those that were started here are running already; wait, or stop one")
        log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        read, write = (subprocess.PIPE, subprocess.PIPE) if steered else (subprocess.DEVNULL, log)
        process = subprocess.Popen(
            [sys.executable, "-m", "cave_sim", *words], stdin=read, stdout=write, stderr=log, encoding="utf-8"
        )
        self.index.add(folder)
        if process.stdin and process.stdout:
            ring = partial(self._ring, folder.name)
            self._steer(folder.name, RemoteControls(process.stdin, process.stdout, ring, process.wait))
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
