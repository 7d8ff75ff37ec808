"""Intervals, differences and effects of replicates, beside published numbers and by how often they are right."""

import math

import numpy as np
import pandas as pd
import pytest

from cave_sim.analysis.statistics import (
    bootstrap_interval,
    mean_interval,
    paired_difference,
    share_interval,
    unpaired_difference,
)
from cave_sim.analysis.wording import alike_text
from cave_sim.experiment.statistics import success_text
from tests.late_imports import LateImport

stats = LateImport("scipy.stats")

GAPS = [12.9, 0.5, 1.0, 11.4, 27.5]
SLEEP_A = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_B = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
"""Hours of sleep gained by two drugs, the same ten people (Student 1908)."""


def test_few_replicates_get_the_interval_of_student():
    found = mean_interval(GAPS)
    assert (round(found.low, 1), round(found.high, 1)) == (-3.0, 24.3)
    assert (found.n, found.method) == (5, "t")
    assert str(found) == "10.7 [-3.0, 24.3]"


@pytest.mark.parametrize("estimate", [mean_interval, bootstrap_interval])
def test_replicates_that_are_all_alike_have_no_interval(estimate):
    """One without width would say that the mean is certain. The spread of thirty times 0.4 is not 0 in floats."""
    assert np.std([0.4] * 30) > 0
    assert str(estimate([0.4] * 30)) == "0.4 in each of 30"
    found = estimate([5, 5, 5])
    assert (found.is_alike, found.has_interval, found.to_data()["low"]) == (True, False, None)
    assert str(estimate([0.1 + 0.2, 0.3])) == "0.3 in each of 2"


def test_pairs_that_differ_by_the_same_but_for_rounding_have_no_p_value_and_are_sure():
    found = paired_difference([1.0, 2.0, 1.7], [0.9, 1.9, 1.6])
    assert (found.is_alike, math.isnan(found.p_value), found.is_sure(found.p_value, 0.05)) == (True, True, True)


def test_pairs_whose_differences_cancel_out_have_none_whatever_rounding_leaves():
    lives, others = [12 / 31, 20 / 31, 23 / 31, 5 / 31], [20 / 31, 23 / 31, 5 / 31, 12 / 31]
    assert np.mean(np.subtract(lives, others)) != 0
    found = paired_difference(lives, others)
    assert (found.mean, found.d_z, found.has_interval) == (0.0, 0.0, True)


def test_how_many_more_may_differ_from_what_was_alike_in_all():
    """Of twelve alike, 1 - 0.05 ** (1 / 12); of thirty, the tenth that the rule of three has."""
    assert "up to 22 % of further runs" in alike_text(12)
    assert "up to 10 % of further runs" in alike_text(30)


@pytest.mark.parametrize("estimate", [mean_interval, bootstrap_interval])
def test_one_replicate_has_a_mean_and_no_interval(estimate):
    found = estimate([11.4])
    assert (found.mean, found.has_interval, found.method) == (11.4, False, "")
    assert str(found) == "11.4 (n = 1: no interval)"
    assert found.to_data()["low"] is None


def test_one_pair_has_a_difference_and_neither_interval_nor_test():
    found = paired_difference([11.4], [0.0])
    assert (found.mean, found.has_interval) == (11.4, False)
    assert math.isnan(found.p_value)
    assert math.isnan(found.variance_ratio)


def test_of_nothing_there_is_nothing():
    assert str(mean_interval([])) == "nothing to estimate"
    assert str(mean_interval([math.nan])) == "nothing to estimate"


def test_missing_numbers_are_left_out_and_not_counted():
    assert mean_interval([1.0, math.nan, 3.0]) == mean_interval([1.0, 3.0])
    assert paired_difference([1.0, math.nan, 3.0], [0.0, 5.0, 1.0]).n == 2


def test_pairs_that_all_differ_by_the_same_have_neither_an_interval_nor_a_p_value():
    found = paired_difference([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
    assert (str(found), math.isnan(found.p_value)) == ("+0.1 in each of 3", True)
    apart = unpaired_difference([5, 5, 5], [3, 3])
    assert (str(apart), math.isnan(apart.p_value)) == ("+2 in each of 2", True)
    assert paired_difference([1.0, 2.0], [1.0, 2.0]).p_value == 1.0


def test_one_side_that_is_constant_is_compared_without_a_warning():
    found = unpaired_difference([1.0, 2.0], [1.0, 1.0, 1.0])
    assert (found.low, found.high) == pytest.approx((-5.853, 6.853), abs=1e-3)


def test_gaps_whose_squares_are_nothing_are_tested_nevertheless():
    assert paired_difference([1e-320, 2e-320, 3e-320], [3e-320, 2e-320, 1e-320]).p_value == 1
    assert paired_difference([2e-320, 3e-320], [0.0, 0.0]).p_value == 0


def test_the_sleep_of_student_comes_out_as_published():
    found = paired_difference(SLEEP_B, SLEEP_A)
    assert found.mean == pytest.approx(1.58)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858))
    assert found.p_value == pytest.approx(0.002833, abs=1e-6)
    assert found.d_z == pytest.approx(1.2846, abs=1e-4)
    apart = unpaired_difference(SLEEP_B, SLEEP_A)
    assert (apart.low, apart.high) == pytest.approx((-0.2054832, 3.3654832))
    assert apart.p_value == pytest.approx(0.07939, abs=1e-5)
    assert apart.d == found.d == pytest.approx(0.8321811)


def test_common_random_numbers_are_told_by_what_they_save():
    luck = np.random.default_rng(3).normal(0, 10, 200)
    noise = np.random.default_rng(4).normal(0, 1, 200)
    paired = paired_difference(luck + 1 + noise, luck)
    assert paired.variance_ratio == pytest.approx(2 * 10**2 / 1**2, rel=0.25)
    assert paired.halfwidth < unpaired_difference(luck + 1 + noise, luck).halfwidth / 10


def test_pairs_are_found_by_their_seeds():
    treated = pd.Series([5.0, 1.0, 9.0], index=[3, 1, 7])
    reference = pd.Series([0.5, 4.0, 8.0], index=[1, 3, 8])
    found = paired_difference(treated, reference)
    assert (found.n, found.mean) == (2, 0.75)


def test_a_seed_that_is_there_twice_says_not_what_belongs_together():
    twice = pd.Series([1.0, 2.0], index=[1, 1])
    with pytest.raises(ValueError, match="same seed"):
        paired_difference(twice, twice)


def test_numbers_without_a_partner_are_refused():
    with pytest.raises(ValueError, match="3 numbers cannot be paired with 2"):
        paired_difference([1, 2, 3], [1, 2])


def test_cliffs_delta_asks_for_order_alone():
    assert paired_difference([2, 3, 1e9], [0, 1, 1.5]).delta == 1.0
    assert paired_difference([1, 2], [1, 2]).delta == 0.0
    assert unpaired_difference([1, 2, 3], [2]).delta == 0.0


@pytest.mark.parametrize(("good", "of", "low", "high"), [(8, 10, 49.02, 94.33), (40, 40, 91.24, 100), (0, 4, 0, 48.99)])
def test_shares_have_the_interval_of_wilson(good, of, low, high):
    found = share_interval(good, of)
    assert (100 * found.low, 100 * found.high) == pytest.approx((low, high), abs=0.01)


@pytest.mark.parametrize("good", [0, 1])
def test_a_share_of_one_trial_has_no_interval_either(good):
    found = share_interval(good, 1)
    assert (found.mean, found.n, found.has_interval, found.method) == (good, 1, False, "")
    assert success_text(good, 1, scripted=False) == f"{100 * good}.0"


def test_what_rounding_leaves_is_no_difference():
    found = paired_difference([0.1 + 0.2, 0.6], [0.3, 0.6])
    assert (found.mean, found.p_value) == (0, 1)
    found = paired_difference([0.1 + 0.2] * 3, [0.3] * 3)
    assert (str(found), found.p_value) == ("0 in each of 3", 1)


def test_a_share_of_no_trials_has_no_interval():
    assert not share_interval(0, 0).has_interval


@pytest.mark.long
def test_t_intervals_of_three_seeds_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(1)
    drawn = [mean_interval(rng.normal(4, 2, 3)) for _ in range(2000)]
    held = np.mean([each.low <= 4 <= each.high for each in drawn])
    assert held == pytest.approx(0.95, abs=0.015)
    by_z = np.mean([abs(each.mean - 4) <= each.halfwidth * 1.96 / stats.t.ppf(0.975, 2) for each in drawn])
    assert by_z < 0.86  # what ± with z = 1.96 promised as 0.95


def test_the_bootstrap_of_skewed_numbers_reaches_further_to_their_long_side():
    skewed = np.random.default_rng(2).lognormal(0, 1, 40)
    found = bootstrap_interval(skewed)
    assert found.high - found.mean > 1.2 * (found.mean - found.low)
    assert found == bootstrap_interval(skewed)
    symmetric = mean_interval(skewed)
    assert symmetric.high - symmetric.mean == pytest.approx(symmetric.mean - symmetric.low)


def test_the_bootstrap_takes_any_statistic():
    found = bootstrap_interval(np.arange(101.0), statistic=np.median)
    assert found.mean == 50
    assert 35 < found.low < 50 < found.high < 65


SHARES = [0.2, 0.3, 0.66, 1.0]


def test_the_interval_of_a_share_stays_between_nothing_and_all():
    assert mean_interval(SHARES).high > 1
    found = mean_interval(SHARES, share=True)
    assert 0 < found.low < found.mean < found.high < 1
    assert found.method == "t of log-odds"


def test_the_interval_of_a_share_is_that_of_any_mean_where_the_ends_are_far():
    near = [0.5, 0.501, 0.499, 0.5]
    plain, share = mean_interval(near), mean_interval(near, share=True)
    assert (share.low, share.high) == (pytest.approx(plain.low, abs=1e-6), pytest.approx(plain.high, abs=1e-6))


@pytest.mark.parametrize("values", [[1.4, 1.4, 1.4], [2.0, 4.0], [0.4]])
def test_what_has_no_odds_has_the_interval_of_any_number(values):
    assert repr(mean_interval(values, share=True)) == repr(mean_interval(values))


@pytest.mark.parametrize(("value", "ends"), [(0.0, "0.000 [0.000, 0.114]"), (1.0, "1.000 [0.886, 1.000]")])
def test_shares_that_are_all_0_or_all_1_leave_as_much_open_as_so_many_trials_do(value, ends):
    found = mean_interval([value] * 30, share=True)
    assert (str(found), found.method) == (ends, "Wilson")


def test_intervals_of_shares_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(5)
    drawn = [mean_interval(rng.beta(1.6, 0.4, 8), share=True) for _ in range(1_000)]
    assert 0.9 < np.mean([each.low < 0.8 < each.high for each in drawn]) < 0.98
