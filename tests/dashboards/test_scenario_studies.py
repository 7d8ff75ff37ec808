"""The page of studies shows how far a scenario's study is, and imports nothing that its file names."""

import json

import pytest

from cave_sim.dashboards.live.scenario_results import findings
from cave_sim.dashboards.live.study_answers import study_data
from cave_sim.dashboards.live.study_progress import progress
from cave_sim.scenario import Scenario, run_study
from tests.dashboards.small_town import SmallTown

SCENARIO = Scenario(
    name="short",
    question="Is it short?",
    simulation="town_day",
    residents=1,
    steps=2,
    conditions={"a": {}, "b": {"interventions": [{"at": 1, "cell": "pass"}]}},
)


@pytest.mark.long
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


@pytest.mark.long
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
    told = findings(rows, ["dry", "wet"], {})
    assert told["reference"] == "dry"
    assert told["conditions"] == [{"name": "dry", "trials": 2}, {"name": "wet", "trials": 2}]
    mood, rain = told["measures"]
    assert (mood["measure"], rain["measure"]) == ("mood", "rain")
    assert mood["means"] == ["0.60 [-0.67, 1.87]", "0.40 [-0.87, 1.67]"]
    assert mood["differences"] == ["-0.2 in each of 2"]  # 0.3 - 0.5, and 0.5 - 0.7: the same in both pairs
    assert (mood["figure"].count('class="trial"'), mood["figure"].count('class="mean"')) == (4, 2)
    assert (rain["means"], rain["differences"]) == (["0 in each of 2", "–"], ["–"])
    words = {"mood": {"label": "mean_mood", "unit": "points"}}
    told = findings([row | {"measured": {"mood": "how they feel"}} for row in rows], ["dry", "wet"], words)["measures"][
        0
    ]
    assert (told["measure"], told["about"]) == ("mean mood (points)", "how they feel")
    assert findings(rows[2:3], ["dry", "wet"], {}) is None


@pytest.mark.long
def test_a_study_of_a_scenario_tells_its_measures_and_no_tokens(tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=1)
    told = study_data(progress(tmp_path / "out"))
    assert told["scenario"]
    assert told["about"] == "out · town day · seed 7"
    assert [each["name"] for each in told["found"]["conditions"]] == ["a", "b"]
    (mood,) = [each for each in told["found"]["measures"] if each["measure"] == "mood"]
    assert mood["about"] == "the mean mood of all residents, 0 to 1"


def test_a_study_fits_a_phone_with_a_figure_of_each_measure_and_leads_to_its_report(watching, tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=2)
    page = watching(tmp_path)
    page.size("phone")
    page.open("/study")
    page.until("document.querySelectorAll('.measured').length === document.querySelectorAll('.measured svg').length")
    assert page.js("return document.querySelectorAll('.measured:first-child .mean').length") == 2
    assert page.js("return document.documentElement.scrollWidth") <= 390
    assert page.js("return [...document.querySelectorAll('.scroll')].every((e) => e.scrollWidth <= e.clientWidth)")
    page.shot("study-phone")
    page.size("laptop")
    page.shot("study-laptop")
    report = page.driver.execute_async_script(
        "fetch(document.querySelector('.found ~ p a').href).then((r) => r.text()).then(arguments[0])"
    )
    assert "Is it short?" in report
    assert "Threats to validity" in report


@pytest.mark.long
def test_trials_are_among_the_runs_when_they_are_asked_for(watching, tmp_path):
    run_study(SCENARIO, tmp_path / "out", seeds=1)
    SmallTown().write(tmp_path / "alone")
    page = watching(tmp_path)
    names = "[...document.querySelectorAll('#runs td[data-key=run]')].map((each) => each.textContent).join(' ')"
    page.open("/runs")
    page.until(f"{names} === 'alone'")
    page.until_text("#runs label", "with trials, 2")
    page.shot("runs-alone")
    page.click("#runs-parts")
    page.until(f"{names}.split(' ').length === 3")
    page.size("phone")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    assert page.js("return [...document.querySelectorAll('.scroll')].every((e) => e.scrollWidth <= e.clientWidth)")
    page.shot("runs-phone")
