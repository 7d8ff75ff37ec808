"""What comes to mind by meaning: vectors in rows of the session, and words where there are none."""

import pytest

from cave_sim.models.embeddings import encoded
from cave_sim.session.memory import Memory
from cave_sim.session.relevance import CONSIDERED, EMBEDDING, ByMeaning, ByWords
from cave_sim.session.session import Session


@pytest.fixture
def life():
    """Return a session with three memories, and a memory that goes by meaning."""
    session, memory = Session("ann"), Memory(relevance=ByMeaning())
    for text in ("Bob sells lamps.", "It rained.", "The bakery closes at six."):
        memory.commit(session, text, importance=3, step=1, time_s=0.0)
    return session, memory


def embed(session, query, vectors, of_query):
    data = {"vectors": {row.id: encoded(vector) for row, vector in vectors.items()}, "query": encoded(of_query)}
    session.append(EMBEDDING, query, data=data)


def recalled(memory, session, query, count=1):
    return [row.text for row in memory.recall(session, query, now_s=0.0, count=count)]


def test_without_vectors_words_decide(life):
    session, memory = life
    assert recalled(memory, session, "lamps") == ["Bob sells lamps."]


def test_with_vectors_meaning_decides_though_no_word_is_shared(life):
    session, memory = life
    lamp, rain, bakery = session.rows
    embed(session, "Was it wet?", {lamp: [1, 0], rain: [0, 1], bakery: [1, 1]}, [0, 1])
    assert recalled(memory, session, "Was it wet?", 3) == [row.text for row in (rain, bakery, lamp)]


def test_another_query_than_the_one_that_was_embedded_goes_by_words(life):
    session, memory = life
    lamp, rain, bakery = session.rows
    embed(session, "Was it wet?", {lamp: [1, 0], rain: [0, 1], bakery: [1, 1]}, [0, 1])
    assert recalled(memory, session, "lamps") == ["Bob sells lamps."]


def test_who_follows_the_session_later_recalls_the_same(life):
    session, memory = life
    lamp, rain, bakery = session.rows
    embed(session, "Was it wet?", {lamp: [1, 0], rain: [0, 1], bakery: [1, 1]}, [0, 1])
    anew = Memory(relevance=ByMeaning())
    assert recalled(anew, session.fork(), "Was it wet?", 3) == recalled(memory, session, "Was it wet?", 3)


def test_memories_without_a_vector_are_named_until_they_have_one(life):
    session, memory = life
    memory.follow(session)
    lamp, rain, bakery = session.rows
    assert memory.relevance.without_vectors() == {row.id: row.text for row in (lamp, rain, bakery)}
    embed(session, "?", {rain: [0, 1]}, [0, 1])
    memory.follow(session)
    assert list(memory.relevance.without_vectors()) == [lamp.id, bakery.id]


def test_of_a_long_life_only_what_fits_best_is_considered():
    session, memory = Session("ann"), Memory(relevance=ByMeaning())
    rows = [memory.commit(session, f"{n}", importance=3, step=1, time_s=0.0) for n in range(4 * CONSIDERED)]
    embed(session, "?", {row: [at, 100] for at, row in enumerate(rows)}, [0, 1])
    memory.follow(session)
    assert sorted(memory.relevance.fits("?")) == list(range(CONSIDERED))
    assert sorted(memory.relevance.fits("?", [100])) == [*range(CONSIDERED), 100]


@pytest.mark.parametrize("relevance", [ByWords, ByMeaning])
def test_what_is_forgotten_fits_no_more(relevance, life):
    session, _ = life
    relevant = relevance()
    relevant.learn(0, session.rows[0])
    assert relevant.fits("lamps")
    relevant.clear()
    assert not relevant.fits("lamps")


def test_a_rating_replaces_the_importance_that_a_rule_gave(life):
    session, memory = life
    lamp, rain, bakery = session.rows
    assert memory.unreflected(session) == 9.0
    assert memory.unrated(session) == [lamp, rain, bakery]
    session.append("rating", "", data={"rated": {rain.id: 8.0, "nobody#1": 9.0}})
    assert recalled(memory, session, "") == ["It rained."]
    assert memory.unreflected(session) == 14.0
    assert memory.unrated(session) == [lamp, bakery]
    session.append("user", "Look back.", data={"reflects": True})
    assert (memory.unreflected(session), memory.unrated(session)) == (0.0, [])
