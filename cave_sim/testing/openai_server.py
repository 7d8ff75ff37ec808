"""A server that speaks OpenAI's chat protocol on this machine: real HTTP for tests of models, without any model.

    with OpenAIServer(lambda body: "me.mood = 0.5") as server:
        model = OpenAIModel("openai/test", api_base=server.url)

It answers plainly or in a stream, as it is asked, and can do what servers do on bad days: see :class:`Answer`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

PIECE_CHARS = 7  # streams come in pieces that split words, and fences


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    Attributes:
        text: what the model says.
        status: HTTP status; anything but 200 sends an error instead of the text.
        retry_after_s: what the header Retry-After says, in seconds; None for no such header.
        finish_reason: why it ended.
        tool_calls: (name, JSON text of the arguments) of each tool that it wants called.
        reasoning: what it thinks first.
        refusal: why it will not answer.
        prompt_tokens: what usage says was read.
        completion_tokens: what usage says was written; None for a token a piece.
        cached_tokens: what usage says was read from the cache.
        has_usage: whether there is any usage in the answer.
        delay_s: seconds until the answer begins.
        pause_s: seconds between the pieces of a stream.
        hangs_after: how many pieces of a stream come before it falls silent; None for all.
        drops_after: how many pieces of a stream come before the connection is lost; None for all.
        ends_after: how many pieces of a stream come before it is closed as if that were all; None for all.
        is_broken: the answer is cut off in the middle of its JSON.
        error: what an error's message says.
    """

    text: str = ""
    status: int = 200
    retry_after_s: float | None = None
    finish_reason: str = "stop"
    tool_calls: tuple[tuple[str, str], ...] = ()
    reasoning: str = ""
    refusal: str = ""
    prompt_tokens: int = 11
    completion_tokens: int | None = None
    cached_tokens: int = 0
    has_usage: bool = True
    delay_s: float = 0.0
    pause_s: float = 0.0
    hangs_after: int | None = None
    drops_after: int | None = None
    ends_after: int | None = None
    is_broken: bool = False
    error: str = "it is one of those days"

    @property
    def pieces(self) -> list[str]:
        """The text as a stream brings it."""
        return [self.text[at : at + PIECE_CHARS] for at in range(0, len(self.text), PIECE_CHARS)]

    def usage(self) -> dict[str, Any]:
        """Return the usage as OpenAI words it."""
        completion_tokens = len(self.pieces) if self.completion_tokens is None else self.completion_tokens
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": self.prompt_tokens + completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }

    def beside(self) -> dict[str, str]:
        """Return what is said beside the text, as servers word it."""
        fields = {"reasoning_content": self.reasoning, "refusal": self.refusal}
        return {name: text for name, text in fields.items() if text}

    def calls(self) -> list[dict[str, Any]]:
        """Return the tool calls as OpenAI words them."""
        return [
            {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(self.tool_calls)
        ]


Body = dict[str, Any]
Script = Callable[[Body], str | Answer] | Sequence[str | Answer]


@dataclass
class ReceivedRequest:
    """A request as it came in: its JSON, and its headers with small names."""

    body: Body
    headers: dict[str, str] = field(repr=False)  # a key may be among them


class OpenAIServer:
    """Serves ``/v1/chat/completions``, ``/v1/embeddings`` and ``/v1/models`` on a free port of 127.0.0.1, for a while.

    The embedding of a text is its length, and 1. It serves while the context lasts.

    Below ``/v1/elsewhere`` it redirects.

    Args:
        script: a function of a request's JSON, or answers in the order of requests, of which the last is kept.

    Attributes:
        seen: the requests that came, in order.
        peak_in_flight: the most requests that were being answered at once.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self.closing: threading.Event = threading.Event()
        self.seen: list[ReceivedRequest] = []
        self.in_flight: int = 0
        self.peak_in_flight: int = 0
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """What clients take as their API base."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, request: ReceivedRequest) -> Answer:
        """Return what is to be done with a request."""
        with self._lock:
            number = len(self.seen)
            self.seen.append(request)
        if callable(self._script):
            answer = self._script(request.body)
        else:
            answer = self._script[min(number, len(self._script) - 1)]
        return answer if isinstance(answer, Answer) else Answer(answer)

    def count(self, change: int) -> None:
        """Note that an answer began (1) or ended (-1)."""
        with self._lock:
            self.in_flight += change
            self.peak_in_flight = max(self.peak_in_flight, self.in_flight)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1_024

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that give up are part of the tests."""


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"ours": server})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    ours: OpenAIServer

    def do_GET(self) -> None:
        self._send_json(200, {"object": "list", "data": [{"id": "test", "object": "model", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/elsewhere/chat/completions"):
            self.send_response(307)
            self.send_header("Location", self.path.replace("/elsewhere", ""))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if not self.path.endswith(("/chat/completions", "/embeddings")):
            self._send_json(404, _error(f"there is no {self.path} here"))
            return
        answer = self.ours.answer(ReceivedRequest(body, {name.lower(): value for name, value in self.headers.items()}))
        self.ours.count(1)
        try:
            if self.path.endswith("/embeddings") and answer.status == 200:
                self._send_json(200, _vectors(body, answer))
            else:
                self._send(body, answer)
        finally:
            self.ours.count(-1)

    def log_message(self, *_message: Any) -> None:
        """Say nothing: a test's output is its own."""

    def _send(self, body: Body, answer: Answer) -> None:
        self.ours.closing.wait(answer.delay_s)
        if answer.status != 200:
            self._send_json(answer.status, _error(answer.error), answer.retry_after_s)
        elif body.get("stream"):
            self._send_stream(body, answer)
        else:
            self._send_json(200, _whole(body, answer), is_broken=answer.is_broken)

    def _send_json(
        self, status: int, data: Any, retry_after_s: float | None = None, *, is_broken: bool = False
    ) -> None:
        content = json.dumps(data).encode()
        content = content[: len(content) // 2] if is_broken else content
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if retry_after_s is not None:
            self.send_header("Retry-After", f"{retry_after_s:g}")
        self.end_headers()
        self.wfile.write(content)

    def _send_stream(self, body: Body, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(_events(body, answer)):
            if answer.hangs_after is not None and number > answer.hangs_after:
                self.ours.closing.wait()
                return
            if answer.drops_after is not None and number > answer.drops_after:
                self.close_connection = True
                return
            if answer.ends_after is not None and number > answer.ends_after:
                self._send_chunk("")
                return
            line = json.dumps(event)
            self._send_chunk(f"data: {line[: len(line) // 2] if answer.is_broken else line}\n\n")
            self.ours.closing.wait(answer.pause_s)
        self._send_chunk("data: [DONE]\n\n")
        self._send_chunk("")

    def _send_chunk(self, text: str) -> None:
        content = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))


def _error(message: str) -> Body:
    return {"error": {"message": message, "type": "server_error", "code": None}}


def _frame(body: Body, kind: str) -> Body:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": body.get("model", "test")}


def _vectors(body: Body, answer: Answer) -> Body:
    """Return embeddings, the last one first: clients go by ``index``."""
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(body["input"])]
    return {"object": "list", "data": rows[::-1], "usage": answer.usage()}


def _whole(body: Body, answer: Answer) -> Body:
    message: Body = {"role": "assistant", "content": answer.text}
    if answer.tool_calls:
        message["tool_calls"] = answer.calls()
    message |= answer.beside()
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    usage = {"usage": answer.usage()} if answer.has_usage else {}
    return {**_frame(body, "chat.completion"), "choices": [choice], **usage}


def _events(body: Body, answer: Answer) -> Iterator[Body]:
    frame = _frame(body, "chat.completion.chunk")
    deltas: list[Body] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in answer.pieces)]
    if answer.tool_calls:
        deltas.append({"tool_calls": answer.calls()})
    if answer.beside():
        deltas.append(answer.beside())
    for delta in deltas:
        yield {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish_reason}]}
    if answer.has_usage and (body.get("stream_options") or {}).get("include_usage"):
        yield {**frame, "choices": [], "usage": answer.usage()}
