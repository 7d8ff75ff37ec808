"""A server of tools as a process of its own, spoken to over stdin and stdout, whose every reply settles its request.

The library's transport drops a reply that it cannot read, so that whoever asked waits until time is up, and holds a
line of any length. Here a line has a bound, and what cannot be read is told to those who wait, with its beginning.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from cave_sim.mcp.unreadable import PARSE_ERROR, id_in
from cave_sim.policy.text_cleaning import clean

LINE_BYTES = 16_000_000
"""How long a message of a server may be."""
CAME_CHARS = 120
ENDS_S, LOOKS_AGAIN_S, LAST_WORDS_S = 2.0, 0.02, 0.5
"""How long a server is waited for when it is to end, before it is asked by signals; how often it is looked at; and how
long the end of its output is waited for, which a process that it started may hold open."""
DOUBT_S = 2.0
"""How long a server that said what is no message, while somebody waits, has to say one."""
_LOG = logging.getLogger(__name__)


@asynccontextmanager
async def stdio_transport(command: Sequence[str]) -> AsyncIterator[tuple[Any, Any]]:
    """Start a server, and yield the streams on which a client of the library reads and writes; end it afterwards.

    Args:
        command: that starts it.

    Raises:
        OSError: it cannot be started.
    """
    import anyio
    from mcp.client.stdio import get_default_environment

    process = await anyio.open_process(
        list(command),
        stderr=sys.__stderr__ or sys.stderr,  # a file, in notebooks, too
        env=get_default_environment(),
        start_new_session=True,
    )
    received, readable = anyio.create_memory_object_stream[Any](0)
    sent, to_send = anyio.create_memory_object_stream[Any](0)
    async with anyio.create_task_group() as tasks, received, readable, sent, to_send:
        talk = _Talk(process, received, to_send, tasks)
        tasks.start_soon(talk.listen)
        tasks.start_soon(talk.speak)
        try:
            yield readable, sent
        finally:
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await _end(process)


class _Talk:
    """Both directions of one session.

    Args:
        process: the server.
        received: where its messages go.
        to_send: messages for it.
        tasks: those of the session.
    """

    def __init__(self, process: Any, received: Any, to_send: Any, tasks: Any) -> None:
        self._process, self._received, self._to_send, self._tasks = process, received, to_send, tasks
        self._is_doubted = self._has_spoken = False
        self._asked: set[int | str] = set()
        self._waiting: set[int | str] = set()

    async def speak(self) -> None:
        """Write what is to be sent; where that is not possible any more, the client is told that the session ended."""
        import anyio
        from mcp_types import JSONRPCRequest

        try:
            async for item in self._to_send:
                if isinstance(item.message, JSONRPCRequest):
                    self._asked.add(item.message.id)
                    self._waiting.add(item.message.id)
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._process.stdin.send(line.encode(errors="replace") + b"\n")
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            await self._received.aclose()

    async def listen(self) -> None:
        """Hand on each message, and in the place of a reply that cannot be read an error that says so."""
        import anyio
        from anyio.streams.buffered import BufferedByteReceiveStream
        from mcp_types import CONNECTION_CLOSED

        lines = BufferedByteReceiveStream(self._process.stdout)
        async with self._received:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.IncompleteRead, OSError):
                while True:
                    try:
                        line = await lines.receive_until(b"\n", LINE_BYTES)
                    except anyio.DelimiterNotFound:
                        why = f"it says more than {LINE_BYTES:,} bytes without an end of line"
                        await self._refuse(self._waiting, why, CONNECTION_CLOSED)
                        return
                    await self._take(line.decode(errors="replace").strip())

    async def _take(self, line: str) -> None:
        from mcp.shared.message import SessionMessage
        from mcp_types import JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter

        if not line:
            return
        came = clean(line)[:CAME_CHARS]
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            replied = id_in(line)
            if replied in self._waiting:
                await self._refuse({replied}, f"its reply cannot be read: {came}")
            elif '"jsonrpc"' in line:  # of whom it is cannot be told
                await self._refuse(self._waiting, f"a reply cannot be read: {came}")
            else:
                _LOG.warning("%s is no message", came)
                if self._waiting and self._has_spoken and not self._is_doubted:  # one that begins loads for long, aloud
                    self._is_doubted = True
                    self._tasks.start_soon(self._doubt, came)
            return
        self._is_doubted, self._has_spoken = False, True
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            if message.id not in self._asked:
                await self._refuse(self._waiting, f"it answers what was not asked: {came}")
                return
            self._waiting.discard(message.id)
        await self._received.send(SessionMessage(message))

    async def _doubt(self, came: str) -> None:
        """Settle what waits, unless a message follows: words may be a log line, or the answer.

        The protocol allows no words there, so whoever logs there and computes for longer is told so, too.
        """
        import anyio

        await anyio.sleep(DOUBT_S)
        if self._is_doubted:
            self._is_doubted = False
            why = f"it says what is no message: {came}; a server's stdout is for messages alone, logs go to stderr"
            await self._refuse(self._waiting, why)

    async def _refuse(self, requests: set[Any], why: str, code: int = PARSE_ERROR) -> None:
        """Settle requests with an error."""
        from mcp.shared.message import SessionMessage
        from mcp_types import ErrorData, JSONRPCError

        for request in sorted(requests, key=str):
            error = JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=why))
            await self._received.send(SessionMessage(error))
        self._waiting -= requests


async def _end(process: Any) -> None:
    """Let a server end by closing its stdin; if it does not, end it and whatever it started."""
    import anyio

    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_drain, process.stdout)  # one that waits for its output to be taken does not end
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)
            with anyio.move_on_after(ENDS_S):
                while process.returncode is None:  # wait() waits for the ends of pipes that others may hold, too
                    await anyio.sleep(LOOKS_AGAIN_S)
            if process.returncode is not None:
                break
        tasks.cancel_scope.deadline = anyio.current_time() + LAST_WORDS_S


async def _drain(stream: Any) -> None:
    """Take what is said until the end, and pass it over."""
    import anyio

    with suppress(OSError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
        while True:
            await stream.receive()
