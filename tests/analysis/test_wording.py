"""Numbers have as many digits as their intervals leave standing."""

import math

import pytest

from cave_sim.analysis.wording import estimate_text, figure, with_unit


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        ((10.66, -3.022, 24.342), "+10.7 [-3.0, 24.3]"),
        ((499970.0, 499921.3, 500010.7), "+499,970 [499,921, 500,011]"),
        ((0.004, 0.0035, 0.0045), "+0.00400 [0.00350, 0.00450]"),
        ((0.1, 0.1, 0.1), "+0.1 [0.1, 0.1]"),
        ((11.4, None, None), "+11.4"),
        ((-12345.678, math.nan, math.nan), "-12,346"),
        ((None, None, None), "–"),
    ],
)
def test_an_estimate_reads_well(estimate, text):
    assert estimate_text(*estimate, sign="+") == text


def test_small_numbers_have_no_powers_of_ten():
    assert figure(0.00001) == "0.00001"
    assert figure(0) == "0"


def test_what_a_measure_is_counted_in_is_told_once():
    told = {("cost", "EUR"): "cost (EUR)", ("months with fish", "months"): "months with fish", ("ill", ""): "ill"}
    assert {words: with_unit(*words) for words in told} == told
