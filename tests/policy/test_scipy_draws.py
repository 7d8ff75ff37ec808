"""Draws of scipy.stats are of the agent's own stream where no seed is given, and what is made of points is kept."""

import json

import numpy as np

from tests.policy import square

MAKE = """
from scipy import stats
from scipy.interpolate import CubicSpline, interp1d
from scipy.spatial import KDTree
usual, density = stats.norm(10, 2), stats.gaussian_kde([1.0, 1.5, 2.0, 4.0])
curve, line = CubicSpline([1, 2, 3], [1, 4, 9]), interp1d([1, 2, 3], [1, 4, 9])
tree = KDTree([[1.0, 2.0], [3.0, 4.0]])
"""
DRAW = "stats.norm.rvs(size=2), usual.rvs(2), density.resample(2), stats.randint.rvs(1, 7, size=3)"
ASK = "usual.rvs(2, random_state=1), density.resample(2, seed=1), curve(2.5), curve(2.5, 1), tree.query([1, 1])"


def told(cells):
    """Return what a world's cells are told, one turn after the other, and how the last left its variables."""
    world = square.build()
    turns = [world.execute(cell, agent="ann") for cell in cells]
    assert [turn.error for turn in turns] == [None] * len(turns)
    return [turn.output for turn in turns], world


def test_draws_without_a_seed_are_of_the_agents_stream_alone():
    before = np.random.get_state()
    first, _ = told([MAKE, DRAW, DRAW])
    after = np.random.get_state()
    assert (before[2], before[1].tolist()) == (after[2], after[1].tolist())
    np.random.random(7)
    assert told([MAKE, DRAW, DRAW])[0] == first
    assert first[1] != first[2]


def test_what_is_made_of_points_answers_as_before_when_it_is_read_back():
    answers, world = told([MAKE, ASK])
    again = square.build()
    again.interpreter.namespace("ann").put(json.loads(json.dumps(world.interpreter.namespaces["ann"].data)))
    assert again.execute(ASK, agent="ann").output == answers[1]
