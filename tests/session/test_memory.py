"""Memories are rows of a session: what comes to mind is recent, important and relevant; it survives like them."""

import time

import pytest

from cave_sim.errors import WorldError
from cave_sim.session.archive import Archive, restore
from cave_sim.session.memory import CONSIDERED, Memory, Weights, recalled
from cave_sim.session.relevance import ByWords
from cave_sim.session.session import Session

HOUR_S = 3600.0


def life(*memories):
    """Return a session and the memory that committed (text, importance, hour) to it."""
    session, memory = Session("ann"), Memory()
    for text, importance, hour in memories:
        memory.commit(session, text, importance=importance, step=int(hour), time_s=hour * HOUR_S)
    return session, memory


def texts(rows):
    return [row.text for row in rows]


def test_a_memory_is_a_row_of_the_session():
    session, _ = life(("Bob gave me a lamp.", 4, 2))
    (row,) = session.rows
    assert (row.kind, row.text, row.step, row.time_s) == ("memory", "Bob gave me a lamp.", 2, 2 * HOUR_S)
    assert dict(row.data) == {"of": "event", "importance": 4.0}


def test_what_fits_the_words_comes_to_mind_first():
    session, memory = life(("Bob sells lamps.", 3, 1), ("It rained.", 3, 1), ("The bakery closes at six.", 3, 1))
    assert texts(memory.recall(session, "a lamp of Bob's", now_s=HOUR_S, count=1)) == ["Bob sells lamps."]


def test_a_rare_word_says_more_than_a_common_one():
    session, memory = life(*((f"Bob came by, {number}.", 3, 1) for number in range(9)), ("The valentine party.", 3, 1))
    assert texts(memory.recall(session, "Bob valentine", now_s=HOUR_S, count=1)) == ["The valentine party."]


def test_of_two_that_fit_alike_the_more_important_comes_first():
    session, memory = life(("Bob came.", 8, 1), ("Bob came.", 1, 1))
    assert memory.recall(session, "Bob", now_s=HOUR_S)[0].data["importance"] == 8


def test_of_two_that_fit_alike_the_later_comes_first():
    session, memory = life(("Bob came.", 3, 1), ("Bob came.", 3, 40))
    assert memory.recall(session, "Bob", now_s=41 * HOUR_S)[0].step == 40


def test_what_has_come_to_mind_stays_fresh():
    session, memory = life(("Bob came.", 3, 1), ("Bob came.", 3, 20))
    first, later = session.rows
    session.append("user", "Good morning.", time_s=30 * HOUR_S, data=recalled([first]))
    assert memory.recall(session, "Bob", now_s=31 * HOUR_S) == [first, later]


def test_weights_decide_what_counts():
    session, _ = life(("Bob came.", 1, 1), ("A fire in the bakery.", 10, 1))
    asked = {"query": "Bob", "now_s": HOUR_S, "count": 1}
    assert texts(Memory(Weights(importance=0)).recall(session, **asked)) == ["Bob came."]
    assert texts(Memory(Weights(relevance=0)).recall(session, **asked)) == ["A fire in the bakery."]


def test_an_important_memory_is_found_however_long_ago_it_was():
    crowd = ((f"Nothing much, {number}.", 1, number / 1000) for number in range(20 * CONSIDERED))
    session, memory = life(("The wedding.", 10, 0), *crowd)
    assert "The wedding." in texts(memory.recall(session, "anything", now_s=3 * HOUR_S, count=2))


def test_nobody_remembers_anything_at_first():
    session, memory = life()
    assert memory.recall(session, "Bob", now_s=0.0) == []
    assert memory.recent(session, 3) == []


def test_what_is_thought_of_somebody_is_the_latest_of_its_kind():
    session, memory = life()
    for number, text in enumerate(("a stranger", "a friend")):
        memory.commit(session, text, importance=6, step=number, time_s=0.0, of="person", about=["bob"])
    assert memory.latest(session, of="person", about="bob").text == "a friend"
    assert memory.latest(session, of="person", about="eve") is None


def test_what_happened_adds_up_until_it_is_reflected_on():
    session, memory = life(("Bob came.", 3, 1), ("Bob left.", 4, 2))
    memory.commit(session, "Bob is restless.", importance=7, step=2, time_s=0.0, of="thought")
    assert memory.unreflected(session) == 7
    session.append("user", "Look back.", data={"reflects": True})
    assert memory.unreflected(session) == 0


@pytest.mark.parametrize("importance", [-1, 11, float("nan")])
def test_importance_has_bounds(importance):
    with pytest.raises(ValueError, match="between 0 and 10"):
        life(("Bob came.", importance, 1))


def test_a_session_that_came_back_from_its_archive_brings_the_same_to_mind():
    session, memory = life(*((f"Bob came by at {hour}.", hour % 7, hour) for hour in range(60)))
    session.append("user", "?", time_s=61 * HOUR_S, data=recalled(list(session.rows)[:3]))
    loaded = restore([Archive().news(session)])[session.id]
    asked = {"query": "Bob at 7", "now_s": 62 * HOUR_S}
    assert memory.recall(session, **asked) == Memory().recall(loaded, **asked)


def test_after_a_fork_at_an_earlier_row_the_rest_is_forgotten():
    session, memory = life(("Bob came.", 3, 1), ("Bob lied.", 9, 2))
    memory.recent(session, 1)
    assert texts(memory.recall(session.fork(at=1), "Bob", now_s=3 * HOUR_S)) == ["Bob came."]


@pytest.mark.long
def test_recalling_does_not_slow_down_as_a_life_grows():
    def fastest_s(size):
        session, memory = life(*((f"Bob came by, {number}.", 3, number) for number in range(size)))
        memory.recent(session, 1)
        times = []
        for _ in range(30):
            started = time.thread_time()
            memory.recall(session, "Bob came", now_s=size * HOUR_S)
            times.append(time.thread_time() - started)
        return min(times)

    assert fastest_s(20_000) < 4 * fastest_s(1_000)


def _raises():
    raise KeyError("lost")


@pytest.mark.parametrize(
    ("gives", "why"),
    [
        (lambda: None, "returned None: return a dict of places of memories, here 0 to 2, to finite numbers"),
        (lambda: [0, 1], r"returned \[0, 1\]: return a dict"),
        (lambda: {3: 1.0}, r"returned \{3: 1.0\}: return a dict"),
        (lambda: {-1: 1.0}, r"returned \{-1: 1.0\}: return a dict"),
        (lambda: {"0": 1.0}, r"returned \{'0': 1.0\}: return a dict"),
        (lambda: {0: "very"}, r"returned \{0: 'very'\}: return a dict"),
        (lambda: {0: float("nan")}, r"returned \{0: nan\}: return a dict"),
        (_raises, r"raised KeyError: 'lost' \(test_memory.py, line \d+\)"),
    ],
)
def test_a_relevance_that_does_not_keep_to_the_protocol_is_told_in_a_line(gives, why):
    class Mine(ByWords):
        def fits(self, query, others=()):
            return gives()

    memory, session = Memory(relevance=Mine()), Session("ann")
    for number in range(3):
        memory.commit(session, f"note {number}", importance=1, step=number, time_s=0.0)
    with pytest.raises(WorldError, match=rf"^Mine.fits\(query, others\) {why}"):
        memory.recall(session, "a note", now_s=1.0)
