"""How much can be written: the formula, its parts, and what the paper's own numbers come to."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.capacity.degradation import (
    NONE,
    PAPER_FITS,
    Logistic,
    Table,
    degradation_of,
    rmse,
)
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.models import Budgets, Key, Message, PerAgent, Request, ScriptedModel
from cave_sim.models.budget import Budgeted
from cave_sim.models.cassette import Cassette, RecordedModel, stored_call
from cave_sim.models.wrapped import longest_output_for
from tests.models.asking import Stub

INCIDENT = Occupancy(200_000, 90_000)
curves = st.builds(Logistic, st.floats(0.1, 60), st.floats(-0.5, 1.5), st.booleans())
windows = st.integers(1, 300_000).flatmap(lambda limit: st.builds(Occupancy, st.just(limit), st.integers(0, limit)))
FIGURE_1 = Table(
    (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
    (1.0, 0.98, 0.95, 0.90, 0.82, 0.71, 0.55, 0.35, 0.18, 0.05, 0.01),
)
lengths = st.none() | st.integers(0, 300_000)


def test_the_papers_formula_says_that_its_own_incident_fits_eight_times_over():
    curve = PAPER_FITS["claude"]
    assert curve(0.45) == pytest.approx(0.744, abs=0.001)
    assert output_capacity(INCIDENT, OutputLimits(curve)) == 81_821


def test_the_longest_output_and_what_stalled_before_bound_the_capacity():
    curve = PAPER_FITS["claude"]
    assert output_capacity(INCIDENT, OutputLimits(curve, longest_tokens=8_192)) == 8_192
    assert output_capacity(INCIDENT, OutputLimits(curve, longest_tokens=8_192, stall_tokens=7_500)) == 7_500


def test_an_anchored_curve_fits_the_papers_points_better_than_the_one_that_it_prints():
    printed = rmse(PAPER_FITS["claude"], FIGURE_1.occupancies, FIGURE_1.shares)
    refitted = rmse(Logistic(8.1, 0.61, is_anchored=False), FIGURE_1.occupancies, FIGURE_1.shares)
    anchored = rmse(Logistic(6.8, 0.637), FIGURE_1.occupancies, FIGURE_1.shares)
    assert (round(printed, 3), round(refitted, 3), round(anchored, 3)) == (0.043, 0.025, 0.013)


@given(curves, st.floats(0, 1), st.floats(0, 1))
def test_a_curve_never_rises_and_stays_between_nothing_and_all(curve, one, other):
    low, high = sorted((one, other))
    assert 0 <= curve(high) <= curve(low) <= 1
    if curve.is_anchored:
        assert (curve(0), curve(1)) == (1, 0)
    assert degradation_of(curve.to_data()) == curve


@given(curves, windows, lengths, lengths)
def test_the_capacity_is_within_every_bound(curve, occupancy, longest, stall):
    limits = OutputLimits(curve, longest, stall)
    capacity = output_capacity(occupancy, limits)
    assert 0 <= capacity <= min(occupancy.free_tokens, *(each for each in (longest, stall) if each is not None), 10**6)
    assert output_capacity(occupancy.after(1), limits) <= capacity
    assert OutputLimits.from_data(limits.to_data()) == limits


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Occupancy(100, 101),
        lambda: Occupancy(0, 0),
        lambda: Occupancy(100, -5),
        lambda: Logistic(float("nan"), 0.5),
        lambda: Logistic(-1, 0.5),
        lambda: Table((0.0, 0.5), (0.5, 0.9)),
        lambda: Table((0.5, 0.5), (0.5, 0.4)),
        lambda: degradation_of({"kind": "spline"}),
        lambda: degradation_of({"kind": "logistic"}),
        lambda: OutputLimits.from_data({"degradation": NONE.to_data(), "longest_tokens": "many"}),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(wrong):
    with pytest.raises(WorldError):
        wrong()


def test_a_model_says_its_longest_output_through_every_wrapper_and_recording():
    short = ScriptedModel(["hi"], longest_output_tokens=4_096, name="short")
    assert longest_output_for(Budgeted(short, Budgets()), "") == 4_096
    assert longest_output_for(PerAgent(ScriptedModel([]), {"ann": short}), "ann") == 4_096
    assert longest_output_for(PerAgent(ScriptedModel([]), {"ann": short}), "bob") is None
    assert longest_output_for(Stub("says nothing of it"), "") is None
    request = Request((Message("user", "?"),), key=Key("town", "ann"))
    call = stored_call(short, request, asyncio.run(short.reply(request)))
    assert RecordedModel(Cassette([call])).longest_output_tokens == 4_096
    assert OutputLimits.of_model(short).longest_tokens == 4_096
