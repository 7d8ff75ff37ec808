"""Requests are kept up to date with a session, not built anew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.base import Message
from cave_sim.session import transcript as module
from cave_sim.session.session import Session
from cave_sim.session.transcript import ROLES, Transcript
from tests.session.test_laws import families


def plainly(session):
    return [Message(ROLES[row.kind], row.text) for row in session if row.kind in ROLES]


def a_long_session(rows):
    session = Session("ann")
    for number in range(rows):
        session.append(("user", "assistant", "cell", "output")[number % 4], str(number))
    return session


def test_each_kind_speaks_in_its_role_and_some_do_not_speak():
    session = Session("ann")
    for kind in ("system", "user", "assistant", "cell", "output", "error", "route", "model_error", "memory"):
        session.append(kind, kind)
    said = [(message.role, message.text) for message in Transcript().messages(session)]
    assert said == [
        ("system", "system"),
        ("user", "user"),
        ("assistant", "assistant"),
        ("user", "output"),
        ("user", "error"),
        ("user", "memory"),
    ]


def test_messages_taken_out_are_a_value():
    session, transcript = a_long_session(4), Transcript()
    before = transcript.messages(session)
    session.append("user", "more")
    assert (len(before), len(transcript.messages(session))) == (3, 4)


@given(families(), st.data())
def test_it_says_the_same_as_building_anew_whichever_session_comes_next(family, data):
    transcript = Transcript()
    for _ in range(4):
        session = data.draw(st.sampled_from(family))
        session.append(data.draw(st.sampled_from(["user", "cell"])), "x")
        assert list(transcript.messages(session)) == plainly(session)


@pytest.mark.long
def test_the_next_request_makes_messages_of_the_new_rows_only(monkeypatch):
    session, transcript = a_long_session(100_000), Transcript()
    transcript.messages(session)
    made = []
    monkeypatch.setattr(module, "Message", lambda *said: made.append(said) or Message(*said))
    session.append("user", "the latest")
    messages = transcript.messages(session)
    assert made == [("user", "the latest")]
    assert messages[-1].text == "the latest"


@pytest.mark.long
def test_after_a_rewind_only_what_differs_is_made(monkeypatch):
    session, transcript = a_long_session(100_000), Transcript()
    transcript.messages(session)
    again = session.fork(99_990)
    again.append("error", "collapsed")
    made = []
    monkeypatch.setattr(module, "Message", lambda *said: made.append(said) or Message(*said))
    assert transcript.messages(again)[-1].text == "collapsed"
    assert made == [("user", "collapsed")]
