"""The live edge of a run: read once when something was written, told to every page that watches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from cave_sim import CaveSimError
from cave_sim.dashboards.lookups.frames import Packed, head, packed
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.series import at_step

LOOK_EVERY_S = 0.02
LOOK_AT_FINISHED_EVERY_S = 1.0
LEAST_OF_A_STEP, LONGEST_REST_S = 0.4, 0.1
"""No step is expected sooner behind another than this share of what lay between the two before it."""
SAY_STATUS_EVERY_LOOKS = 40
READ_EVERY_LOOKS = 10
"""A look goes by the times of the files, which tell two commits of one moment apart as little as clocks do: so the file
itself is asked now and then as well."""


@dataclass(frozen=True)
class LatestScene:
    """The newest step: its head, and everybody's place in it."""

    about: dict[str, Any]
    frame: Packed


@dataclass
class ChangePoller:
    """Watches one run's file for as long as a page does.

    Attributes:
        reader: the run.
        moment: the newest step that was read, or None before the first.
        watchers: how many pages watch.
        serial: counts what there is to tell; 0 before the first look.
        status: "running", "finished", "stopped", or "gone" with the reason in `trouble`.
    """

    reader: JournalReader
    moment: LatestScene | None = None
    status: str = "running"
    trouble: str = ""
    watchers: int = 0
    serial: int = 0
    _beat: asyncio.Condition = field(default_factory=asyncio.Condition)
    _nudge: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None
    _rung: bool = False

    def nudge(self) -> None:
        """Look now: whoever runs the simulation in this process knows that a step was committed."""
        self._rung = True
        self._nudge.set()

    async def beat(self, known: int) -> None:
        """Wait until there is something else than what a page knows, by `serial`."""
        async with self._beat:
            await self._beat.wait_for(lambda: self.serial != known)

    def join(self) -> None:
        """Count a page in; the first one starts the watch."""
        self.watchers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def leave(self) -> None:
        """Count a page out; the last one ends the watch."""
        self.watchers -= 1
        if self.watchers == 0 and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        looks, known = 0, None
        loop = asyncio.get_running_loop()
        grown_at = loop.time()
        while True:
            stamp = self.reader.stamp()
            if stamp == known and not self._rung and looks % READ_EVERY_LOOKS:
                looks += 1
                await self._rest()
                continue
            known, before = stamp, (self.status, self.moment)
            try:
                last = None if self.status == "gone" else self.moment
                is_asked = looks % SAY_STATUS_EVERY_LOOKS == 0
                moment, self.status = await self.reader.read(_look, last, self.status, is_asked)
                self.moment, self.trouble = moment or self.moment, ""
            except CaveSimError as error:
                name, folder = self.reader.name, str(self.reader.folder)  # no page is told where this machine keeps it
                message = str(error).replace(f"cave-sim doctor {folder}", f"cave-sim doctor {name}")
                self.status, self.trouble = "gone", message.replace(folder, f"the run {name}")
            except Exception as error:  # whatever it fell over: a watch that ended would leave its pages waiting
                self.status, self.trouble = "gone", f"reading it failed: {type(error).__name__}: {error}"
            if before != (self.status, self.moment) or self._rung or not self.serial:
                self._rung = False
                async with self._beat:
                    self.serial += 1
                    self._beat.notify_all()
            looks += 1
            now, at_least_s = loop.time(), 0.0
            if before[1] is not self.moment:
                at_least_s, grown_at = min(LONGEST_REST_S, LEAST_OF_A_STEP * (now - grown_at)), now
            await self._rest(at_least_s)

    async def _rest(self, at_least_s: float = 0.0) -> None:
        wait_s = LOOK_AT_FINISHED_EVERY_S if self.status in ("finished", "gone") else max(LOOK_EVERY_S, at_least_s)
        timer = asyncio.get_running_loop().call_later(wait_s, self._nudge.set)  # fifty times a second no exception
        try:
            await self._nudge.wait()
        finally:
            timer.cancel()
        self._nudge.clear()


def _look(
    reader: JournalReader, before: LatestScene | None, status: str, is_asked: bool
) -> tuple[LatestScene | None, str]:
    """Return the newest step as :func:`_newest` does, and the status: one that goes on is asked for it now and then."""
    moment = _newest(reader, before)
    begins_anew = moment is not None and status != "running"
    return moment, reader.status() if is_asked or begins_anew else status


def _newest(reader: JournalReader, before: LatestScene | None) -> LatestScene | None:
    """Return the newest step, or None if it is known already."""
    if before is not None and not reader.news():
        return None
    timeline = reader.timeline
    timeline.advance()
    if before is not None and (timeline.last.step, timeline.version) == (before.about["step"], before.about["version"]):
        return None
    about = head(timeline.last) | {"version": timeline.version, "measures": at_step(reader, timeline.last.step)}
    return LatestScene(about, packed(timeline, timeline.last))
