"""Sessions go to a journal row by row, and come back as they were."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.base import Usage
from cave_sim.session.archive import Archive, restore
from cave_sim.session.row import SessionError
from cave_sim.session.session import Session
from tests.session.test_laws import families


def through_json(data):
    return json.loads(json.dumps(data))


def looks(session):
    ancestors = [node.id for node in session.lineage.ancestors()]
    return session.about(), list(session), session.usage, session.parents, ancestors


def test_a_session_alone_survives_json_with_id_parents_and_usage():
    parent = Session("ann", placement="world")
    parent.append("user", "hello", usage=Usage(3, 1))
    child = parent.fork()
    child.append("assistant", "hi", step=2, time_s=60.0, data={"mood": [0.5]})
    loaded = Session.from_rows(through_json(child.about()), through_json(child.to_rows()))
    assert (loaded.about(), list(loaded), loaded.usage) == (child.about(), list(child), child.usage)
    assert loaded.parents == (parent.id,)
    assert [node.origin for node in loaded.lineage.ancestors()] == ["elsewhere"]


def test_a_fork_loaded_beside_its_parent_shares_its_rows_again():
    parent = Session("ann")
    parent.append("user", "a")
    child = parent.fork()
    child.append("user", "b")
    loaded = Session.from_rows(child.about(), child.to_rows(child.lineage.shared), [parent])
    assert list(loaded) == list(child)
    assert loaded[0] is parent[0]


def test_missing_rows_are_noticed():
    parent = Session("ann")
    parent.append("user", "a")
    child = parent.fork()
    child.append("user", "b")
    with pytest.raises(SessionError, match=r"had 2 rows, and 1 were found.*load its first parent"):
        Session.from_rows(child.about(), child.to_rows(1))


def test_after_a_resume_the_next_ids_are_those_that_would_have_come():
    session = Session("ann")
    session.append("user", "a")
    session.fork()
    loaded = Session.from_rows(session.about(), session.to_rows())
    assert loaded.fork().id == session.fork().id
    assert loaded.append("user", "b").id == session.append("user", "b").id


@given(families(), st.randoms(use_true_random=False))
def test_families_survive_in_whatever_order_they_are_stored(family, random):
    random.shuffle(family)
    archive = Archive()
    entries = [through_json(archive.news(session)) for session in family]
    assert archive.news(family[0]) is None
    restored = restore(entries)
    assert [looks(restored[session.id]) for session in family] == [looks(session) for session in family]


@given(families())
def test_what_was_stored_piece_by_piece_comes_back_whole(family):
    archive, entries = Archive(), []
    for session in family:
        entries.append(archive.news(session))
        session.append("user", "later")
        entries.append(archive.news(session))
        session.fork()
        entries.append(archive.news(session))
    assert [len(entry["rows"]) for entry in entries[1::3]] == [1] * len(family)
    restored = restore(entries)
    assert [looks(restored[session.id]) for session in family] == [looks(session) for session in family]


def test_a_fork_is_stored_without_what_its_parent_stored():
    archive, parent = Archive(), Session("ann")
    for number in range(10):
        parent.append("user", str(number))
    archive.news(parent)
    child = parent.fork(7)
    child.append("user", "x")
    assert [row["text"] for row in archive.news(child)["rows"]] == ["x"]


def test_an_archive_that_is_resumed_stores_nothing_again():
    first, session = Archive(), Session("ann")
    session.append("user", "a")
    restored = restore([first.news(session)])
    second = Archive()
    second.knows(restored.values())
    assert second.news(restored[session.id]) is None


def test_stored_sessions_that_descend_from_each_other_are_refused():
    one, two = Session("ann").about(), Session("bob").about()
    circle = [
        {"about": {**one, "parents": [two["id"]]}, "rows": []},
        {"about": {**two, "parents": [one["id"]]}, "rows": []},
    ]
    with pytest.raises(SessionError, match="descend from each other"):
        restore(circle)
