"""One run as the dashboard reads it: its own thread, its own read-only connection, reopened when the file is replaced."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from cave_sim import JournalError, Run, open_run
from cave_sim.journal.store import DATABASE
from dashboards.live.portrayal import Portray, portray
from dashboards.live.track import Track

T = TypeVar("T")
QUIET_AFTER_S = 20.0  # a run that has written nothing for so long, and is not finished, is shown as silent


class Source:
    """A run that pages look at.

    All reading happens in one thread, so a connection is never shared and a slow look-up makes nobody's page stutter
    but that of whoever watches the same run.

    Args:
        name: how pages call it.
        folder: where it lies.
        portray: how its entities are drawn.
    """

    def __init__(self, name: str, folder: Path, portray: Portray = portray) -> None:
        self.name, self.folder, self.portray = name, folder, portray
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"read {name}")
        self._run: Run | None = None
        self._track: Track | None = None
        self._file: tuple[int, int] | None = None
        self._version = -1
        self.kept: dict[int, Any] = {}  # states by step, for look-ups that follow each other

    async def read(self, look: Callable[..., T], *details: Any) -> T:
        """Return what a look-up `look(source, *details)` finds, without holding up anybody else."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, look, self, *details)

    @property
    def run(self) -> Run:
        """The journal, open; to be used by look-ups only, in their thread.

        Raises:
            JournalError: the run is not there (any more).
        """
        path = self.folder / DATABASE
        try:
            found = path.stat()
        except OSError:
            self.shut()
            raise JournalError(f"{self.folder} holds no run (any more)") from None
        if self._run is None or self._file != (found.st_dev, found.st_ino):
            self.shut()
            self._run = open_run(self.folder)
            self._file = found.st_dev, found.st_ino
        return self._run

    @property
    def track(self) -> Track:
        """Where everybody is at every step; brought up to date by whoever asks for it."""
        run = self.run
        if self._track is None or self._track.stale:
            self._track = Track(run, self.portray)
        return self._track

    def shut(self) -> None:
        """Let go of the file."""
        if self._run is not None:
            self._run.close()
        self._run = self._track = None
        self._version = -1
        self.kept.clear()

    def close(self) -> None:
        """End the thread."""
        self._thread.submit(self.shut)
        self._thread.shutdown()

    def news(self) -> bool:
        """Say whether the file was written to since the last call."""
        version = int(self.run.query("PRAGMA data_version")[0][0])
        fresh, self._version = version != self._version, version
        return fresh

    def entry(self, key: str, default: Any = None) -> Any:
        """Return an entry of the manifest as it is now: `finished` comes while we watch."""
        rows = self.run.query("SELECT value FROM manifest WHERE key = ?", key)
        return json.loads(rows[0][0]) if rows else default

    def status(self) -> str:
        """Return "finished", "running", or "silent" for a run that ended without a word, or takes very long steps."""
        if self.entry("finished"):
            return "finished"
        wal = self.folder / f"{DATABASE}-wal"
        try:
            written = max(path.stat().st_mtime for path in (self.folder / DATABASE, wal) if path.exists())
        except (OSError, ValueError):
            return "silent"
        return "running" if time.time() - written < QUIET_AFTER_S else "silent"
