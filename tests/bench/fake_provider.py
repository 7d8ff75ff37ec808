"""A provider in a process of its own, for crowds: it answers every chat completion alike, after some time.

``python -m tests.bench.fake_provider LATENCY_S SPREAD_S`` prints its port, and ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TEXT = "```python\n# I wait.\nme.energy = 0.25\n```"
USAGE = {"prompt_tokens": 1_000, "completion_tokens": 20, "total_tokens": 1_020}


def answer() -> bytes:
    """Return the whole HTTP response that everybody gets."""
    message = {"role": "assistant", "content": TEXT}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "test", "choices": choices, "usage": USAGE}
    body = json.dumps(whole).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


class Connection(asyncio.Protocol):
    """One connection; a request is answered after its time, and told from the next by its Content-Length."""

    def __init__(self, latency_s: float, spread_s: float) -> None:
        self.latency_s, self.spread_s = latency_s, spread_s
        self.received, self.answer = b"", answer()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = self.received[:end].lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            if len(self.received) < end + 4 + length:
                return
            self.received = self.received[end + 4 + length :]
            wait_s = random.uniform(self.latency_s - self.spread_s, self.latency_s + self.spread_s)
            asyncio.get_running_loop().call_later(wait_s, self.reply)

    def reply(self) -> None:
        """Send the answer, if anybody is still there."""
        if not self.transport.is_closing():
            self.transport.write(self.answer)


async def serve(latency_s: float, spread_s: float) -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(latency_s, spread_s), "127.0.0.1", 0, backlog=4_096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextmanager
def provider(latency_s: float, spread_s: float = 0.0) -> Iterator[str]:
    """Run a provider in a process of its own while the context lasts; yields the URL to ask it at."""
    command = [sys.executable, "-m", "tests.bench.fake_provider", str(latency_s), str(spread_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.stdin.close()
            process.wait()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), float(sys.argv[2])))
