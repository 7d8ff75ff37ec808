"""The server that tests of models talk to keeps to the protocol; spoken to without any client library."""

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from cave_sim.testing.openai_server import Answer, OpenAIServer

BODY = {"model": "test", "messages": [{"role": "user", "content": "hi"}]}


def post(server, body, path="/chat/completions"):
    with urlopen(Request(server.url + path, json.dumps(body).encode()), timeout=60) as response:
        return response.read().decode()


def events(text):
    return [line.removeprefix("data: ") for line in text.splitlines() if line]


def test_it_lists_its_model():
    with OpenAIServer(["hi"]) as server, urlopen(server.url + "/models", timeout=60) as response:
        assert [model["id"] for model in json.load(response)["data"]] == ["test"]


def test_answers_come_in_order_and_the_last_one_stays():
    with OpenAIServer(["one", Answer("two")]) as server:
        replies = [json.loads(post(server, BODY))["choices"][0]["message"]["content"] for _ in range(3)]
        assert [seen.body for seen in server.seen] == [BODY] * 3
    assert replies == ["one", "two", "two"]


def test_a_function_answers_what_was_asked():
    with OpenAIServer(lambda body: body["messages"][-1]["content"] * 2) as server:
        assert json.loads(post(server, BODY))["choices"][0]["message"]["content"] == "hihi"


@pytest.mark.parametrize("wants_usage", [True, False])
def test_a_stream_ends_with_a_reason_then_usage_if_it_was_asked_for_then_done(wants_usage):
    with OpenAIServer([Answer("ten letters", finish_reason="length")]) as server:
        text = post(server, {**BODY, "stream": True, "stream_options": {"include_usage": wants_usage}})
    *chunks, done = events(text)
    chunks = [json.loads(chunk) for chunk in chunks]
    assert done == "[DONE]"
    assert ("usage" in chunks[-1]) == wants_usage
    pieces = [choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"]]
    assert "".join(pieces) == "ten letters"
    assert [choice["finish_reason"] for chunk in chunks for choice in chunk["choices"]][-2:] == [None, "length"]


def test_an_error_has_a_status_a_message_and_a_time_to_come_back():
    with OpenAIServer([Answer(status=429, retry_after_s=3, error="busy")]) as server, pytest.raises(HTTPError) as found:
        post(server, BODY)
    with found.value as error:
        assert (error.code, error.headers["Retry-After"]) == (429, "3")
        assert json.load(error)["error"]["message"] == "busy"


def test_a_path_that_it_does_not_serve_is_not_found():
    with OpenAIServer(["hi"]) as server, pytest.raises(HTTPError, match="404") as found:
        post(server, BODY, "/images")
    found.value.close()
