"""Inequality and segregation come out as in the textbooks' examples, and at their bounds."""

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.analysis.segregation import dissimilarity, gini, isolation, like_neighbours, morans_i

GRID = nx.grid_2d_graph(8, 8)
CHESS = {(x, y): (x + y) % 2 for x, y in GRID}
HALVES = {(x, y): int(x < 4) for x, y in GRID}


@pytest.mark.parametrize(
    ("values", "expected"), [([5, 5, 5], 0), ([0, 0, 0, 1], 0.75), ([1, 2, 3, 4], 0.25), ([1, 3], 0.25)]
)
def test_the_gini_coefficient_is_that_of_the_textbook(values, expected):
    assert gini(values) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40), st.floats(0.5, 100))
def test_the_gini_coefficient_is_half_the_mean_difference_and_has_no_unit(values, factor):
    total = sum(values)
    if total < 1e-3:
        return
    pairs = sum(abs(one - other) for one in values for other in values)
    assert gini(values) == pytest.approx(pairs / (2 * len(values) * total), abs=1e-9)
    assert gini([factor * value for value in values]) == pytest.approx(gini(values), abs=1e-9)


def test_nothing_cannot_be_shared_unequally():
    assert math.isnan(gini([]))
    assert math.isnan(gini([0, 0]))
    with pytest.raises(ValueError, match="not below 0"):
        gini([1, -1])


def test_a_group_apart_and_a_group_evenly_spread_are_at_the_ends_of_dissimilarity():
    apart = [("north", "red")] * 5 + [("south", "blue")] * 9
    even = [
        ("north", "red"),
        ("south", "red"),
        ("north", "blue"),
        ("south", "blue"),
        ("north", "blue"),
        ("south", "blue"),
    ]
    assert (dissimilarity(apart, "red"), dissimilarity(even, "red")) == (1.0, 0.0)
    assert (isolation(apart, "red"), isolation(even, "red")) == (1.0, pytest.approx(1 / 3))


def test_the_index_is_the_share_that_would_have_to_move():
    """Three tracts with 10, 20, 70 of one group and 40, 40, 20 of the other: half of 0.3 + 0.2 + 0.5."""
    tracts = {"a": (10, 40), "b": (20, 40), "c": (70, 20)}
    residents = [(at, "x") for at, (many, _) in tracts.items() for _ in range(many)]
    residents += [(at, "y") for at, (_, many) in tracts.items() for _ in range(many)]
    assert dissimilarity(residents, "x") == pytest.approx(0.5) == dissimilarity(residents, "y")
    assert isolation(residents, "x") == pytest.approx(0.1 * 10 / 50 + 0.2 * 20 / 60 + 0.7 * 70 / 90)


def test_a_group_of_nobody_is_not_segregated():
    assert math.isnan(dissimilarity([("north", "red")], "red"))
    assert math.isnan(isolation([("north", "red")], "blue"))


def test_neighbours_on_a_chessboard_are_unlike_and_halves_are_alike():
    assert morans_i(GRID, CHESS) == pytest.approx(-1)
    assert morans_i(GRID, HALVES) == pytest.approx(1 - 2 * 8 / 112)
    assert like_neighbours(GRID, CHESS) == 0
    assert like_neighbours(GRID, HALVES) > 0.9


def test_values_that_are_all_the_same_are_like_nothing():
    assert math.isnan(morans_i(GRID, dict.fromkeys(GRID, 3)))
    assert math.isnan(morans_i(nx.empty_graph(3), {0: 1, 1: 2}))
    assert math.isnan(like_neighbours(nx.empty_graph(3), {0: 1}))


def test_weights_say_how_near_neighbours_are():
    line = nx.Graph()
    line.add_weighted_edges_from([(0, 1, 1.0), (1, 2, 3.0)])
    assert morans_i(line, {0: 0, 1: 0, 2: 1}, weight="weight") < morans_i(line, {0: 0, 1: 0, 2: 1})
