"""Messages between the processes of one host: JSON, and bytes that go with it. Nothing is ever pickled."""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from typing import Any

import msgspec

_HEADER = struct.Struct("!QQ")
_CHUNK_BYTES = 1 << 20


class ChannelClosed(ConnectionError):
    """The other side is gone."""


class ChannelTimeout(TimeoutError):
    """The other side did not answer in time."""


class Channel:
    """One end of a connection."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def send(self, message: Any, blob: bytes = b"") -> None:
        """Send a message; raises ChannelClosed."""
        data = encode(message)
        try:
            self.sock.sendall(_HEADER.pack(len(data), len(blob)) + data + blob)
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def receive(self, within_s: float | None = None) -> tuple[Any, bytes]:
        """Return the next message and the bytes that go with it.

        Raises:
            ChannelClosed: the other side is gone.
            ChannelTimeout: the whole of it did not arrive within ``within_s`` seconds.
        """
        due = None if within_s is None else time.monotonic() + within_s
        size, extra = _HEADER.unpack(self._exactly(_HEADER.size, due))
        return msgspec.json.decode(self._exactly(size, due)), self._exactly(extra, due)

    def has_come(self, within_s: float) -> bool:
        """Wait for so long at most until a message begins, or the other side is gone."""
        return bool(select.select([self.sock], [], [], within_s)[0])

    def close(self) -> None:
        """Hang up."""
        self.sock.close()

    def _exactly(self, count: int, due: float | None) -> bytes:
        parts = []
        while count:
            if due is not None and not select.select([self.sock], [], [], max(0.0, due - time.monotonic()))[0]:
                raise ChannelTimeout("no answer")
            try:
                part = self.sock.recv(min(count, _CHUNK_BYTES))
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            if not part:
                raise ChannelClosed("the other side ended")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def encode(message: Any) -> bytes:
    """Return JSON; integers beyond 64 bits are written by the standard library."""
    try:
        return msgspec.json.encode(message)
    except OverflowError:
        return json.dumps(msgspec.to_builtins(message), ensure_ascii=False, allow_nan=False).encode()
