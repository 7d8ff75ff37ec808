"""A study that sampled its parameters says which of them an outcome depends on, and how sure that is."""

import json

import pandas as pd
import pytest

from cave_sim.analysis.dependence import dependences
from cave_sim.analysis.designs import points_between
from cave_sim.analysis.paper import paper
from cave_sim.analysis.trials import Trials
from cave_sim.dashboards.paper.page import paper_html
from tests.analysis.studies import write_study

BOUNDS = {"wage": (0.0, 60.0), "<idle>": (0.0, 0.5)}


def sampled(folder, method, size, seeds=2):
    """Write a study in which infections rise with the sum of both parameters, at the points of a design."""
    points = points_between(BOUNDS, method, size, 1).to_dict("records")
    path = write_study(folder / "study", seeds=seeds, effects=(0.0,), steps=1, points=points)
    about = json.loads((path / "study.json").read_text())
    key = "size" if method in ("morris", "saltelli") else "points"
    about["scenario"]["sampling"] = {"method": method, key: size, "seed": 1}
    about["scenario"]["parameters"] = {name: {"low": low, "high": high} for name, (low, high) in BOUNDS.items()}
    (path / "study.json").write_text(json.dumps(about))
    return path


@pytest.mark.parametrize(
    ("method", "size", "index"), [("morris", 6, "mu_star"), ("saltelli", 32, "ST"), ("sobol", 64, "S1")]
)
def test_the_parameter_that_matters_is_told_with_its_interval(tmp_path, method, size, index):
    infections, mood = dependences(Trials.read(sampled(tmp_path, method, size)))
    assert infections.table.index[0] == "wage"
    reach = infections.table[f"{index}_conf"]
    true = 60 if method == "morris" else 1
    assert infections.table[index]["wage"] == pytest.approx(true, abs=max(reach["wage"], 0.1 * true))
    assert infections.table[index]["<idle>"] < 0.1 * true
    assert infections.sentence.startswith("It depends most on wage: ")
    assert mood.table is None
    assert mood.sentence == "What it depends on: the outcome is the same at all points, so it depends on no parameter."


def test_a_trial_that_failed_takes_its_group_out_and_no_more(tmp_path):
    path = sampled(tmp_path, "morris", 6)
    trials = pd.read_csv(path / "results" / "trials.csv")
    first = trials.iloc[0][list(BOUNDS)]
    at_first = (trials[list(BOUNDS)] == first).all(axis=1)
    trials[~at_first].to_csv(path / "results" / "trials.csv", index=False)
    infections = next(dependences(Trials.read(path)))
    assert infections.points < 18
    assert infections.points % 3 == 0
    assert "of 18 points are left out" in infections.sentence


def test_a_sample_too_small_to_tell_one_from_another_names_none(tmp_path):
    path = sampled(tmp_path, "morris", 8)
    trials = pd.read_csv(path / "results" / "trials.csv")
    trials["ever"] = (trials[list(BOUNDS)] == trials.iloc[0][list(BOUNDS)]).all(axis=1).astype(float)
    trials.to_csv(path / "results" / "trials.csv", index=False)
    infections = next(dependences(Trials.read(path)))
    assert infections.sentence.startswith("On which it depends cannot be told, since each interval takes in 0: ")


def test_too_few_points_say_nothing(tmp_path):
    infections = next(dependences(Trials.read(sampled(tmp_path, "latin_hypercube", 8))))
    assert infections.table is None
    assert "cannot be told from 8 points: 30 points are the least" in infections.sentence


@pytest.mark.long(cases=0)
def test_the_report_draws_each_index_by_parameter_and_lists_it(tmp_path):
    found = paper(Trials.read(sampled(tmp_path, "saltelli", 8)))
    text = paper_html(found)
    assert "a design for Sobol&#39;s indices (Saltelli et al. 2010), 8 groups of them" in text
    assert text.count('<svg viewBox="0 0 460 108" role="img" aria-label="ever infected: ') == 2
    assert "&lt;idle&gt;" in text
    assert "<idle>" not in text
    assert 'aria-label="Sensitivity"' in text
    assert any("chance that is left in these means counts as interaction" in each for each in found.threats)


def test_a_study_that_sampled_nothing_says_nothing_of_it(tmp_path):
    trials = Trials.read(write_study(tmp_path / "study", points=[{"wage": 1}, {"wage": 2}], steps=1))
    assert list(dependences(trials)) == []
