"""The page of studies shows how far a scenario's study is, and imports nothing that its file names."""

import json

from cave_sim.dashboards.live.scenario_results import found
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


def test_a_study_that_was_edited_past_understanding_is_listed_without_results(tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=1)
    about = json.loads((tmp_path / "out" / "study.json").read_text())
    (tmp_path / "out" / "study.json").write_text(json.dumps(about | {"measures": ["mood"]}))
    assert study_data(progress(tmp_path / "out"))["found"] is None


def test_what_was_found_so_far_stands_beside_the_first_condition():
    def row(condition, seed, **measures):
        return {"group": condition, "seed": seed, "measures": measures}

    rows = [row("dry", 1, mood=0.5, rain=0.0), row("dry", 2, mood=0.7, rain=0.0), {"group": "wet", "seed": 3}]
    rows += [row("wet", 1, mood=0.3), row("wet", 2, mood=0.3), row("wet", 2, mood=0.7)]  # two points of a parameter
    told = found(rows, ["dry", "wet"], {})
    assert told["reference"] == "dry"
    assert told["conditions"] == [{"name": "dry", "trials": 2}, {"name": "wet", "trials": 2}]
    mood, rain = told["measures"]
    assert (mood["measure"], rain["measure"]) == ("mood", "rain")
    assert mood["means"] == ["0.60 [-0.67, 1.87]", "0.40 [-0.87, 1.67]"]
    assert mood["differences"] == ["-0.2 in each of 2"]  # 0.3 - 0.5, and 0.5 - 0.7: the same in both pairs
    assert (rain["means"], rain["differences"]) == (["0 in each of 2", "–"], ["–"])
    words = {"mood": {"label": "mean_mood", "unit": "points"}}
    told = found([row | {"measured": {"mood": "how they feel"}} for row in rows], ["dry", "wet"], words)["measures"][0]
    assert (told["measure"], told["about"]) == ("mean mood (points)", "how they feel")
    assert found(rows[2:3], ["dry", "wet"], {}) is None


def test_a_study_of_a_scenario_tells_its_measures_and_no_tokens(tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=1)
    told = study_data(progress(tmp_path / "out"))
    assert told["scenario"]
    assert told["about"] == "out · town day · seed 7"
    assert [each["name"] for each in told["found"]["conditions"]] == ["a", "b"]
    (mood,) = [each for each in told["found"]["measures"] if each["measure"] == "mood"]
    assert mood["about"] == "the mean mood of all residents, 0 to 1"
