"""Which way a document is written: what fits, what it costs, and that failing ends."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.capacity.costs import (
    FRAME_TOKENS,
    Document,
    break_even_tokens,
    chunked_tokens,
    deferred_tokens,
    direct_tokens,
    parts,
    saved_share,
)
from cave_sim.capacity.degradation import PAPER_FITS, Logistic
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.capacity.strategies import FAILURES, MARGIN, MOST_CHUNKS, MOST_REPLANS, STRATEGIES, plan, replan

INCIDENT = Occupancy(200_000, 90_000)
WORD = Document(7_143, format_multiplier=1.4, data_multiplier=1.15, data_share=0.55)
documents = st.builds(
    Document,
    st.integers(0, 200_000),
    st.floats(0.5, 4),
    st.floats(0.5, 3),
    st.floats(0, 1),
    st.integers(0, 5_000),
    st.integers(1, 50),
)
windows = st.integers(1, 300_000).flatmap(lambda limit: st.builds(Occupancy, st.just(limit), st.integers(0, limit)))
limits = st.builds(
    OutputLimits,
    st.builds(Logistic, st.floats(0.5, 40), st.floats(0, 1), st.booleans()),
    st.none() | st.integers(1, 100_000),
    st.none() | st.integers(1, 100_000),
)


def test_the_paper_would_have_written_its_incident_outright_and_stalled():
    as_it_says = plan(WORD, INCIDENT, OutputLimits(PAPER_FITS["claude"]), margin=0.67)
    assert (as_it_says.strategy, as_it_says.turns) == ("direct", (10_001,))
    with_its_limit = plan(WORD, INCIDENT, OutputLimits(PAPER_FITS["claude"], longest_tokens=8_192))
    assert (with_its_limit.strategy, with_its_limit.chunks) == ("chunked", 2)


def test_silence_leads_down_the_cascade_and_then_to_an_end():
    seen, now = [], plan(WORD, INCIDENT, OutputLimits(PAPER_FITS["claude"]))
    while now.turns:
        seen.append(now.strategy)
        now = replan(now, "empty")
    assert seen == ["direct", "chunked", "deferred", "deferred"]
    assert "make room" in now.why


def test_what_stalled_is_not_tried_again_nor_anything_near_it():
    first = plan(WORD, INCIDENT, OutputLimits(PAPER_FITS["claude"]))
    assert replan(first, "empty").capacity_tokens == 3 * max(first.turns) // 4
    assert replan(first, "tool_error").capacity_tokens == first.capacity_tokens


def test_a_cut_off_chunk_leads_to_smaller_ones_of_what_is_left():
    first = plan(WORD, INCIDENT, OutputLimits(longest_tokens=4_000))
    after = replan(first, "truncated", turns_done=2)
    assert (first.strategy, after.strategy) == ("chunked", "chunked")
    assert after.document.content_tokens == round(WORD.content_tokens * (1 - 2 / first.chunks))
    assert max(after.turns) < max(first.turns)
    assert after.occupancy.used_tokens == 90_000 + sum(first.turns[:2])


@given(documents, windows, limits, st.floats(0.05, 1), st.booleans())
def test_every_turn_of_a_plan_fits_into_what_can_be_written_by_then(document, occupancy, known, margin, can_render):
    found = plan(document, occupancy, known, margin=margin, can_render=can_render)
    for tokens in found.turns:
        assert tokens <= margin * output_capacity(occupancy, known)
        occupancy = occupancy.after(tokens)
    assert bool(found.turns) == (found.strategy != "none")
    assert len(found.turns) <= MOST_CHUNKS + 1
    assert can_render or found.strategy != "deferred"


@given(documents, windows, limits, st.data())
def test_no_cascade_goes_on_for_ever_or_tries_a_plan_twice(document, occupancy, known, data):
    now, tried = plan(document, occupancy, known), []
    while now.turns:
        tried.append((now.strategy, now.turns, now.occupancy.used_tokens))
        failure = data.draw(st.sampled_from(FAILURES))
        now = replan(now, failure, turns_done=data.draw(st.integers(0, len(now.turns) - 1)))
    assert len(tried) <= MOST_REPLANS + 1
    assert len(set(tried)) == len(tried)
    places = [STRATEGIES.index(each[0]) for each in tried]
    assert places == sorted(places)


@given(documents, windows, limits)
def test_the_simplest_plan_that_fits_is_taken(document, occupancy, known):
    found = plan(document, occupancy, known)
    fits_outright = direct_tokens(document) <= MARGIN * output_capacity(occupancy, known)
    assert (found.strategy == "direct") == fits_outright


def test_rendering_may_fit_where_chunks_do_not_and_chunks_where_one_piece_of_data_does_not():
    tight = OutputLimits(Logistic(10, 0.5), longest_tokens=400)
    table = Document(20_000, 1.3, 2.0, data_share=0.01)
    assert plan(table, Occupancy(100_000, 10_000), tight).strategy == "deferred"
    prose = Document(300, 1.0, 2.0)
    assert plan(prose, Occupancy(100_000, 10_000), tight).strategy == "chunked"


@pytest.mark.parametrize(("multiplier", "content"), [(1.20, 30_000), (1.30, 10_000), (1.40, 6_000), (1.05, math.inf)])
def test_a_template_pays_off_later_than_the_paper_says(multiplier, content):
    assert break_even_tokens(multiplier, 1.15, template_tokens=1_500) == pytest.approx(content)
    assert break_even_tokens(multiplier, 1.15, 1_500, documents=10) == pytest.approx(content / 10)


@given(st.floats(1, 3), st.floats(0.5, 2), st.integers(1, 3_000), st.integers(1, 20))
def test_beyond_the_break_even_rendering_takes_fewer_tokens(multiplier, data, template, documents):
    content = break_even_tokens(multiplier, data, template, documents)
    if content < 10**6:
        more = Document(math.ceil(content * 1.1) + 50, multiplier, data, 1.0, template, documents)
        assert deferred_tokens(more) <= direct_tokens(more) + 2
        assert saved_share(more) > -0.05


@given(st.integers(0, 10**6), st.integers(1, 64))
def test_chunks_are_even_and_hold_it_all(tokens, chunks):
    found = parts(tokens, chunks)
    assert len(found) == chunks
    assert max(found) - min(found) <= 1
    assert sum(found) == chunked_tokens(Document(tokens), chunks)
    assert chunked_tokens(Document(tokens), chunks) == tokens + (chunks > 1) * chunks * FRAME_TOKENS


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Document(-5),
        lambda: Document(5, format_multiplier=float("nan")),
        lambda: Document(5, documents=0),
        lambda: plan(WORD, INCIDENT, OutputLimits(), margin=0),
        lambda: replan(plan(WORD, INCIDENT, OutputLimits()), "bored"),
        lambda: replan(plan(WORD, INCIDENT, OutputLimits()), "empty", turns_done=999),
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(WorldError):
        wrong()


def test_a_document_that_could_not_be_rendered_is_not_rendered_by_being_told_again():
    deferred = plan(WORD, INCIDENT, OutputLimits(), simplest="deferred")
    assert deferred.strategy == "deferred"
    assert replan(deferred, "tool_error").strategy == "none"


def test_a_template_that_was_written_is_not_written_again():
    document = Document(4_000, format_multiplier=3.0, template_tokens=500)
    deferred = plan(document, INCIDENT, OutputLimits(longest_tokens=5_000), simplest="deferred")
    assert deferred.turns[0] == 500
    anew, on = replan(deferred, "truncated"), replan(deferred, "truncated", turns_done=1)
    assert anew.document.template_tokens == 500
    assert on.document.template_tokens == 0
    assert sum(on.turns) == deferred_tokens(on.document, on.chunks) >= 4_000
