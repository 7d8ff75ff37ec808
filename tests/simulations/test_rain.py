"""Wet and dry days: spells are counted as they come, and calibration finds the chain that made them."""

from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.analysis.calibration import nearest
from cave_sim.analysis.trials import Trials
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario
from cave_sim.scenario.check import check_scenario
from cave_sim.simulations import rain
from cave_sim.simulations.rain.sky import CALIBRATED, HELD_OUT, apart, recorded, spells_of
from tests.analysis.studies import write_study


def test_spells_are_counted_by_kind_and_length_and_the_last_is_left_out():
    days = [day == "w" for day in "dwwddwdwwwwwwwwww" + "dd"]
    assert spells_of(days) == {True: {2: 1 / 3, 1: 1 / 3, 8: 1 / 3}, False: {1: 2 / 3, 2: 1 / 3}}


def test_the_sky_counts_the_spells_that_it_has_and_a_fitting_chain_is_nearer_than_a_coin():
    far, near = (
        Recipe("cave_sim.simulations.rain", {"seed": 7, **chain}).make().run(until=400).latest_measures["distance"]
        for chain in ({"wet_after_wet": 0.9, "wet_after_dry": 0.5}, {"wet_after_wet": 0.62, "wet_after_dry": 0.21})
    )
    assert near < 0.25 < far
    assert apart(recorded(CALIBRATED), recorded(CALIBRATED)) == 0
    assert 0 < apart(recorded(CALIBRATED), recorded(HELD_OUT)) < 0.3


def test_the_study_is_sound():
    scenario = load_scenario(Path(rain.__file__).with_name("rain.yaml"))
    assert check_scenario(scenario).problems == []


def test_the_nearest_point_comes_first_and_others_are_told_by_how_much_they_are_behind(tmp_path):
    points = [{"wage": wage} for wage in (30, 0, 10)]
    trials = Trials.read(write_study(tmp_path / "study", seeds=4, effects=(0.0,), steps=1, points=points))
    found = nearest(trials, "ever")
    assert list(found["wage"]) == [0, 10, 30]
    assert found["behind"][0] == 0
    assert found["behind"][1] == pytest.approx(10, abs=2)
    assert found["behind_low"][1] < found["behind"][1] < found["behind_high"][1]
    with pytest.raises(WorldError, match="no measure 'evr'"):
        nearest(trials, "evr")
    with pytest.raises(WorldError, match="varied no parameter"):
        nearest(Trials.read(write_study(tmp_path / "other", steps=1)), "ever")
