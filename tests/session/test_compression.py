"""Rows make room for later ones: whole groups, the oldest first, and what stands for them says for what."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.base import Message
from cave_sim.models.tokens import ESTIMATE
from cave_sim.session.archive import Archive, restore
from cave_sim.session.compression import clipped, compress, digest_of, stretches
from cave_sim.session.session import Session
from cave_sim.session.summaries import by_rules
from cave_sim.session.transcript import Transcript, messages_of

TURN = ("assistant", "cell", "output")


@st.composite
def lives(draw):
    """Return steps of a life: what was told, and what each of its turns came to."""
    text = st.integers(1, 400).map(lambda length: "ab c" * (length // 4) + "x")
    return draw(st.lists(st.tuples(text, st.lists(text, max_size=3)), min_size=1, max_size=12))


def live(session, step, told, results):
    session.append("user", told, step=step)
    for result in results:
        for kind in TURN:
            session.append(kind, result, step=step)


def make_room(session, transcript, room, keep):
    for stretch in stretches(transcript.since(session, 0), room, keep=keep):
        compress(session, stretch, by_rules([each.row for each in stretch], room // 4), "window")


@given(lives(), st.integers(600, 2_000))
def test_whatever_is_said_what_is_left_fits_and_nothing_is_lost(life, room):
    session, transcript = Session("ann"), Transcript()
    for step, (told, results) in enumerate(life):
        before = list(session)
        task = len(session)
        live(session, step, told, results)
        make_room(session, transcript, room, task)
        shown = transcript.since(session, 0)
        tokens = sum(each.tokens for each in shown)
        group = shown[-4:]
        assert tokens <= room or tokens <= sum(each.tokens for each in group) + 2 * (room // 4) + shown[0].tokens
        assert list(session)[: len(before)] == before
        assert any(each.row.text == told for each in shown)  # the task is never left out
        assert shown[-1].row == session[-1] or session[-1].kind == "compress"


@given(lives())
def test_no_result_is_shown_without_what_led_to_it(life):
    session, transcript = Session("ann"), Transcript()
    for step, (told, results) in enumerate(life):
        task = len(session)
        live(session, step, told, results)
        make_room(session, transcript, 300, task)
    kinds = [each.row.kind for each in transcript.since(session, 0)]
    for before, kind in zip(["", *kinds], kinds, strict=False):
        assert kind not in ("cell", "output") or before in TURN


@given(lives(), st.integers(300, 900))
def test_a_transcript_that_reads_a_session_anew_shows_the_same(life, room):
    session, transcript = Session("ann"), Transcript()
    archive, entries = Archive(), []
    for step, (told, results) in enumerate(life):
        task = len(session)
        live(session, step, told, results)
        make_room(session, transcript, room, task)
        entries.append(archive.news(session))
    anew = restore(entries)[session.id]
    assert Transcript().messages(anew) == transcript.messages(session)


def test_between_two_compressions_a_transcript_only_grows():
    session, transcript, fronts = Session("ann"), Transcript(), []
    for step in range(40):
        task = len(session)
        live(session, step, f"It is {step} o'clock.", ["done " * 20])
        make_room(session, transcript, 600, task)
        fronts.append(transcript.messages(session))
    grew = [later[: len(earlier)] == earlier for earlier, later in itertools.pairwise(fronts)]
    assert 0.7 < sum(grew) / len(grew) < 1


def test_what_stands_for_rows_names_them_and_proves_it():
    session, transcript = Session("ann"), Transcript()
    for step in range(6):
        live(session, step, f"Do {step}.", ["much " * 40])
    make_room(session, transcript, 600, len(session) - 4)
    (row,) = (row for row in session if row.kind == "compress")
    first, last = session.position(row.data["first"]), session.position(row.data["last"])
    rows = list(session)[first : last + 1]
    assert (row.data["rows"], row.data["digest"], row.data["because"]) == (len(rows), digest_of(rows), "window")
    assert "Do 3." in row.text
    assert "Do 0." not in str(transcript.messages(session)[1:])


def test_a_fork_from_before_a_compression_shows_all_again():
    session, transcript = Session("ann"), Transcript()
    for step in range(6):
        live(session, step, f"Do {step}.", ["much " * 40])
    whole, rows = transcript.messages(session), len(session)
    make_room(session, transcript, 500, rows - 4)
    assert transcript.messages(session) != whole
    assert transcript.messages(session.fork(rows)) == whole


@given(st.lists(st.text(min_size=0, max_size=3_000), min_size=1, max_size=6))
def test_what_cannot_make_room_loses_its_middle(texts):
    messages = [Message("user", text) for text in texts]
    room = 150 * len(texts)
    cut = clipped(messages, room)
    assert len(cut) == len(messages)
    whole = sum(map(ESTIMATE.of_message, messages)) <= room
    assert (cut == tuple(messages)) == whole
    for before, after in zip(messages, cut, strict=True):
        assert after.text[:50] == before.text[:50]


def test_ascii_texts_are_clipped_to_what_fits():
    cut = clipped([Message("user", "word " * 4_000), Message("user", "and " * 500)], 500)
    assert sum(map(ESTIMATE.of_message, cut)) <= 500
    assert "characters are left out here" in cut[0].text


def test_what_stands_for_rows_that_are_not_here_is_shown_by_itself():
    session, transcript = Session("ann"), Transcript()
    session.append("user", "Hello.")
    session.append("compress", "Elsewhere.", data={"first": "bob#0", "last": "bob#7"})
    assert messages_of(transcript.since(session, 0)) == (Message("user", "Hello."), Message("user", "Elsewhere."))
