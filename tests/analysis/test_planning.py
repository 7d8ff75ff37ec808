"""How many seeds: what is planned is what is then found, over many simulated studies."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cave_sim.analysis.hypotheses import corrected, equivalence
from cave_sim.analysis.planning import is_precise, power_of, seeds_for_effect, seeds_needed, smallest_effect
from cave_sim.analysis.statistics import (
    bootstrap_interval,
    mean_interval,
    paired_difference,
    share_interval,
    unpaired_difference,
)

REPETITIONS = 200


def study(rng, seeds, effect):
    """Return a study's last values under two conditions with common random numbers: luck of a seed, own noise, effect.

    The effect is standardised by the spread of the differences, which is the square root of two.
    """
    luck = rng.normal(100, 20, seeds)
    reference = luck + rng.normal(0, 1, seeds)
    return luck + rng.normal(0, 1, seeds) + effect * np.sqrt(2), reference


def rejected(rng, seeds, effect):
    """Return the share of studies that find a difference at 5 %."""
    return np.mean([paired_difference(*study(rng, seeds, effect)).p_value < 0.05 for _ in range(REPETITIONS)])


@pytest.mark.parametrize("seeds", [3, 5, 30])
def test_studies_of_nothing_find_something_in_five_of_a_hundred(seeds):
    """Over 4000 studies, so many that luck is out of it: 5.2, 5.3 and 4.8 of a hundred."""
    assert rejected(np.random.default_rng(1), seeds, 0.0) == pytest.approx(0.05, abs=0.03)


@pytest.mark.parametrize("effect", [0.5, 1.0, -2.0])
def test_an_effect_that_is_there_is_found_with_the_power_that_was_planned(effect):
    seeds = seeds_for_effect(effect, power=0.8)
    planned = power_of(seeds, effect)
    assert planned >= 0.8 > power_of(seeds - 1, effect)
    assert rejected(np.random.default_rng(11), seeds, effect) == pytest.approx(planned, abs=0.07)


def test_planned_seeds_are_those_of_the_tables():
    """Cohen 1988, table 2.4.1 for two groups, d = 0.5: 64; and G*Power for pairs: 34."""
    assert seeds_for_effect(0.5, paired=False) == 64
    assert seeds_for_effect(0.5) == 34


def test_a_huge_effect_takes_two_seeds_at_least():
    assert seeds_for_effect(1000) == 2


def test_no_number_of_seeds_finds_nothing():
    with pytest.raises(ValueError, match="effect of 0"):
        seeds_for_effect(0)
    with pytest.raises(ValueError, match="effect of nan"):
        seeds_for_effect(float("nan"))
    with pytest.raises(ValueError, match="between 0 and 1"):
        seeds_for_effect(0.5, power=1.0)


def test_one_seed_has_no_power_and_neither_has_what_is_no_number():
    assert np.isnan(power_of(1, 0.5))
    assert np.isnan(power_of(1, 0.5, paired=False))
    assert np.isnan(power_of(5, float("nan")))
    assert power_of(5, float("inf")) == 1


@pytest.mark.parametrize("asked", [lambda: seeds_for_effect(1e-9), lambda: seeds_needed([1, 2], 1e-9)])
def test_more_seeds_than_anybody_runs_are_not_said_to_be_enough(asked):
    with pytest.raises(ValueError, match="not even 1,000,000 seeds are enough"):
        asked()


def test_what_is_equivalent_is_found_in_pairs_of_one_seed():
    treated, reference = pd.Series({1: 1.0, 2: 2.0, 3: 3.5, 4: 4.0}), pd.Series({4: 4.1, 3: 3.4, 2: 2.0, 9: 50.0})
    found = equivalence(treated, reference, margin=1)
    assert found.n == 3
    assert found == equivalence([2.0, 3.5, 4.0], [2.0, 3.4, 4.1], margin=1)


def test_so_many_seeds_as_are_said_to_be_needed_are_enough_and_one_less_is_not():
    spread = np.array([-1.0, 1.0])  # a standard deviation of the square root of two
    needed = seeds_needed(spread, 0.5)
    for seeds, is_enough in ((needed, True), (needed - 1, False)):
        drawn = np.resize(spread, seeds)
        drawn = (drawn - drawn.mean()) / drawn.std(ddof=1) * spread.std(ddof=1)
        assert is_precise(drawn, 0.5) is is_enough


def test_runs_that_are_all_alike_need_no_more_than_two_seeds():
    assert seeds_needed([3.0, 3.0, 3.0], 0.1) == 2


@pytest.mark.parametrize(("values", "halfwidth", "said"), [([1.0], 1.0, "two of them"), ([1.0, 2.0], 0.0, "above 0")])
def test_what_cannot_be_planned_is_said(values, halfwidth, said):
    with pytest.raises(ValueError, match=said):
        seeds_needed(values, halfwidth)


def test_a_study_does_not_stop_before_it_has_seen_a_spread():
    assert not is_precise([1.0], 100)
    assert not is_precise([1.0, 1.0, 1.0, 1.0], 100)
    assert is_precise([1.0, 1.0, 1.0, 1.0, 1.0], 100)


@pytest.mark.long
def test_intervals_of_studies_that_stop_when_precise_still_hold_the_truth():
    """Looking after each seed costs some of the level, since it stops where the spread happens to be small."""
    rng, held, seeds = np.random.default_rng(5), [], []
    for _ in range(REPETITIONS):
        drawn = list(rng.normal(0, 1, 5))
        while not is_precise(drawn, 0.4):
            drawn.append(rng.normal())
        found = mean_interval(drawn)
        held.append(found.low <= 0 <= found.high)
        seeds.append(len(drawn))
    assert np.mean(held) > 0.88
    assert 18 < np.mean(seeds) < 34


@pytest.mark.long
def test_five_measures_of_nothing_raise_an_alarm_no_more_often_than_one_when_corrected():
    rng, plain, holm = np.random.default_rng(9), 0, 0
    for _ in range(REPETITIONS):
        p_values = [paired_difference(*study(rng, 10, 0.0)).p_value for _ in range(5)]
        if min(p_values) < 0.05:  # what is not found as it stands is not found when corrected
            plain += 1
            holm += min(corrected(p_values)) < 0.05
    assert plain / REPETITIONS > 0.15
    assert holm / REPETITIONS <= 0.08


def test_corrections_are_those_of_the_textbook():
    """Benjamini and Hochberg 1995, section 3.2: fifteen p-values, of which Holm keeps three and theirs four."""
    given = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert sum(each < 0.05 for each in corrected(given)) == 3
    assert sum(each < 0.05 for each in corrected(given, "bh")) == 4
    assert all(one >= other for one, other in itertools.pairwise(reversed(corrected(given))))


def test_what_was_not_tested_counts_for_nothing_in_a_correction():
    found = corrected([0.01, float("nan"), 0.04])
    assert (found[0], found[2]) == (0.02, 0.04)
    assert np.isnan(found[1])


def test_no_difference_found_is_not_the_same_as_none_there():
    rng = np.random.default_rng(3)
    few = rng.normal(0, 5, 4)
    assert paired_difference(few, np.zeros(4)).p_value > 0.05
    assert not equivalence(few, np.zeros(4), margin=1.0).holds()
    many = rng.normal(0, 5, 400)
    assert equivalence(many, np.zeros(400), margin=1.0).holds()
    assert not equivalence(many + 2, np.zeros(400), margin=1.0).holds()


def test_equivalence_is_not_said_of_one_pair():
    assert not equivalence([1.0], [1.0], margin=1.0).holds()
    assert not equivalence([1.0] * 2, [1.0] * 2, margin=0.1).holds()  # of as many, half would be alike by chance
    assert equivalence([1.0] * 5, [1.0] * 5, margin=0.1).holds()


def test_what_was_given_to_be_corrected_stays_as_it_is():
    given = np.array([0.01, 0.02, 0.5])
    assert corrected(given) == pytest.approx([0.03, 0.04, 0.5])
    assert list(given) == [0.01, 0.02, 0.5]


@pytest.mark.parametrize(
    "asked",
    [
        lambda: mean_interval([1.0, 2.0], level=95),
        lambda: mean_interval([1.0], level=95),
        lambda: bootstrap_interval([1.0], level=95),
        lambda: share_interval(0, 1, level=95),
        lambda: paired_difference([1.0], [2.0], level=95),
        lambda: unpaired_difference([1.0], [2.0], level=95),
        lambda: seeds_needed([1.0, 2.0], 1, level=95),
        lambda: is_precise([1.0, 2.0], 1, level=95),
        lambda: power_of(1, 1, level=95),
        lambda: seeds_for_effect(1, level=95),
        lambda: smallest_effect(5, level=95),
        lambda: smallest_effect(5, power=95),
        lambda: seeds_for_effect(1, power=95),
        lambda: equivalence([1.0], [1.0], 1).holds(95),
    ],
)
def test_a_share_that_was_given_in_percent_is_refused(asked):
    with pytest.raises(ValueError, match=r"=95: takes a share between 0 and 1; write 0\.95"):
        asked()


@pytest.mark.parametrize(
    ("p_values", "method", "told"),
    [([0.1], "fdr_bh", "method='fdr_bh': takes 'holm' or 'bh'"), ([0.1, 5.0], "holm", "5 is no p-value")],
)
def test_what_cannot_be_corrected_is_said(p_values, method, told):
    with pytest.raises(ValueError, match=told):
        corrected(p_values, method)
