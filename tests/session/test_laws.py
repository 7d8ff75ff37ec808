"""Laws of forking and merging, for whole families of sessions."""

from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.base import Usage
from cave_sim.session.session import Session

COSTS = st.none() | st.builds(Usage, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))


@st.composite
def families(draw):
    """Return sessions that were appended to, forked, detached and merged in any order."""
    sessions = [Session("ann")]
    for _ in range(draw(st.integers(1, 25))):
        chosen = draw(st.sampled_from(sessions))
        match draw(st.sampled_from(["append", "append", "append", "fork", "fork at", "detach", "merge"])):
            case "append":
                chosen.append("user", str(draw(st.integers(0, 99))), usage=draw(COSTS))
            case "fork":
                sessions.append(chosen.fork())
            case "fork at":
                sessions.append(chosen.fork(draw(st.integers(0, len(chosen)))))
            case "detach":
                sessions.append(chosen.detach())
            case "merge":
                other = draw(st.sampled_from(sessions))
                if other is not chosen:
                    sessions.append(chosen.merge(other))
    return sessions


def ids(session):
    return [row.id for row in session]


def cost(rows):
    return sum((row.usage for row in rows if row.usage is not None), Usage())


@given(families())
def test_no_session_holds_a_row_twice_and_its_usage_is_that_of_its_rows(family):
    for session in family:
        assert len(set(ids(session))) == len(session)
        assert session.usage == cost(session)


@given(families())
def test_ids_are_unique_and_nobody_descends_from_itself(family):
    assert len({session.id for session in family}) == len(family)
    for session in family:
        assert session.id not in {node.id for node in session.lineage.ancestors()}


@given(families(), st.data())
def test_appending_changes_one_session_alone(family, data):
    before = [ids(session) for session in family]
    chosen = data.draw(st.integers(0, len(family) - 1))
    family[chosen].append("user", "one more")
    for place, session in enumerate(family):
        assert ids(session)[: len(before[place])] == before[place]
        assert len(session) == len(before[place]) + (place == chosen)


@given(families(), st.data())
def test_a_fork_is_the_beginning_of_its_parent(family, data):
    parent = data.draw(st.sampled_from(family))
    at = data.draw(st.integers(0, len(parent)))
    child = parent.fork(at)
    assert ids(child) == ids(parent)[:at]
    assert child.usage == cost(list(parent)[:at])
    assert (child.parents, child.lineage.shared) == ((parent.id,), at)
    assert child.rows.shared(parent.rows) == at


@given(families(), st.data())
def test_a_merge_holds_each_row_of_both_once_and_changes_neither(family, data):
    one, two = data.draw(st.sampled_from(family)), data.draw(st.sampled_from(family))
    if one is two:
        return
    before = ids(one), ids(two)
    merged = one.merge(two)
    assert ids(merged) == before[0] + [row for row in before[1] if row not in before[0]]
    assert (ids(one), ids(two)) == before
    assert merged.parents == (one.id, two.id)


@given(families(), st.data())
def test_merging_is_associative_in_its_rows(family, data):
    one, two, three = (data.draw(st.sampled_from(family)).fork() for _ in range(3))
    left, right = one.merge(two).merge(three), one.merge(two.merge(three))
    assert ids(left) == ids(right)
    assert left.usage == right.usage


@given(families(), st.data())
def test_merging_again_adds_nothing(family, data):
    one, two = (data.draw(st.sampled_from(family)).fork() for _ in range(2))
    once = one.merge(two)
    assert ids(once.merge(two)) == ids(once)
