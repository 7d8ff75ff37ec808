"""One WebSocket a page: the live edge as differences to what the page has, never more than it can take.

The page says which step it has drawn; only then the next message is sent, with everything since. So a slow page skips
frames, and nothing queues.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from cave_sim import CaveSimError
from cave_sim.dashboards.live.helm import Helm
from cave_sim.dashboards.live.library import Library
from cave_sim.dashboards.live.pulse import Pulse
from cave_sim.dashboards.live.wire import Packed, delta

UNSEEN = 2  # messages that may be under way to one page
LONGEST_WISH = 200


class Wire:
    """The pages that watch, and the runs they watch.

    Args:
        library: the runs.
        boot: tells pages that a new server answers, so that they fetch everything anew.
    """

    def __init__(self, library: Library, boot: str) -> None:
        self.library, self.boot = library, boot
        self.helms: dict[str, Helm] = {}
        self._pulses: dict[str, Pulse] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self) -> None:
        """Remember the loop of the server, which other threads ring."""
        self._loop = asyncio.get_running_loop()

    def ring(self, run: str) -> None:
        """Say, from any thread, that a run has news."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudge, run)

    def _nudge(self, run: str) -> None:
        if run in self._pulses:
            self._pulses[run].nudge()

    async def page(self, socket: WebSocket) -> None:
        """Serve one page until it goes."""
        await socket.accept()
        try:
            name = socket.query_params.get("run", "")
            pulse = self._pulses.setdefault(name, Pulse(self.library.source(name)))
        except CaveSimError as error:
            self._pulses.pop(socket.query_params.get("run", ""), None)
            await socket.send_text(json.dumps({"status": "gone", "trouble": str(error), "boot": self.boot}))
            await socket.close()
            return
        pulse.join()
        seen = asyncio.Semaphore(UNSEEN)
        listening = asyncio.create_task(_listen(socket, seen))
        telling = asyncio.create_task(self._tell(socket, pulse, seen))
        try:
            await asyncio.wait([listening, telling], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, telling):
                task.cancel()
            with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
                await asyncio.gather(listening, telling, return_exceptions=True)
            pulse.leave()

    async def _tell(self, socket: WebSocket, pulse: Pulse, seen: asyncio.Semaphore) -> None:
        """Send what is new, as often as the page says that it has drawn."""
        known, frame, said = -1, None, None
        version: int | None = None
        while True:
            await seen.acquire()
            await pulse.beat(known)
            known = pulse.serial
            status = self._status(pulse)
            moment = pulse.moment
            if status != said:
                await socket.send_text(json.dumps(status))
                said = status
            if moment is None or (frame is moment.frame):
                seen.release()
                continue
            before: Packed | None = frame if version == moment.told["version"] else None
            await socket.send_bytes(delta(before, moment.frame, moment.told))
            frame, version = moment.frame, moment.told["version"]

    def _status(self, pulse: Pulse) -> dict[str, Any]:
        helm = self.helms.get(pulse.source.name)
        told: dict[str, Any] = {"status": pulse.status, "trouble": pulse.trouble, "boot": self.boot}
        return told | {"live": helm.told() if helm is not None else None}


async def _listen(socket: WebSocket, seen: asyncio.Semaphore) -> None:
    """Take what the page says: that it has drawn."""
    while True:
        text = await socket.receive_text()
        if len(text) <= LONGEST_WISH and text == "drawn":
            seen.release()
