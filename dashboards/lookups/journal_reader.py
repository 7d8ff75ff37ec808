"""One run as the dashboard reads it: a thread and a read-only connection of its own, reopened for a new file."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from cave_sim import JournalError, Run, open_run
from cave_sim.dashboards.lookups.city_timeline import CityTimeline
from cave_sim.dashboards.lookups.portrayal import Portray, portray, portray_as_told
from cave_sim.dashboards.lookups.timeline_state import TimelineState
from cave_sim.history.narrator import Narrator
from cave_sim.history.shards import shard_folders
from cave_sim.journal.lock import is_locked
from cave_sim.journal.suspicion import understood
from cave_sim.journal.tables import DATABASE

T = TypeVar("T")
QUIET_S = 1.0  # a run that wrote so lately is running; of others, its lock tells


class JournalReader:
    """A run that pages look at.

    All reading happens in one thread, so a connection is never shared and a slow look-up makes nobody's page stutter
    but that of whoever watches the same run; what grows with the run is asked `aside`.

    Args:
        name: how pages call it.
        folder: where it lies.
        portray: how its entities are drawn.
    """

    def __init__(self, name: str, folder: Path, portray: Portray = portray) -> None:
        self.name = name
        self.folder = folder
        self.portray = portray
        self._written = folder / f"{DATABASE}-wal", folder / DATABASE  # the first that is there is written first
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"read {name}")
        self._run: Run | None = None
        self._held: Run | None = None
        self._timeline: TimelineState | None = None
        self._narrator: Narrator | None = None
        self._aside: JournalReader | None = None
        self.is_aside: bool = False
        self._file: tuple[int, int] | None = None
        self._version = -1
        self.states: dict[int, Any] = {}  # states by step, for look-ups that follow each other
        self.outlines: dict[tuple[int, str], Any] = {}  # likewise, by who is whole in it
        self.strip: Any = None  # of time, as far as it was read
        self.story: tuple[tuple[int, ...], list[dict[str, Any]]] | None = None  # and the stamp of what it tells

    @classmethod
    def over(cls, run: Run, portray: Portray = portray) -> JournalReader:
        """Return a reader of a run that is open already, and that its owner closes."""
        reader = cls(run.folder.name, run.folder, portray)
        reader._run, reader._file = run, _identity(run.folder / DATABASE)
        return reader

    async def read(self, look: Callable[..., T], *details: Any) -> T:
        """Return what a look-up `look(reader, *details)` finds, without holding up anybody else.

        Raises:
            JournalError: the run is not there, or not what it should be; always in one line.
        """

        def attempt() -> T:
            with understood(self.folder):
                self._held = self.run  # once a look-up: whether another file took its place costs a system call
                try:
                    return look(self, *details)
                finally:
                    self._held = None

        return await asyncio.get_running_loop().run_in_executor(self._thread, attempt)

    @property
    def run(self) -> Run:
        """The journal, open; to be used by look-ups only, in their thread.

        Raises:
            JournalError: the run is not there (any more).
        """
        if self._held is not None:
            return self._held
        try:
            file = _identity(self.folder / DATABASE)
        except OSError:
            self.shut()
            raise JournalError(f"{self.folder} holds no run (any more)") from None
        begun_anew = self._run is not None and not self._run.follows and is_locked(self.folder)
        if self._run is None or self._file != file or begun_anew:
            self.shut()
            self._run = open_run(self.folder)
            self._file = file
        return self._run

    @property
    def timeline(self) -> TimelineState:
        """Where everybody is at every step; brought up to date by whoever asks for it."""
        run = self.run
        if self._timeline is None or self._timeline.stale:
            by_run = portray_as_told(run.manifest) if self.portray is portray else self.portray
            districts = shard_folders(self.folder)
            self._timeline = CityTimeline(districts, by_run) if districts else TimelineState(run, by_run)
            self._narrator = None
        return self._timeline

    @property
    def acting(self) -> list[tuple[str, Run]]:
        """The journals of those who act, each with the name of its district: of a city there are many, else one."""
        timeline = self.timeline if shard_folders(self.folder) else None
        if isinstance(timeline, CityTimeline):
            return [(run.folder.name, run) for run in timeline.runs]
        return [("", self.run)]

    @property
    def aside(self) -> JournalReader:
        """Another one of the same run, with a thread of its own: for look-ups that read all of it, as pages wait."""
        if self._aside is None:
            self._aside = JournalReader(self.name, self.folder, self.portray)
            self._aside.is_aside = True
        return self._aside

    @property
    def narrator(self) -> Narrator:
        """Who tells this run's cells in sentences."""
        timeline = self.timeline
        if self.is_aside:  # where nobody watches, what is known of newcomers is as old as the last look-up
            timeline.advance()
        if self._narrator is None:
            self._narrator = Narrator.of(timeline.types, (run.manifest for _, run in self.acting))
        return self._narrator

    def shut(self) -> None:
        """Let go of the file."""
        if isinstance(self._timeline, CityTimeline):
            self._timeline.close()
        if self._run is not None:
            self._run.close()
        self._run = self._timeline = self._narrator = self.strip = self.story = None
        self._version = -1
        self.states.clear()
        self.outlines.clear()

    def close(self) -> None:
        """End the thread."""
        if self._aside is not None:
            self._aside.close()
        self._thread.submit(self.shut)
        self._thread.shutdown()

    def stamp(self) -> tuple[int, ...]:
        """Return what changes whenever the run is written to, for as little as asking the file system takes."""
        for path in self._written:
            with suppress(OSError):
                status = path.stat()
                return status.st_ino, status.st_size, status.st_mtime_ns
        return ()

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
        """Return "finished", "running", or "stopped" for a run that nobody writes and that is not finished."""
        if self.entry("finished"):
            return "finished"
        wal = self.folder / f"{DATABASE}-wal"
        written = max((path.stat().st_mtime for path in (self.folder / DATABASE, wal) if path.exists()), default=0.0)
        is_fresh = abs(time.time() - written) < QUIET_S  # one from the future was written before the clock was set back
        return "running" if is_fresh or is_locked(self.folder) else "stopped"


def _identity(path: Path) -> tuple[int, int]:
    """Return what tells a file from another that took its place."""
    status = path.stat()
    return status.st_dev, status.st_ino
