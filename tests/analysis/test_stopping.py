"""A study asks for as many seeds as its precision takes, and stops when it has them."""

import json

import pandas as pd
import pytest

from cave_sim import WorldError
from cave_sim.analysis.stopping import seeds_wanted
from cave_sim.analysis.trials import Trials
from cave_sim.cli.main import main
from tests.analysis.studies import write_study

SCENARIO = """
name: bad_mood
simulation: town_day
residents: 2
steps: 4
conditions:
  mild: {}
  sour:
    interventions:
      - {at: 2, cell: "for each in world.all(Resident): each.mood = 0.0"}
"""


def test_differences_are_what_is_to_be_precise(tmp_path):
    trials = Trials.read(write_study(tmp_path / "study", seeds=8))
    assert seeds_wanted(trials, "ever", 10.0) == 8
    assert seeds_wanted(trials, "ever", 0.2) > 30
    alone = Trials.read(write_study(tmp_path / "alone", seeds=8, effects=(0.0,)))
    assert seeds_wanted(alone, "ever", 5.0) > 20  # luck of seeds that pairs have in common


def test_fewer_than_five_seeds_are_never_enough(tmp_path):
    assert seeds_wanted(Trials.read(write_study(tmp_path / "study", seeds=1)), "mood", 100.0) == 5


def test_what_is_not_measured_cannot_be_precise(tmp_path):
    with pytest.raises(WorldError, match=r"no measure 'wealth'\. It has ever, mood"):
        seeds_wanted(Trials.read(write_study(tmp_path / "study")), "wealth", 1.0)


@pytest.mark.long
def test_a_study_goes_on_until_its_intervals_are_narrow_or_it_has_its_most_seeds(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mood.yaml").write_text(SCENARIO)
    study = ["study", "mood.yaml", "--quiet", "--out", "study"]
    assert main([*study, "--until-halfwidth", "mood=0.5"]) == 0
    assert pd.read_csv(tmp_path / "study/results/trials.csv")["seed"].nunique() == 5
    assert main([*study, "--until-halfwidth", "mood=0.0001", "--most-seeds", "7"]) == 0
    assert pd.read_csv(tmp_path / "study/results/trials.csv")["seed"].nunique() == 7
    told = capsys.readouterr().err
    assert "7 seeds are too few for --until-halfwidth mood=0.0001, and --most-seeds allows no more: by how much" in told
    about = json.loads((tmp_path / "study/study.json").read_text())
    assert "--until-halfwidth mood=0.0001 --most-seeds 7" in about["command"]


def test_of_fewer_than_five_seeds_nobody_says_how_many_it_takes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mood.yaml").write_text(SCENARIO)
    asked = ["--seeds", "2", "--until-halfwidth", "mood=0.0001", "--most-seeds", "2"]
    assert main(["study", "mood.yaml", "--quiet", "--out", "study", *asked]) == 0
    assert "--most-seeds allows no more: it takes 5 at least" in capsys.readouterr().err


@pytest.mark.parametrize("asked", ["mood", "=1", "mood=0", "mood=much", "mood=nan"])
def test_a_precision_that_is_none_is_refused_before_anything_runs(asked, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mood.yaml").write_text(SCENARIO)
    assert main(["study", "mood.yaml", "--out", "study", "--until-halfwidth", asked]) == 1
    assert "write it as MEASURE=NUMBER" in capsys.readouterr().err
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("measures", ["measures: {mood: '1'}\n", ""])
def test_a_precision_of_what_is_not_measured_is_refused_before_anything_runs(measures, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mood.yaml").write_text(SCENARIO + measures)
    assert main(["study", "mood.yaml", "--out", "study", "--until-halfwidth", "mod=1"]) == 1
    told = "cave-sim: the study has no measure 'mod'. Did you mean 'mood'? It has "
    assert capsys.readouterr().err.startswith(told)
    assert not (tmp_path / "study").exists()


def test_a_precision_that_no_seeds_give_takes_as_many_as_there_may_be(tmp_path):
    assert seeds_wanted(Trials.read(write_study(tmp_path / "study", seeds=6)), "ever", 1e-12) == 1_000_000
