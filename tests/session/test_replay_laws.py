"""Laws of whole families of sessions that were stored, loaded and gone on with: it makes no difference."""

from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.base import Usage
from cave_sim.session.archive import Archive, restore
from cave_sim.session.session import Session

DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "append", "fork", "fork at", "detach", "merge", "move"]),
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    min_size=1,
    max_size=15,
)


def play(deeds, sessions=()):
    """Return the family that came of doing things, one after another, with sessions that there are already."""
    family = list(sessions) or [Session("ann")]
    for deed, one, two in deeds:
        chosen, other = family[one % len(family)], family[two % len(family)]
        match deed:
            case "append":
                usage = None if two % 3 else Usage(two, one % 7, two // 2)
                chosen.append("user", f"{one} {two}", step=two, usage=usage, data={"n": two} if one % 2 else None)
            case "fork":
                family.append(chosen.fork())
            case "fork at":
                family.append(chosen.fork(two % (len(chosen) + 1)))
            case "detach":
                family.append(chosen.detach())
            case "move":
                moved = chosen.to("world" if two % 2 else "none")
                family += [] if moved is chosen else [moved]
            case "merge" if chosen is not other and chosen.placement == other.placement:
                family.append(chosen.merge(other))
    return family


def told(family):
    """Return everything that a family says of itself."""
    ancestors = [[node.id for node in each.lineage.ancestors()] for each in family]
    return [(each.about(), each.to_rows(), each.usage) for each in family], ancestors


def rows_by_id(family):
    return {row.id: row for session in family for row in session}


def cost(rows):
    return sum((row.usage for row in rows if row.usage is not None), Usage())


@given(DEEDS, DEEDS)
def test_who_goes_on_after_loading_comes_to_the_same_family_as_who_never_stopped(before, after):
    family, archive = play(before), Archive()
    loaded = restore([archive.news(session) for session in family])
    assert told(play(after, [loaded[session.id] for session in family])) == told(play(after, family))


@given(st.lists(DEEDS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_however_often_and_in_whatever_order_news_are_stored_the_family_is_whole(stretches, random):
    archive, entries, family = Archive(), [], ()
    for deeds in stretches:
        family = play(deeds, family)
        for session in random.sample(family, len(family)):
            entries += filter(None, [archive.news(session)])
    loaded = restore(entries)
    assert told([loaded[session.id] for session in family]) == told(family)
    assert [archive.news(session) for session in family] == [None] * len(family)


@given(DEEDS)
def test_each_row_is_stored_once_for_those_who_share_it_with_their_first_parent(deeds):
    family, archive = play(deeds), Archive()
    stored = sum(len(archive.news(session)["rows"]) for session in family)
    assert stored == sum(len(session) - session.lineage.shared for session in family)


@given(DEEDS, st.data())
def test_nothing_that_is_done_with_children_reaches_what_was_there(deeds, data):
    family = play(deeds)
    before = [([*session], session.usage, session.placement, session.lineage) for session in family]
    children = [data.draw(st.sampled_from(family)).fork() for _ in range(3)]
    play(data.draw(DEEDS), children)
    assert [([*session], session.usage, session.placement, session.lineage) for session in family] == before


@given(DEEDS, st.data())
def test_usage_is_conserved_what_two_share_is_paid_for_once(deeds, data):
    family = [session for session in play(deeds) if session.placement == "none"]
    one, two = data.draw(st.sampled_from(family)).fork(), data.draw(st.sampled_from(family)).fork()
    merged = one.merge(two)
    assert merged.usage + cost(row for row in one if row in two.rows) == one.usage + two.usage
    everything = family[0].detach()
    for session in family[1:]:
        everything = everything.merge(session)
    assert everything.usage == cost(rows_by_id(family).values())


@given(DEEDS, st.data())
def test_detached_a_session_says_the_same_and_descends_from_nobody(deeds, data):
    session = data.draw(st.sampled_from(play(deeds)))
    alone = session.detach()
    assert (alone.to_rows(), alone.usage, alone.placement) == (session.to_rows(), session.usage, session.placement)
    assert (alone.parents, list(alone.lineage.ancestors())) == ((), [])
    assert [node.id for node in alone.fork().lineage.ancestors()] == [alone.id]


@given(DEEDS, st.data())
def test_merging_with_what_it_came_from_or_what_came_of_it_adds_only_what_is_new(deeds, data):
    session = data.draw(st.sampled_from(play(deeds)))
    child = session.fork()
    assert [*session.merge(child)] == [*child.merge(session)] == [*session]
    child.append("user", "new")
    assert [*session.merge(child)] == [*child]
    assert [*child.merge(session)] == [*child]


@given(DEEDS, DEEDS)
def test_a_row_with_the_same_id_says_the_same_wherever_it_is(before, after):
    family = play(after, play(before))
    by_id = rows_by_id(family)
    assert all(row is by_id[row.id] for session in family for row in session)
