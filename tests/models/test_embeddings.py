"""Embeddings are asked as any model is: recorded, answered from a recording, and exact on every machine."""

import json
import os
import re

import pytest

from cave_sim.errors import WorldError
from cave_sim.models import Asker, Cassette, CassetteMiss, Key, ModelError, RecordingModel, ask
from cave_sim.models.embedding_providers import LiteLLMEmbeddings, LocalEmbeddings, OpenAIEmbeddings, embeddings_of
from cave_sim.models.embeddings import (
    Embedded,
    EmbeddingModel,
    RecordedEmbeddings,
    ScriptedEmbeddings,
    decoded,
    encoded,
    is_for_embeddings,
    request_for,
    vectors_in,
)
from cave_sim.testing import EmbeddingsContract
from cave_sim.testing.openai_server import Answer, OpenAIServer

GGUF = os.environ.get("CAVE_SIM_GGUF", "")
ANN = Key("", "ann", 1, 0)


class TestScripted(EmbeddingsContract):
    def make(self):
        return ScriptedEmbeddings()


@pytest.mark.skipif(not GGUF, reason="CAVE_SIM_GGUF names no weights")
class TestLocal(EmbeddingsContract):
    def make(self):
        return LocalEmbeddings(GGUF)


def test_a_vector_keeps_its_direction_in_whole_numbers():
    kept = decoded(encoded([0.1, -0.2, 0.0, 0.05]))
    assert kept.tolist() == [64, -127, 0, 32]
    assert decoded(encoded([10.0, -20.0, 0.0, 5.0])).tolist() == kept.tolist()
    assert decoded(encoded([0.0, 0.0])).tolist() == [0, 0]


def test_a_vector_that_is_not_finite_is_no_vector():
    with pytest.raises(ModelError, match="not finite"):
        encoded([float("nan"), 1.0])


def test_what_was_asked_is_recorded_and_answered_from_the_recording():
    calls = []
    request = request_for(["a lamp", "the rain"], ANN)
    reply = ask(RecordingModel(EmbeddingModel(ScriptedEmbeddings()), calls.append), request)
    assert len(vectors_in(reply)) == 2
    assert [is_for_embeddings(call["request"]) for call in calls] == [True]
    recorded = RecordedEmbeddings(Cassette(json.loads(json.dumps(calls))))
    assert ask(recorded, request) == reply
    with pytest.raises(CassetteMiss):
        ask(recorded, request_for(["a lamp"], ANN))


def test_a_server_that_speaks_openais_protocol_is_sent_the_texts_and_read_by_index():
    with OpenAIServer([Answer(prompt_tokens=5)]) as server:
        model = EmbeddingModel(OpenAIEmbeddings("openai/small", api_base=server.url))
        reply = ask(model, request_for(["a", "bbb"], ANN))
    assert server.seen[0].body == {"model": "small", "input": ["a", "bbb"], "encoding_format": "float"}
    assert [decoded(vector).tolist() for vector in vectors_in(reply)] == [[127, 127], [127, 42]]
    assert (reply.usage.prompt_tokens, reply.usage.is_estimate) == (5, False)


def test_a_server_that_refuses_or_talks_nonsense_gives_no_vectors():
    with OpenAIServer([Answer(status=404, error="no such model")]) as server:
        model = EmbeddingModel(OpenAIEmbeddings("openai/small", api_base=server.url))
        with pytest.raises(ModelError, match="no such model") as caught:
            ask(model, request_for(["a"], ANN))
    assert caught.value.kind == "denied"


def test_too_few_vectors_are_none():
    class Lazy(ScriptedEmbeddings):
        async def embed(self, texts):
            return Embedded((await super().embed(texts)).vectors[:-1])

    with Asker() as asker, pytest.raises(ModelError, match="1 vectors for 2 texts"):
        asker.ask(EmbeddingModel(Lazy()), request_for(["a", "b"], ANN))


def _raises(_texts):
    raise ValueError("no\nvector")


@pytest.mark.parametrize(
    ("gives", "why"),
    [
        (lambda texts: None, "embed(texts) returned None: return Embedded(vectors)"),
        (lambda texts: Embedded(None), "Embedded.vectors=None: numbers, for each text a row"),
        (lambda texts: Embedded(("up", "down")), "Embedded.vectors=('up', 'down'): numbers, for each text a row"),
        (lambda texts: Embedded(([1.0], [1.0, 2.0])), "vectors have [1, 2] numbers: they are of one length"),
        (lambda texts: Embedded(((), ())), "vectors have [0] numbers: they are of one length, and not empty"),
        (lambda texts: Embedded(([1.0], [2.0]), -1), "Embedded.prompt_tokens=-1: a number of tokens, or None"),
        (_raises, "embed(texts) raised ValueError: no vector (test_embeddings.py, line "),
    ],
)
def test_embeddings_that_do_not_keep_to_the_protocol_are_told_in_a_line(gives, why):
    class Mine(ScriptedEmbeddings):
        async def embed(self, texts):
            return gives(texts)

    with Asker() as asker, pytest.raises(WorldError, match=f"^scripted-embeddings: {re.escape(why)}"):
        asker.ask(EmbeddingModel(Mine()), request_for(["a", "b"], ANN))


@pytest.mark.parametrize(
    ("name", "base", "why"),
    [
        ("small", None, "PROVIDER/MODEL"),
        ("nobody/small", None, "no provider goes by that name"),
        ("there_is_none.gguf", None, "there is no such file"),
        ("openai/small", "http://ann:secret@127.0.0.1/v1", "holds a name, a password"),
    ],
)
def test_a_model_that_there_is_not_is_refused(name, base, why):
    with pytest.raises(WorldError, match=why):
        embeddings_of(name, base)


@pytest.mark.long
def test_a_providers_model_goes_by_litellms_list():
    embeddings = LiteLLMEmbeddings("cohere/embed-english-v3.0")
    assert embeddings.price is not None
    assert embeddings.price.prompt_usd > 0
