"""What an outcome depends on is found as it is known for functions with known indices."""

import numpy as np
import pandas as pd
import pytest

from cave_sim import WorldError
from cave_sim.analysis.sensitivity import design, sensitivity
from tests.late_imports import LateImport

qmc = LateImport("scipy.stats.qmc")

PI = float(np.pi)
BOUNDS = {"a": (-PI, PI), "b": (-PI, PI), "c": (-PI, PI), "idle": (0.0, 1.0)}


def ishigami(points):
    """Ishigami and Homma 1990: total shares are 0.5576, 0.4424, 0.2437; c has none by itself."""
    return np.sin(points["a"]) + 7 * np.sin(points["b"]) ** 2 + 0.1 * points["c"] ** 4 * np.sin(points["a"])


def test_the_shares_of_variance_are_those_of_the_textbook():
    points = design(BOUNDS, "sobol", 1024, seed=1)
    assert len(points) == 1024 * (4 + 2)
    found = sensitivity(points, ishigami(points), BOUNDS, "sobol")
    assert list(found.index) == ["a", "b", "c", "idle"]
    assert found["ST"].to_numpy() == pytest.approx([0.5576, 0.4424, 0.2437, 0.0], abs=0.03)
    assert found["S1"].to_numpy() == pytest.approx([0.3139, 0.4424, 0.0, 0.0], abs=0.03)


def test_screening_finds_what_does_nothing_with_few_runs():
    points = design(BOUNDS, "morris", 20, seed=1)
    assert len(points) == 20 * (4 + 1)
    found = sensitivity(points, ishigami(points), BOUNDS, "morris")
    assert found.index[-1] == "idle"
    assert found.loc["idle", "mu_star"] == pytest.approx(0)
    assert found.loc["c", "sigma"] > 1


@pytest.mark.long
def test_a_sample_that_is_there_anyway_tells_the_important_from_the_idle():
    unit = qmc.LatinHypercube(4, rng=1).random(500)
    low, high = np.array(list(BOUNDS.values())).T
    points = pd.DataFrame(qmc.scale(unit, low, high), columns=list(BOUNDS))
    found = sensitivity(points, ishigami(points), BOUNDS, "rbd_fast")
    assert list(found.index[:2]) == ["b", "a"]
    assert found["S1"].to_numpy() == pytest.approx([0.4424, 0.3139, 0.0, 0.0], abs=0.08)


def test_the_same_seed_gives_the_same_design():
    assert design(BOUNDS, "morris", 4, seed=3).equals(design(BOUNDS, "morris", 4, seed=3))
    assert not design(BOUNDS, "morris", 4, seed=3).equals(design(BOUNDS, "morris", 4, seed=4))


def test_a_design_with_a_hole_is_refused_and_an_outcome_that_never_changes():
    points = design(BOUNDS, "morris", 4)
    with pytest.raises(WorldError, match="20 points have 19 outcomes"):
        sensitivity(points, [np.nan, *range(19)], BOUNDS, "morris")
    with pytest.raises(WorldError, match="same at all points"):
        sensitivity(points, [1.0] * 20, BOUNDS, "morris")


@pytest.mark.parametrize(
    ("bounds", "method", "size", "told"),
    [
        (BOUNDS, "sobl", 8, "method='sobl': takes sobol, morris. Did you mean 'sobol'"),
        ({}, "sobol", 8, "a parameter and a size of at least 1, not 0 and 8"),
        (BOUNDS, "morris", 0, "a parameter and a size of at least 1, not 4 and 0"),
        ({"a": (1, 0)}, "sobol", 8, r"a: \(1, 0\) has nothing between its ends"),
    ],
)
def test_a_design_that_cannot_be_made_is_said(bounds, method, size, told):
    with pytest.raises(WorldError, match=told):
        design(bounds, method, size)


def test_a_method_of_analysis_that_there_is_not_is_said():
    points = design({"a": (0, 1)}, "sobol", 2)
    with pytest.raises(WorldError, match="method='rbd': takes sobol, morris, rbd_fast"):
        sensitivity(points, points["a"].tolist(), {"a": (0, 1)}, "rbd")
