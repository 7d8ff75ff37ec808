"""Sessions: rows that are appended, forked at any of them, detached and merged."""

import pytest

from cave_sim.errors import SchemaError
from cave_sim.models.base import Usage
from cave_sim.session.lineage import Lineage
from cave_sim.session.row import SessionError
from cave_sim.session.session import Session


def texts(session):
    return [row.text for row in session]


def talk(session, *said, **more):
    for text in said:
        session.append("user", text, **more)
    return session


def test_a_row_belongs_to_the_session_and_to_the_moment_of_the_row_before_unless_it_says_otherwise():
    session = Session("ann")
    first = session.append("user", "hello", step=4, time_s=2_400.0, agent="bob")
    second = session.append("assistant", "hi")
    assert (first.agent, second.agent) == ("bob", "ann")
    assert (second.step, second.time_s) == (4, 2_400.0)


def test_ids_are_the_same_in_every_run_and_never_twice():
    def family():
        root = talk(Session("ann"), "a", "b")
        one, two = root.fork(), root.fork(1)
        talk(one, "c")
        sessions = [root, one, two, one.fork(), root.detach(), one.merge(two), one.merge(two), Session("ann", 1)]
        return [session.id for session in sessions], [row.id for row in [*root, one[2]]]

    (sessions, rows), again = family(), family()
    assert (sessions, rows) == again
    assert len(set(sessions)) == len(sessions)
    assert len(set(rows)) == len(rows)


def test_a_fork_goes_on_alone_and_leaves_its_parent_as_it_is():
    parent = talk(Session("ann"), "a", "b")
    child = talk(parent.fork(), "c")
    talk(parent, "d")
    assert (texts(parent), texts(child)) == (["a", "b", "d"], ["a", "b", "c"])
    assert child.parents == (parent.id,)
    assert child[0] is parent[0]


def test_a_fork_at_an_earlier_row_has_what_that_much_cost():
    parent = Session("ann")
    for text in "abc":
        talk(parent, text, usage=Usage(10, 1))
    assert texts(parent.fork(1)) == ["a"]
    assert parent.fork(1).usage == Usage(10, 1)
    assert parent.fork().usage == parent.usage == Usage(30, 3)
    assert parent.fork(0).usage == Usage()


@pytest.mark.parametrize("at", [-1, 3])
def test_a_fork_past_the_rows_is_refused_with_the_way_out(at):
    with pytest.raises(SessionError, match="it has 2 rows; take 0 to 2"):
        talk(Session("ann"), "a", "b").fork(at)


def test_a_detached_session_has_no_parents():
    session = talk(Session("ann"), "a", usage=Usage(1, 1)).detach()
    assert (session.parents, texts(session), session.usage) == ((), ["a"], Usage(1, 1))
    assert list(session.lineage.ancestors()) == []


def test_a_merge_has_the_shared_prefix_once_and_both_parents():
    root = talk(Session("ann"), "a", "b", usage=Usage(10, 0))
    one = talk(root.fork(), "c", usage=Usage(1, 0))
    two = talk(root.fork(), "d", usage=Usage(2, 0))
    merged = one.merge(two)
    assert texts(merged) == ["a", "b", "c", "d"]
    assert merged.usage == Usage(23, 0)
    assert merged.parents == (one.id, two.id)


def test_a_merge_with_itself_is_refused_with_the_way_out():
    session = Session("ann")
    with pytest.raises(SessionError, match="with itself; merge it with a fork"):
        session.merge(session)


def test_sessions_of_different_placement_do_not_merge():
    with pytest.raises(SessionError, match=r"'world' and .* in 'local'.*of one placement"):
        Session("ann", placement="world").merge(Session("bob", placement="local"))


def test_what_is_no_placement_is_refused():
    with pytest.raises(SessionError, match="placement 5: it is a name, such as 'world', or a Workspace"):
        Session("ann").to(5)


def test_forks_inherit_the_placement():
    session = Session("ann", placement="world")
    assert {each.placement for each in (session.fork(), session.detach(), session.fork().merge(session))} == {"world"}


def test_since_a_row_means_after_it_even_where_a_merge_moved_it():
    root = talk(Session("ann"), "a")
    one, two = talk(root.fork(), "b", "c"), talk(root.fork(), "d", "e")
    merged = one.merge(two)
    assert [row.text for row in merged.since(root[0].id)] == ["b", "c", "d", "e"]
    assert [row.text for row in merged.since(two[1].id)] == ["e"]
    with pytest.raises(SessionError, match="has no row 'nobody#7'"):
        merged.since("nobody#7")


def test_rows_taken_out_are_a_value():
    session = talk(Session("ann"), "a")
    rows = session.rows
    talk(session, "b")
    assert len(rows) == 1


def test_a_refused_row_leaves_no_trace():
    session = Session("ann")
    with pytest.raises(SchemaError):
        session.append("Not A Kind", "x")
    assert len(session) == 0


def test_an_empty_session_is_true_and_shows_itself():
    session = Session("ann")
    assert session
    assert repr(session) == f"<Session {session.id}: 0 rows, 0 tokens>"


def test_ancestors_come_once_and_nearest_first():
    root = Session("ann")
    one, two = root.fork(), root.fork()
    merged = one.merge(two)
    assert [node.id for node in merged.lineage.ancestors()] == [one.id, two.id, root.id]
    assert list(root.lineage.ancestors()) == []


def test_a_lineage_cannot_be_bent_into_a_circle():
    session = Session("ann")
    with pytest.raises(AttributeError):
        session.lineage.parents = (session.fork().lineage,)


def test_a_long_line_of_forks_stays_cheap_to_name_and_to_forget():
    session = Session("ann")
    for _ in range(20_000):
        session = session.fork()
    assert len(session.id) < 30
    assert sum(1 for _ in session.lineage.ancestors()) == 20_000
    assert isinstance(session.lineage, Lineage)


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31mann", "\u202enna", 7])
def test_names_that_would_not_show_in_one_line_are_refused_and_leave_no_trace(name):
    session = Session("ann")
    with pytest.raises(SessionError, match="no name of one line"):
        Session(name)
    with pytest.raises(SessionError, match="no name of one line"):
        session.handed_to(name)
    if isinstance(name, str):
        with pytest.raises(SessionError, match="no name of one line"):
            session.to(name)
    assert session.fork().id == Session("ann").fork().id
