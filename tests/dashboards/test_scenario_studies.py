"""The page of studies shows how far a scenario's study is, and imports nothing that its file names."""

import json

from cave_sim.dashboards.live.study_answers import study_data
from cave_sim.dashboards.live.study_progress import progress
from cave_sim.scenario import Scenario, run_study

SCENARIO = Scenario(
    name="short",
    question="Is it short?",
    simulation="town_day",
    residents=1,
    steps=2,
    conditions={"a": {}, "b": {"interventions": [{"at": 1, "cell": "pass"}]}},
)


def test_trials_that_are_done_and_those_that_are_not_are_told_apart(tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=1)
    study = progress(tmp_path / "out")
    assert (study.title, study.done, study.is_over) == ("Is it short?", 2, True)
    assert [(row["group"], row["seed"], row["status"]) for row in study.rows] == [("a", 7, "done"), ("b", 7, "done")]
    about = json.loads((tmp_path / "out" / "study.json").read_text())
    (tmp_path / "out" / "study.json").write_text(json.dumps({**about, "seeds": [7, 8]}))
    more = study_data(progress(tmp_path / "out"))
    assert (more["done"], more["all"]) == (2, 4)


def test_a_strangers_study_has_nothing_imported(tmp_path):
    data = {**SCENARIO.to_data(), "simulation": "no.such.module", "measures": {"x": "os:getcwd"}}
    about = {"kind": "scenario", "name": "bad", "question": "", "scenario": data, "seeds": [1]}
    (tmp_path / "study.json").write_text(json.dumps(about))
    assert [row["status"] for row in progress(tmp_path).rows] == ["waiting", "waiting"]
