"""Our own client for servers that speak OpenAI's protocol, and what single providers want of a request."""

import gc
import time
from dataclasses import replace
from importlib.util import find_spec

import pytest

from cave_sim.models import (
    Asker,
    LiteLLMModel,
    Message,
    ModelError,
    OpenAIModel,
    Price,
    Usage,
    ask,
    openai_client,
)
from cave_sim.models.from_cli import ModelChoice
from cave_sim.testing.openai_server import Answer, OpenAIServer
from tests.bench.fake_provider import provider
from tests.models.asking import question

pytestmark = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")


def test_a_crowd_is_asked_at_once_and_waits_for_its_server_alone():
    count, latency_s = 300, 0.5
    with provider(latency_s) as url, Asker() as asker:
        model = ModelChoice("openai/test", api_base=url, in_flight=count).open()
        asking = [(model, question(f"number {number}", agent=f"n{number}")) for number in range(count)]
        asker.ask_all(asking)  # opens the connections
        started_s = time.perf_counter()
        replies = asker.ask_all(asking)
        took_s = time.perf_counter() - started_s
    assert {reply.usage.prompt_tokens for reply in replies} == {1_000}
    assert took_s < count * latency_s / 10  # one after another would take ten times as long, on a free machine


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_who_forgets_to_close_an_asker_is_not_told_of_its_connections(caplog):
    with OpenAIServer(["hi"]) as server:
        asker, model = Asker(), OpenAIModel("openai/test", api_base=server.url)
        assert asker.ask(model, question()).text == "hi"
        del asker, model
        gc.collect()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


def test_a_server_whose_template_insists_on_turns_gets_them():
    def script(body):
        roles = [each["role"] for each in body["messages"]]
        if roles.count("user") > 1:
            return Answer(status=400, error="Conversation roles must alternate user/assistant/user/assistant/...")
        return "hi"

    asking = replace(question(), messages=(Message("user", "one"), Message("user", "two")))
    with OpenAIServer(script) as server, Asker() as asker:
        model = OpenAIModel("openai/test", api_base=server.url)
        assert [reply.text for reply in asker.ask_all([(model, asking)] * 3)] == ["hi"] * 3  # all in the wrong way
        assert asker.ask(model, asking).text == "hi"
    assert sorted(len(seen.body["messages"]) for seen in server.seen) == [1, 1, 1, 1, 2, 2, 2]


def test_openai_is_sent_what_its_model_takes_and_the_reply_says_what_was_dropped(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    asking = question(temperature=0.5, top_p=0.9, max_tokens=40, seed=3)
    with OpenAIServer(["hi", "hi"]) as server:
        monkeypatch.setattr(openai_client, "OPENAI", server.url)
        model = OpenAIModel("openai/gpt-5", api_base=server.url)
        assert ask(model, asking).dropped == ("temperature", "top_p")
        body = server.seen[0].body
        assert not {"temperature", "top_p", "max_tokens"} & body.keys()
        assert (body["max_completion_tokens"], body["seed"], model.window_tokens > 100_000) == (40, 3, True)
        assert ask(OpenAIModel("openai/gpt-4o", api_base=server.url), asking).dropped == ()


@pytest.mark.long
def test_a_claude_is_told_which_front_to_keep():
    front = "you live here. " * 300
    asking = replace(question(), messages=(Message("system", front), Message("user", "what now?")))
    with OpenAIServer(["hi"]) as server:
        ask(LiteLLMModel("openrouter/anthropic/claude-sonnet-4.5", api_base=server.url), asking)
        ask(LiteLLMModel("openai/test", api_base=server.url), asking)
    (kept, *_), (plain, *_) = (seen.body["messages"] for seen in server.seen)
    assert kept["content"] == [{"type": "text", "text": front, "cache_control": {"type": "ephemeral"}}]
    assert plain["content"] == front


def test_tokens_that_are_read_to_be_kept_cost_what_that_costs():
    assert Usage(1_000_000, 0, 200_000, kept_tokens=300_000).cost_usd(Price(3, 15, 0.3, 3.75)) == 1.5 + 0.06 + 1.125


def test_a_redirect_is_not_followed_to_where_nobody_said_that_prompts_may_go():
    with OpenAIServer(["hi"]) as server, pytest.raises(ModelError, match="307 it sends us to") as caught:
        ask(OpenAIModel("openai/test", api_base=f"{server.url}/elsewhere"), question())
    assert caught.value.kind == "unavailable"
    assert not server.seen
