"""Words that are looked up in many texts at once are those that each text has."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.session.memory import Memory
from cave_sim.session.session import Session
from cave_sim.session.word_columns import WordColumns
from cave_sim.session.words import words

LETTERS = "abB éΣσß_-\0\n12²µ" + "\u0301ंह東京カﾞกา한글שׁ👍𠀀\ud800\U0010ffff"
TEXTS = st.lists(st.text(st.sampled_from(LETTERS), max_size=12), max_size=8)
MANY = 1200


@given(TEXTS, st.integers(1, 3))
def test_columns_find_each_word_where_the_text_has_it(texts, most):
    counts = [Counter(words(text)) for text in texts]
    columns = WordColumns(texts)
    assert columns.lengths == [count.total() for count in counts]
    for word in {*sum(counts, Counter()), "b", "nowhere", "京都"}:
        having = [(place, count[word]) for place, count in enumerate(counts) if count[word]]
        assert columns.find(word, most) == (len(having), having[-most:])


@pytest.fixture(scope="module")
def life():
    """Return a session with many memories in several scripts, and the memory that read each as it came."""
    session, memory = Session("ann"), Memory()
    for number in range(MANY):
        text = ("Bob sells lamps.", "老张的咖啡馆六点关门", "Es regnet, überall.")[number % 3] + f" {number % 70}"
        memory.commit(session, text, importance=number % 11, step=number, time_s=60.0 * number)
        memory.relevance.fits("") if number % 100 == 0 else memory.follow(session)
    return session, memory


@pytest.mark.parametrize("query", ["Bob's lamp", "überall 17", "咖啡馆 7", "nothing of it", "", "lamps lamps 69"])
def test_who_reads_a_long_life_at_once_recalls_what_comes_to_mind_of_one_that_was_followed(life, query):
    session, memory = life
    asked = {"query": query, "now_s": 60.0 * MANY, "count": 40}
    assert Memory().weighed(session, **asked) == memory.weighed(session, **asked)


def test_what_comes_later_is_found_beside_what_was_read_at_once(life):
    followed, at_once = life[1], Memory()
    session = life[0].fork()
    at_once.recall(session, "Bob", now_s=0.0)
    followed.follow(session)
    for text in ("Bob sleeps, überall.", "Nobody sells lamps.") * 20:
        followed.commit(session, text, importance=5, step=MANY, time_s=60.0 * MANY)
    for query in ("Bob sells", "sleeps überall", "咖啡馆"):
        asked = {"query": query, "now_s": 60.0 * MANY, "count": 99}
        assert at_once.weighed(session, **asked) == followed.weighed(session, **asked)
    session.append("rating", "", data={"rated": {session[3].id: 9.5, session[-1].id: 0.5}})
    assert at_once.weighed(session, **asked) == followed.weighed(session, **asked) == Memory().weighed(session, **asked)
