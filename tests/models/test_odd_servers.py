"""Servers that misbehave: what they send is a reply or a ModelError, and no key goes astray."""

import gzip
import json
import socket
import threading
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from cave_sim.models import Asker, ModelError, OpenAIModel, Reply, openai_client
from tests.models.asking import question

pytestmark = pytest.mark.skipif(find_spec("aiohttp") is None, reason="needs the extra llm")

SECRET = "sk-nobody-may-see-this"


@contextmanager
def server(answer):
    """Give every connection the same bytes, whatever it asks; yields the URL, and what was asked."""
    asked = []

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                asked.append(connection.recv(65_536))
                for piece in [answer] if isinstance(answer, bytes) else answer():
                    try:
                        connection.sendall(piece)
                    except OSError:
                        break

    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", asked
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def http(body, status="200 OK", kind="application/json", more=""):
    """Return an answer as it goes over the line."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}Connection: close"
    return f"HTTP/1.1 {status}\r\n{head}\r\n\r\n".encode() + body


def sse(*events, end=b"data: [DONE]\n\n"):
    """Return an answer in events, each as JSON unless it is bytes."""
    told = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in events]
    return http(b"".join(b"data: " + each + b"\n\n" for each in told) + end, kind="text/event-stream")


def said(content, finish="stop", **more):
    """Return the data of a reply."""
    return {"choices": [{"message": {"content": content, **more}, "finish_reason": finish}]}


def piece(content, finish=None, **more):
    """Return the data of a piece of a reply."""
    return {"choices": [{"delta": {"content": content, **more}, "finish_reason": finish}]}


CALL = {"id": "c", "function": {"name": "look", "arguments": {"at": 1}}}
WHOLE = {
    "an error in a body of 200": http({"error": {"message": "overloaded"}}),
    "a page": http(b"<html>welcome</html>", kind="text/html"),
    "nothing": http(b""),
    "null": http(b"null"),
    "a list": http([]),
    "no choices": http({"choices": []}),
    "choices that are null": http({"choices": None}),
    "a choice that is a text": http({"choices": ["hi"]}),
    "a message that is null": http({"choices": [{"message": None}]}),
    "content that is a number": http(said(7)),
    "content that is an object": http(said({"text": "hi"})),
    "content in odd parts": http(said(["hi", None, {"type": "text", "text": 3}])),
    "calls that are texts": http(said(None, tool_calls=["look"])),
    "a call without a function": http(said(None, tool_calls=[{"id": "c"}])),
    "a call whose arguments are no text": http(said(None, tool_calls=[CALL])),
    "reasoning that is a list": http(said("hi", reasoning_content=[1])),
    "a refusal that is an object": http(said("", refusal={"why": 1})),
    "usage that is a text": http({**said("hi"), "usage": "much"}),
    "usage in texts": http({**said("hi"), "usage": {"prompt_tokens": "12", "completion_tokens": "3"}}),
    "usage below nothing": http({**said("hi"), "usage": {"prompt_tokens": -5, "completion_tokens": -1}}),
    "usage in fractions": http({**said("hi"), "usage": {"prompt_tokens": 1.5, "completion_tokens": 1e300}}),
    "an end for a reason that is a number": http(said("hi", finish=5)),
    "an end for a reason that is a list": http(said("hi", finish=["stop"])),
    "bytes that are no UTF-8": http(b'{"choices":[{"message":{"content":"\xff\xfe"}}]}'),
    "half a surrogate": http(b'{"choices":[{"message":{"content":"\\ud800"}}]}'),
    "a nest": http(b'{"choices":' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
    "less than it announces": http(b'{"choices"').replace(b"Length: 10", b"Length: 99"),
    "no HTTP": b"220 mail ready\r\n",
    "a header without an end": b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000,
    "what is no gzip": http(b"plain", more="Content-Encoding: gzip\r\n"),
    "a status that there is not": http({}, status="799 Odd"),
    "a refusal in bytes": http(b"\xff\xfe\x00", status="500 Broken", kind="text/html; charset=utf-16"),
    "a charset that there is not": http({"error": "no"}, status="400 No", kind="text/plain; charset=klingon"),
    "a wait that is no number": http({}, status="429 Slow", more="Retry-After: soon\r\n"),
}
STREAMED = {
    "no end": sse(piece("hi"), end=b""),
    "nothing but an end": sse(),
    "an event that is no JSON": sse(b"{hi"),
    "an event that is a list": sse([1]),
    "an error as a text": sse({"error": "overloaded"}),
    "an error that is a list": sse({"error": [1]}),
    "choices that are a number": sse({"choices": 5}),
    "a choice that is a text": sse({"choices": ["hi"]}),
    "a delta that is a text": sse({"choices": [{"delta": "hi"}]}),
    "a piece that is a number": sse(piece(7, "stop")),
    "a call that is a text": sse(piece(None, tool_calls=["look"])),
    "a call that is told apart by a list": sse(piece(None, tool_calls=[{"index": [1], "function": {}}])),
    "calls told apart in two ways": sse(
        piece(None, tool_calls=[{"index": "a", "function": {}}, {"index": 1, "function": {}}]), piece("", "stop")
    ),
    "usage that is a text": sse({**piece("hi", "stop"), "usage": "much"}),
    "a nest": sse(b"{" + b'"a":[' * 200_000),
    "a whole reply": http(said("hi")),
    "bytes that are no UTF-8": sse(b'{"choices":[{"delta":{"content":"\xff"}}]}'),
}
CASES = [pytest.param(each, False, id=name) for name, each in WHOLE.items()]
CASES += [pytest.param(each, True, id=f"stream of {name}") for name, each in STREAMED.items()]


def outcome(url, stream=False, **options):
    with Asker() as asker:
        model = OpenAIModel("openai/test", api_base=url, stream=stream, timeout_s=5, **options)
        try:
            return asker.ask_all([(model, question())])[0]
        except ModelError as error:
            return error


@pytest.mark.parametrize(("answer", "stream"), CASES)
def test_what_a_server_sends_is_a_reply_or_no_reply(answer, stream):
    with server(answer) as (url, _):
        came = outcome(url, stream)
    assert isinstance(came, Reply | ModelError), came
    if isinstance(came, Reply):
        counts = came.usage.prompt_tokens, came.usage.completion_tokens
        assert all(type(each) is int and each >= 0 for each in counts)
        assert {type(came.text), type(came.finish_reason), type(came.reasoning), type(came.refusal)} == {str}
        assert Reply.from_data(json.loads(json.dumps(came.to_data()))) == came
    else:
        assert len(came.message) < 2_000


def endless():
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
    while True:
        yield b"[" * 1_000_000


def endless_stream():
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    while True:
        yield b"".join(b"data: " + json.dumps(piece("x" * 1_000)).encode() + b"\n\n" for _ in range(500))


def bomb(status="200 OK"):
    return http(gzip.compress(b"[" * 20_000_000, 1), status=status, more="Content-Encoding: gzip\r\n")


@pytest.mark.parametrize(("answer", "stream"), [(endless, False), (bomb(), False), (endless_stream, True)])
def test_an_answer_without_an_end_is_given_up_before_it_fills_the_memory(answer, stream, monkeypatch):
    monkeypatch.setattr(openai_client, "MOST_BYTES", 2_000_000)
    with server(answer) as (url, _):
        came = outcome(url, stream)
    assert (came.kind, "longer than" in came.message) == ("unavailable", True)


def test_a_refusal_without_an_end_is_given_up_too(monkeypatch):
    monkeypatch.setattr(openai_client, "MOST_BYTES", 10_000_000)
    with server(bomb("500 Broken")) as (url, _):
        came = outcome(url)
    assert (came.kind, "longer than" in came.message) == ("unavailable", True)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_prompt_and_key_follow_no_redirect(status, monkeypatch):
    monkeypatch.setenv("CAVE_SIM_API_KEY", SECRET)
    with server(http(said("hi"))) as (elsewhere, asked):
        with server(http(b"", status=status, more=f"Location: {elsewhere}/chat/completions\r\n")) as (url, _):
            came = outcome(url)
        assert isinstance(came, ModelError)
        assert not asked
    assert SECRET not in came.message


def test_a_server_that_sends_the_key_back_has_it_in_no_error(monkeypatch):
    monkeypatch.setenv("CAVE_SIM_API_KEY", SECRET)
    with server(http({"error": {"message": f"bad key Bearer {SECRET}"}}, status="401 No")) as (url, asked):
        came = outcome(url)
    assert SECRET.encode() in asked[0]
    assert SECRET not in came.message
