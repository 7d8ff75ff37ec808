"""A curve that is known is found again from what a model writes and does not write."""

import asyncio
from dataclasses import replace

import pytest

from cave_sim import WorldError
from cave_sim.capacity.calibration import calibrate
from cave_sim.capacity.degradation import NONE, Logistic
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.capacity.probes import last_number, numbers, question, script
from cave_sim.capacity.stalling_model import StallingModel
from cave_sim.capacity.stalls import LEAST_TOKENS, StallLimit, outcome_of
from cave_sim.models import ModelError, Reply, ToolCall
from cave_sim.models.tokens import ESTIMATE
from tests.models.asking import Stub

WINDOW = 6_000


def stalling(curve, longest=None, stall=None):
    return StallingModel(script, OutputLimits(curve, longest, stall, "scripted-known", WINDOW))


@pytest.mark.long
@pytest.mark.parametrize("curve", [Logistic(8.2, 0.58, is_anchored=False), Logistic(12, 0.4)], ids=str)
def test_a_known_curve_is_recovered_within_five_percent(curve):
    found = calibrate(stalling(curve))
    assert max(abs(found.limits.degradation(at / 20) - curve(at / 20)) for at in range(20)) < 0.05
    assert found.rmse < 0.03
    assert {probe.outcome for probe in found.probes} == {"complete", "truncated", "empty"}
    assert found.limits.model == "scripted-known"


def test_what_the_longest_output_cuts_off_is_not_taken_for_the_curve():
    curve = Logistic(8, 0.6)
    found = calibrate(stalling(curve, 1_500), occupancies=(0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)).limits
    assert found.longest_tokens == 1_500
    for used in (600, 3_000, 4_800):
        known = output_capacity(Occupancy(WINDOW, used), OutputLimits(curve, 1_500))
        assert output_capacity(Occupancy(WINDOW, used), found) == pytest.approx(known, rel=0.07)


def test_a_model_that_stalls_at_one_length_however_full_its_window_is_has_a_stall_limit_and_no_curve():
    found = calibrate(stalling(NONE, stall=300), occupancies=(0.1, 0.5, 0.9, 0.96))
    assert (found.limits.degradation, found.limits.longest_tokens) == (NONE, None)
    assert found.limits.stall_tokens == pytest.approx(300, rel=0.03)
    assert found.rmse < 0.02


def test_of_a_model_that_never_failed_nothing_is_made_up():
    found = calibrate(stalling(NONE), occupancies=(0.2, 0.6), longest_tokens=100)
    assert (found.limits.degradation, found.rmse, len(found.probes)) == (NONE, None, 2)


@pytest.mark.parametrize("occupancies", [(0.5,), (0.2, 0.8)])
def test_a_curve_through_each_of_its_points_has_no_error(occupancies):
    found = calibrate(stalling(Logistic(12, 0.4)), occupancies=occupancies)
    assert (found.points, found.rmse, found.to_data()["rmse"]) == (len(occupancies), None, None)


def test_a_model_that_is_always_silent_ends_the_calibration_with_nothing():
    found = calibrate(Stub(Reply("")), occupancies=(0.2,), counter=ESTIMATE, most_probes=20)
    assert found.thresholds[0].whole_tokens == 0
    assert len(found.probes) <= 12
    assert found.limits.degradation(0.2) < 0.01


class Failing(StallingModel):
    """A stalling model that gives no reply any more from its so-manieth question on."""

    def __init__(self, error, after):
        super().__init__(script, OutputLimits(Logistic(12, 0.4), window_tokens=WINDOW, model="scripted-failing"))
        self.error, self.left = error, after

    async def reply(self, request):
        self.left -= 1
        if self.left < 0:
            raise self.error
        return await super().reply(request)


@pytest.mark.long
@pytest.mark.parametrize("error", [ModelError("timeout", "no reply within 300 s"), KeyboardInterrupt("interrupted")])
def test_what_was_measured_until_a_model_falls_silent_or_somebody_interrupts_is_kept(error):
    whole = calibrate(Failing(error, 1_000), occupancies=(0.2, 0.5, 0.8))
    asked = [0] * 3
    for probe in whole.probes:
        asked[round(probe.occupancy.share * 10) // 3] += 1
    begun, told = [], []
    part = calibrate(
        Failing(error, asked[0] + asked[1]), occupancies=(0.2, 0.5, 0.8), note=told.append,
        asking=lambda used, tokens: begun.append((used, tokens)),
    )  # fmt: skip
    assert (part.thresholds, whole.ended) == (whole.thresholds[:2], "")
    assert str(error).split()[0] in part.ended
    assert part.to_data()["ended"] == part.ended
    assert (len(begun), tuple(told)) == (len(told) + 1, part.probes)
    with pytest.raises(type(error)):
        calibrate(Failing(error, 0), occupancies=(0.2,))


def test_what_ended_before_any_answer_came_whole_is_no_calibration_and_nothing_is_planned_by_it():
    with pytest.raises(WorldError, match=r"nothing to plan by; none was asked for \(0 s are over\)"):
        calibrate(stalling(Logistic(12, 0.4)), within_s=0)
    with pytest.raises(WorldError, match=r"none of 1 did, the shortest of 584 tokens: want less.*late"):
        calibrate(Failing(ModelError("timeout", "late"), 1), occupancies=(0.9,))


def test_a_calibration_that_cannot_be_is_refused():
    with pytest.raises(WorldError, match="below 1"):
        calibrate(stalling(NONE), occupancies=(1.0,))
    with pytest.raises(ModelError, match="down"):
        calibrate(Stub(ModelError("unavailable", "down")), occupancies=(0.1,), counter=ESTIMATE)
    blind = Stub("?")
    blind.window_tokens = 0
    with pytest.raises(WorldError, match="window"):
        calibrate(blind)


class Counting(StallingModel):
    """A stalling model whose provider counts half as many tokens again as anybody here does."""

    async def reply(self, request):
        reply = await super().reply(request)
        return replace(reply, usage=replace(reply.usage, prompt_tokens=reply.usage.prompt_tokens * 3 // 2))


def test_a_window_is_as_full_as_is_asked_for_by_the_count_of_the_provider():
    model = Counting(script, OutputLimits(Logistic(12, 0.4), window_tokens=WINDOW))
    found = calibrate(model, occupancies=(0.2, 0.5, 0.9), longest_tokens=200)
    assert [each.occupancy.share for each in found.thresholds[1:]] == pytest.approx([0.5, 0.9], abs=0.05)
    assert not found.ended


@pytest.mark.parametrize("tokens", [1, 7, 100, 900])
def test_a_trial_wants_as_many_tokens_as_it_says(tokens):
    last = last_number(tokens, ESTIMATE)
    assert ESTIMATE(numbers(last)) <= max(tokens, 1) < ESTIMATE(numbers(last + 1)) + 2
    assert ESTIMATE.of_request(question(2_000, last, ESTIMATE)) == pytest.approx(2_000, rel=0.05)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply("done"), "complete"),
        (Reply("half", finish_reason="length"), "truncated"),
        (Reply(" \n"), "empty"),
        (Reply("", finish_reason="length"), "empty"),
        (Reply("", tool_calls=(ToolCall("1", "look", "{}"),)), "complete"),
        (Reply("", refusal="I will not"), "withheld"),
        (Reply("", finish_reason="content_filter"), "withheld"),
    ],
)
def test_what_became_of_a_reply_has_a_name(reply, outcome):
    assert outcome_of(reply) == outcome


def test_silence_halves_what_is_asked_for_and_a_long_answer_lifts_it_again():
    limit = StallLimit()
    assert limit.asked(1_024) == 1_024
    for _ in range(2):
        limit.note("empty", limit.asked(1_024), 0)
    assert (limit.asked(1_024), limit.in_a_row) == (256, 2)
    limit.note("complete", 256, 200)
    assert (limit.asked(1_024), limit.in_a_row) == (400, 0)
    for _ in range(20):
        limit.note("empty", limit.asked(1_024), 0)
    assert limit.asked(1_024) == LEAST_TOKENS


def test_the_scripted_model_that_stalls_keeps_its_window_and_what_is_asked_for():
    model = stalling(Logistic(8, 0.6))
    with pytest.raises(ModelError, match="window"):
        asyncio.run(model.reply(question(WINDOW + 500, 3, ESTIMATE)))
    whole = asyncio.run(model.reply(question(500, 50, ESTIMATE)))
    assert whole.text == numbers(50)
