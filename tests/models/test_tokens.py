"""Tokens are counted without a network, or estimated and called an estimate."""

from functools import cache
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models import ESTIMATE, Message, Request, ToolCall, offline_counter, tokens
from cave_sim.models.tokens import MESSAGE_TOKENS, REPLY_TOKENS

needs_encoding = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")


@pytest.fixture
def forget():
    offline_counter.cache_clear()
    yield
    offline_counter.cache_clear()


@needs_encoding
@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("hello world", 2), ("me.mood = 0.5", 8), ("Hyvää huomenta, Töölö!", 12)]
)
def test_an_installed_encoding_counts_exactly(text, count):
    counter = offline_counter()
    assert (counter(text), counter.name, counter.is_estimate) == (count, "cl100k_base", False)


@needs_encoding
@given(st.text(max_size=80))
def test_it_counts_as_the_encodings_makers_do(text):
    assert offline_counter()(text) == len(makers_encoding().encode(text, disallowed_special=()))


@cache
def makers_encoding():
    """Return tiktoken's own cl100k_base, made from the same file in the way that its makers provide for."""
    import tiktoken

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(tokens._cl100k_file().parent))
        return tiktoken.get_encoding("cl100k_base")


@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("missing", ["litellm", "tiktoken"])
def test_without_an_encoding_it_is_an_estimate_and_says_so(monkeypatch, missing):
    monkeypatch.setattr(tokens, "find_spec", lambda name: None if name == missing else find_spec(name))
    assert offline_counter() is ESTIMATE
    assert ESTIMATE.is_estimate
    assert "estimate" in ESTIMATE.name


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("早上好", 3), ("ok 好", 2)])
def test_an_estimate_takes_four_characters_a_token_or_one_where_writing_is_wide(text, count):
    assert ESTIMATE(text) == count


def test_a_request_is_its_messages_and_what_frames_them():
    one, two = Message("system", "four"), Message("user", "fives")
    assert ESTIMATE.of_request(Request((one, two))) == REPLY_TOKENS + 2 * MESSAGE_TOKENS + 1 + 2
    calling = Message("assistant", "", (ToolCall("1", "walk", '{"to": 1}'),))
    assert ESTIMATE.of_request(Request((calling,))) > ESTIMATE.of_request(Request((Message("assistant", ""),)))
    assert ESTIMATE.of_request(Request((one,), tools=({"type": "function"},))) > ESTIMATE.of_request(Request((one,)))


def test_a_text_is_counted_once_however_often_it_is_sent():
    counted = []
    counter = tokens.TokenCounter("noting", lambda text: counted.append(text) or 1, is_estimate=True)
    for number in range(3):
        counter.of_request(Request((Message("system", "the same"), Message("user", str(number)))))
    assert counted == ["the same", "0", "1", "2"]
