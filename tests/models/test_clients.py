"""Models behind servers, by litellm and by our own client, over real HTTP, against a server on this machine."""

import logging
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from cave_sim import MissingExtra, WorldError
from cave_sim.models import (
    Asker,
    Cassette,
    LiteLLMModel,
    Message,
    ModelError,
    OpenAIModel,
    Price,
    RecordedModel,
    RecordingModel,
    Reply,
    Retrying,
    Throttled,
    ToolCall,
    Usage,
    ask,
    listed_models,
    offline_counter,
)
from cave_sim.models.listed_models import dropped_options
from cave_sim.testing.openai_server import Answer, OpenAIServer
from tests.models.asking import question

pytestmark = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")

CELL = "Good morning.\n```python\nme.mood = 0.5\n```\n"
ANYTHING = question()
SECRET = "sk-a-very-secret-key"
TOOL = {
    "type": "function",
    "function": {"name": "walk", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}},
}


@pytest.fixture(scope="module", autouse=True)
def warm():
    """Let litellm do once what its first call takes half a second for."""
    with OpenAIServer(["hi"]) as server:
        ask(LiteLLMModel("openai/test", api_base=server.url), question())


@pytest.fixture(params=[LiteLLMModel, OpenAIModel], ids=["litellm", "ours"])
def client(request):
    """Return a class of models."""
    return request.param


@pytest.fixture(params=[False, True], ids=["plain", "stream"])
def asked(request, client):
    """Return a function that asks a server with one answer, and keeps what it saw."""

    def asking(*answers, question=ANYTHING, **options):
        with OpenAIServer(answers) as server:
            asking.url = server.url
            try:
                return ask(client("openai/test", api_base=server.url, stream=request.param, **options), question)
            finally:
                asking.seen = server.seen

    return asking


def failure(asked, *answers, **options):
    with pytest.raises(ModelError) as found:
        asked(*answers, **options)
    return found.value


def test_a_reply_comes_with_its_usage(asked):
    reply = asked(Answer(CELL, prompt_tokens=20, completion_tokens=9, cached_tokens=16))
    assert (reply.text, reply.finish_reason, reply.model) == (CELL, "stop", "openai/test")
    assert reply.usage == Usage(20, 9, 16)
    assert reply.latency_s > 0


def test_a_request_arrives_as_it_was_made(asked):
    options = {"max_tokens": 40, "temperature": 0.5, "stop": ("END",)}
    asked("hi", question=question("hyvää päivää", **options), extra={"seed": 7})
    body = asked.seen[0].body
    assert body["messages"] == [
        {"role": "system", "content": "you live here"},
        {"role": "user", "content": "hyvää päivää"},
    ]
    found = {name: body.get(name) for name in ("model", "max_tokens", "temperature", "stop", "seed")}
    assert found == {"model": "test", "max_tokens": 40, "temperature": 0.5, "stop": ["END"], "seed": 7}


def test_a_usage_that_is_not_reported_is_counted_here_and_called_an_estimate(asked):
    reply = asked(Answer(CELL, has_usage=False))
    counter = offline_counter()
    assert reply.usage == Usage(counter.of_request(question()), counter(CELL), is_estimate=True)


@pytest.mark.long
def test_a_truncated_reply_says_so(asked):
    assert asked(Answer("me.mo", finish_reason="length")).is_truncated


def test_an_empty_reply_is_a_reply(asked):
    reply = asked("")
    assert (reply.text, reply.finish_reason) == ("", "stop")


def test_a_tool_that_is_called_comes_back_as_it_was_written(asked):
    answer = Answer("", tool_calls=(("walk", '{"to": "home"}'), ("walk", "{")), finish_reason="tool_calls")
    reply = asked(answer, question=question(tools=(TOOL,)))
    assert reply.tool_calls == (ToolCall("call_0", "walk", '{"to": "home"}'), ToolCall("call_1", "walk", "{"))
    assert asked.seen[0].body["tools"] == [TOOL]


def test_the_answer_to_a_tool_call_is_sent_back_with_its_id(asked):
    call = ToolCall("call_0", "walk", "{}")
    before = question()
    said = (*before.messages, Message("assistant", "", (call,)), Message("tool", "you are home", call="call_0"))
    asked("hi", question=type(before)(said, tools=(TOOL,)))
    *_, calling, answering = asked.seen[0].body["messages"]
    assert calling["tool_calls"][0]["function"] == {"name": "walk", "arguments": "{}"}
    assert answering == {"role": "tool", "content": "you are home", "tool_call_id": "call_0"}


def test_a_rate_limit_brings_its_retry_after(asked):
    error = failure(asked, Answer(status=429, retry_after_s=1.5))
    assert (error.kind, error.retry_after_s) == ("rate_limited", 1.5)
    assert str(error).startswith(f"openai/test at {asked.url}: ")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(status=500), "unavailable"),
        (Answer(status=503), "unavailable"),
        (Answer(status=408), "timeout"),
        (Answer(status=401), "denied"),
        (Answer(status=404), "denied"),
        (Answer(status=400), "refused"),
        (Answer(status=429, error="insufficient_quota: pay first"), "denied"),
        (Answer(status=400, error="This model's maximum context length is 100 tokens"), "too_long"),
        (Answer(CELL, is_broken=True), "unavailable"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.status}{' broken' * value.is_broken}",
)
def test_what_goes_wrong_is_told_apart_and_not_retried_behind_our_back(asked, answer, kind):
    assert failure(asked, answer).kind == kind
    assert len(asked.seen) == 1


def test_a_server_that_is_not_there_is_unavailable(client):
    with OpenAIServer(["hi"]) as server:
        url = server.url
    with pytest.raises(ModelError) as found:
        ask(client("openai/test", api_base=url), question())
    assert found.value.kind == "unavailable"


def test_a_reply_that_takes_too_long_is_given_up(asked):
    error = failure(asked, Answer(CELL, delay_s=30), timeout_s=0.3)
    assert error.kind == "timeout"
    assert "no complete reply within timeout_s=0.3" in str(error)


def test_a_stream_that_falls_silent_is_given_up(client):
    with OpenAIServer([Answer(CELL, hangs_after=3)]) as server, pytest.raises(ModelError) as found:
        ask(client("openai/test", stream=True, api_base=server.url, idle_s=0.2), question())
    assert found.value.kind == "timeout"
    assert "fell silent for idle_s=0.2" in str(found.value)


def test_a_stream_that_breaks_off_is_no_reply(client):
    with OpenAIServer([Answer(CELL, drops_after=3)]) as server, pytest.raises(ModelError) as found:
        ask(client("openai/test", stream=True, api_base=server.url), question())
    assert found.value.kind == "unavailable"


def test_a_stream_may_be_slow_as_long_as_it_goes_on(client):
    with OpenAIServer([Answer(CELL, pause_s=0.2)]) as server:
        model = client("openai/test", stream=True, api_base=server.url, idle_s=1.5)
        reply = ask(model, question())
    assert reply.text == CELL
    assert reply.latency_s > model.idle_s


def test_bad_days_are_survived_with_retries(client):
    days = [Answer(status=429, retry_after_s=0.05), Answer(status=500), Answer(CELL, is_broken=True), Answer(CELL)]
    with OpenAIServer(days) as server:
        model = Retrying(client("openai/test", api_base=server.url), first_s=0.01)
        assert ask(model, question()).text == CELL
        assert len(server.seen) == 4


def test_a_crowd_is_answered_each_their_own_within_the_throttle(client):
    def script(body):
        return Answer(f"hello {body['messages'][-1]['content']}", delay_s=0.05)

    with OpenAIServer(script) as server, Asker() as asker:
        model = client("openai/test", api_base=server.url)
        throttled = Throttled(model)
        throttled.throttle.limit = 4.0
        replies = asker.ask_all((throttled, question(f"number {number}")) for number in range(30))
        assert [reply.text for reply in replies] == [f"hello number {number}" for number in range(30)]
        assert 4 <= server.peak_in_flight <= throttled.throttle.peak_in_flight


def test_an_asker_keeps_its_connections_until_it_closes_and_leaves_none():
    clients = listed_models.library().in_memory_llm_clients_cache.cache_dict
    before = len(clients)
    with OpenAIServer(["hi"]) as server:
        model = LiteLLMModel("openai/test", api_base=server.url)
        for _ in range(3):
            with Asker() as asker:
                assert [asker.ask(model, question()).text for _ in range(3)] == ["hi"] * 3
                assert len(clients) == before + 1
    assert len(clients) == before


def test_what_was_recorded_over_http_replays_without_it():
    calls = []
    with OpenAIServer([Answer(CELL, cached_tokens=3)]) as server:
        live = ask(RecordingModel(LiteLLMModel("openai/test", api_base=server.url), calls.append), question())
    assert ask(RecordedModel(Cassette(calls)), question()) == live


def test_a_server_of_ones_own_never_sees_a_providers_key(asked, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("CAVE_SIM_API_KEY", raising=False)
    asked("hi")
    assert SECRET not in str(asked.seen[0].headers)
    monkeypatch.setenv("CAVE_SIM_API_KEY", "for-my-server")
    asked("hi")
    assert asked.seen[0].headers["authorization"] == "Bearer for-my-server"


def test_no_key_gets_into_an_error_a_log_or_a_recording(asked, monkeypatch, caplog):
    monkeypatch.setenv("CAVE_SIM_API_KEY", SECRET)
    monkeypatch.setenv("HOUSE_TOKEN", "open sesame, says the cave")
    with caplog.at_level(logging.INFO):
        error = failure(asked, Answer(status=401, error=f"no {SECRET}, no Bearer abc no open sesame, says the cave"))
    assert "no ***, no *** no ***" in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    assert SECRET not in caplog.text
    calls = []
    with OpenAIServer(["hi"]) as server:
        ask(RecordingModel(LiteLLMModel("openai/test", api_base=server.url), calls.append), question())
    assert SECRET not in str(calls)


def test_a_price_is_ones_own_or_the_listed_one_or_unknown(asked):
    assert asked(Answer("hi", prompt_tokens=10, completion_tokens=1), price=Price(1e6, 2e6)).cost_usd == 12
    assert asked("hi").cost_usd is None
    listed = LiteLLMModel("openai/gpt-4o-mini")
    assert listed.price == Price(pytest.approx(0.15), pytest.approx(0.6), pytest.approx(0.075))
    assert listed.window_tokens == 128_000
    assert Usage(10, 10).cost_usd(LiteLLMModel("ollama/some-model").price) == 0
    assert LiteLLMModel("openai/gpt-4o-mini", api_base="http://127.0.0.1:9/v1").price is None


@pytest.mark.long
def test_litellm_is_not_imported_before_a_model_is_made():
    code = """if True:
        import sys, cave_sim.models as models
        models.offline_counter()("hello")
        assert "litellm" not in sys.modules
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_without_litellm_the_error_says_what_to_install(monkeypatch):
    listed_models.library.cache_clear()
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(MissingExtra, match=r"pip install 'cave_sim\[llm\]'"):
        LiteLLMModel("openai/test", api_base="http://127.0.0.1:9/v1")


def test_a_stream_ends_where_its_first_block_of_code_ends_if_that_is_wished(client):
    with OpenAIServer([CELL + "And now for something else. " * 50]) as server:
        model = client("openai/test", stream=True, api_base=server.url)
        reply = ask(model, question(stop_at_block=True))
    assert reply.text.strip().endswith("```")
    assert "something else. And" not in reply.text
    assert reply.usage.is_estimate  # the server had no time to say


@pytest.mark.parametrize(
    ("name", "api_base"), [("nosuchmodel", None), ("foo/bar", None), ("mine", "http://127.0.0.1:1/v1")]
)
def test_a_name_without_a_provider_is_refused_before_anybody_is_asked(name, api_base):
    with pytest.raises(WorldError, match=f"--model {name}: no provider goes by that name. Write PROVIDER/MODEL"):
        LiteLLMModel(name, api_base=api_base)


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_stream_that_was_cut_off_is_no_reply(client, pieces):
    answer = Answer("Here it is:\n```python\nme.mood = 1\nme.rest", ends_after=pieces)
    with OpenAIServer([answer]) as server, pytest.raises(ModelError, match="cut off before its end") as caught:
        ask(client("openai/test", stream=True, api_base=server.url), question())
    assert caught.value.kind == "unavailable"


@pytest.mark.parametrize(
    ("text", "clean"), [("half \ud83d", "half \ufffd"), ("\ude00", "\ufffd"), ("\ud83d\ude00", "😀"), ("ä 😀", "ä 😀")]
)
def test_halves_of_characters_are_joined_or_replaced(text, clean):
    assert Reply(text).text == clean
    assert Reply("", tool_calls=(ToolCall("1", "say", text),)).tool_calls[0].arguments == clean


def test_what_it_thought_and_why_it_would_not_answer_are_kept(asked):
    reply = asked(Answer("", reasoning="They want a cell.", refusal="I will not.", finish_reason="stop"))
    assert (reply.reasoning, reply.refusal, reply.is_withheld) == ("They want a cell.", "I will not.", True)
    assert Reply.from_data(reply.to_data()) == reply
    assert asked(Answer("half of it", finish_reason="content_filter")).is_withheld
    assert not asked("hi").is_withheld


def test_options_are_sent_only_where_somebody_chose_them(asked):
    asked("hi")
    assert not {"top_p", "seed", "reasoning_effort", "max_tokens", "stop"} & asked.seen[0].body.keys()
    asked("hi", question=question(top_p=0.5, seed=3, reasoning_effort="low"))
    assert {name: asked.seen[0].body[name] for name in ("top_p", "seed", "reasoning_effort")} == {
        "top_p": 0.5,
        "seed": 3,
        "reasoning_effort": "low",
    }


SAID = (Message("system", "s"), Message("user", "one"), Message("user", "two"), Message("assistant", "three"))
IN_TURNS = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "one\n\ntwo"},
    {"role": "assistant", "content": "three"},
]


def test_what_one_role_says_in_a_row_is_sent_as_one_message_if_that_is_wished(asked):
    asked("hi", question=replace(question(), messages=SAID))
    assert [each["content"] for each in asked.seen[0].body["messages"]] == ["s", "one", "two", "three"]
    asked("hi", question=replace(question(), messages=SAID), alternate=True)
    assert asked.seen[0].body["messages"] == IN_TURNS


@pytest.mark.parametrize(
    ("name", "extra", "dropped"),
    [
        ("perplexity/sonar", {}, ("seed", "reasoning_effort", "tools")),
        ("mistral/mistral-small-latest", {}, ("reasoning_effort",)),
        ("anthropic/claude-3-haiku-20240307", {"logprobs": True}, ("seed", "reasoning_effort", "logprobs")),
        ("hosted_vllm/any", {}, ()),
    ],
)
def test_what_the_library_leaves_out_for_a_provider_or_sends_as_another_value_is_said(
    name, extra, dropped, monkeypatch
):
    monkeypatch.setenv("PERPLEXITYAI_API_KEY", "none")
    monkeypatch.setenv("MISTRAL_API_KEY", "none")
    asking = replace(question(temperature=0.5, seed=3), reasoning_effort="low", tools=(TOOL,))
    with OpenAIServer(["hi"]) as server:
        model = LiteLLMModel(name, api_base=server.url, extra=extra)
        assert dropped_options(name, model.asked_for(asking), server.url) == dropped
        if not name.startswith("anthropic/"):  # whose protocol is another one
            assert ask(model, asking).dropped == dropped
            body = server.seen[0].body
            sent_as = {"random_seed": "seed"}
            sent = {sent_as.get(key, key): value for key, value in body.items()}
            assert sent["temperature"] == 0.5
            assert {each for each in dropped if each in sent} <= {"reasoning_effort"}
            assert sent.get("reasoning_effort") != "low" or "reasoning_effort" not in dropped
            assert ("seed" in sent) == ("seed" not in dropped)
