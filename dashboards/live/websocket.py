"""One WebSocket a page: the live edge as differences to what the page has, never more than it can take.

The page says which step it has drawn; only then the next message is sent, with everything since. So a slow page skips
frames, and nothing queues.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from cave_sim import CaveSimError
from cave_sim.dashboards.live.change_poller import ChangePoller
from cave_sim.dashboards.live.control_lines import RemoteControls
from cave_sim.dashboards.live.run_controls import RunControls
from cave_sim.dashboards.live.run_index import RunIndex
from cave_sim.dashboards.lookups.frames import Packed, delta

UNSEEN = 2  # messages that may be under way to one page
BEAT, BEAT_EVERY_S = "{}", 5.0  # a page that hears nothing for three of these says so
LONGEST_WISH = 200


class LiveSockets:
    """The pages that watch, and the runs they watch.

    Args:
        index: the runs.
        boot: tells pages that a new server answers, so that they fetch everything anew.
        trouble: returns by what error a run ended that was started here, and "" of any other.
    """

    def __init__(self, index: RunIndex, boot: str, trouble: Callable[[str], str]) -> None:
        self.index = index
        self._trouble = trouble
        self.boot = boot
        self.controls: dict[str, RunControls | RemoteControls] = {}
        self._pollers: dict[str, ChangePoller] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self) -> None:
        """Remember the loop of the server, which other threads ring."""
        self._loop = asyncio.get_running_loop()

    def ring(self, run: str) -> None:
        """Say, from any thread, that a run has news."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudge, run)

    def _nudge(self, run: str) -> None:
        if run in self._pollers:
            self._pollers[run].nudge()

    async def page(self, socket: WebSocket) -> None:
        """Serve one page until it goes."""
        await socket.accept()
        try:
            name = socket.query_params.get("run", "")
            poller = self._pollers.setdefault(name, ChangePoller(self.index.reader(name)))
        except CaveSimError as error:
            self._pollers.pop(socket.query_params.get("run", ""), None)
            await socket.send_text(
                json.dumps({"status": "gone", "trouble": self.index.wording(error), "boot": self.boot})
            )
            await socket.close()
            return
        poller.join()
        if name in self.controls:
            self.controls[name].opened()
        seen = asyncio.Semaphore(UNSEEN)
        listening = asyncio.create_task(_listen(socket, seen))
        telling = asyncio.create_task(self._tell(socket, poller, seen))
        tasks = [listening, telling, asyncio.create_task(_beat(socket))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)
            poller.leave()

    async def _tell(self, socket: WebSocket, poller: ChangePoller, seen: asyncio.Semaphore) -> None:
        """Send what is new, as often as the page says that it has drawn."""
        known, frame, last_status = 0, None, None  # until the poller has looked once there is nothing to tell
        version: int | None = None
        while True:
            await seen.acquire()
            await poller.beat(known)
            known = poller.serial
            status = self._status(poller)
            moment = poller.moment
            if status != last_status:
                await socket.send_text(json.dumps(status))
                last_status = status
            if moment is None or (frame is moment.frame):
                seen.release()
                continue
            before: Packed | None = frame if version == moment.about["version"] else None
            await socket.send_bytes(delta(before, moment.frame, moment.about))
            frame, version = moment.frame, moment.about["version"]

    def _status(self, poller: ChangePoller) -> dict[str, Any]:
        controls = self.controls.get(poller.reader.name)
        trouble = self._trouble(poller.reader.name) if poller.status == "stopped" else poller.trouble
        status: dict[str, Any] = {"status": poller.status, "trouble": trouble, "boot": self.boot}
        return status | {"live": controls.state() if controls is not None else None}


async def _beat(socket: WebSocket) -> None:
    """Say now and then that somebody is there, by which a page tells a slow run from a line that hangs."""
    while True:
        await asyncio.sleep(BEAT_EVERY_S)
        await socket.send_text(BEAT)


async def _listen(socket: WebSocket, seen: asyncio.Semaphore) -> None:
    """Take what the page says: that it has drawn."""
    while True:
        text = await socket.receive_text()
        if len(text) <= LONGEST_WISH and text == "drawn":
            seen.release()
