"""A study as a paper says what its tables say, how sure that is, and what stands against it."""

import json

import pandas as pd
import pytest

from cave_sim import JournalError
from cave_sim.analysis.paper import paper
from cave_sim.analysis.trials import Trials, contrasts, estimates
from tests.analysis.studies import write_study


def read(folder, **study):
    return Trials.read(write_study(folder / "study", **study))


def test_the_table_of_a_study_comes_to_means_and_paired_differences(tmp_path):
    trials = read(tmp_path)
    means, gaps = estimates(trials), contrasts(trials)
    ever = trials.last[trials.last["condition"] == "strict"]["ever"]
    strict = means[(means["measure"] == "ever") & (means["arm"] == "strict")].iloc[0]
    assert strict["mean"] == pytest.approx(ever.mean())
    assert (strict["n"], strict["method"]) == (6, "t")
    gap = gaps[(gaps["measure"] == "ever") & (gaps["arm"] == "strict")].iloc[0]
    assert (gap["reference"], gap["method"], gap["n"]) == ("none", "paired t", 6)
    assert gap["low"] < gap["mean"] < gap["high"] < 0
    assert gap["variance_ratio"] > 20


def test_a_condition_may_be_called_as_nothing_is(tmp_path):
    folder = write_study(tmp_path / "study")
    for name in ("study.json", "results/trials.csv", "results/series.csv"):
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace("strict", "NA"))
    assert [arm.label for arm in Trials.read(folder).arms()] == ["none", "mild", "NA"]


def test_an_effect_is_told_from_chance(tmp_path):
    found = paper(read(tmp_path)).measures[0]
    mild, strict = found.findings
    assert mild.startswith("Under mild, ever infected is ")
    assert "Chance may bring as much. A difference of " in mild
    assert "Under strict, ever infected is lower than under none: -1" in strict
    assert "6 pairs of runs with the same seed, p < 0.001" in strict
    assert strict.endswith("That is more than chance explains.")


def test_what_nothing_touched_is_said_to_be_the_same(tmp_path):
    told = paper(read(tmp_path))
    assert told.measures[1].findings[0] == (
        "Under mild, mood is the same as under none, in all of 6 pairs of runs with the same seed."
    )
    assert any(each.startswith("mood came out the same under every seed") for each in told.threats)


def test_common_random_numbers_are_told_by_their_worth(tmp_path):
    assert "times less variable than independent runs" in paper(read(tmp_path)).notes[0]


def test_a_study_of_one_seed_has_no_interval_and_says_so(tmp_path):
    told = paper(read(tmp_path, seeds=1))
    assert "whether that is chance cannot be said" in told.measures[0].findings[0]
    assert told.measures[0].means["low"].isna().all()
    assert told.measures[0].over_time["low"].isna().all()
    assert told.threats[0].startswith("There are no replicates")
    assert "Without replicates there are no intervals." in told.method


def test_code_of_an_intervention_keeps_its_lines_on_the_page(tmp_path):
    cell = "for each in world.all(Place):\n    each.closed = True\n"
    conditions = {"none": {}, "mild": {"interventions": [{"at": 3, "cell": cell}]}, "strict": {"stop": "a  <  b"}}
    told = paper(Trials.read(write_study(tmp_path / "study", scenario={"conditions": conditions}))).conditions
    assert "".join(each.text for each in told["mild"]) == f"interventions: at = 3, cell = \n{cell}"
    assert [each.text for each in told["mild"] if each.is_code] == [cell.strip()]
    assert told["strict"] == [("stop: ", False), ("a < b", True)]


def test_a_folder_in_the_place_of_its_trials_is_told_the_way_out(tmp_path):
    with pytest.raises(TypeError, match=r"this takes Trials, and got .*Trials\.read\(FOLDER\)"):
        paper(write_study(tmp_path / "study"))


def test_one_condition_is_told_as_it_is(tmp_path):
    told = paper(read(tmp_path, effects=(0.0,)))
    assert told.measures[0].findings[0].startswith("ever infected came to ")
    assert not len(told.measures[0].differences)
    assert "Differences" not in " ".join(told.method)


def test_what_a_condition_sets_to_nothing_is_told(tmp_path):
    folder = write_study(tmp_path / "study")
    about = json.loads((folder / "study.json").read_text())
    waits = {"at": 0, "repeat": False, "agent": None, "set": {"town.open": False, "town.fee": 0}}
    about["scenario"]["conditions"]["strict"] = {
        "options": {"tax": 0, "town": {"open": False, "names": []}},
        "interventions": [waits],
    }
    (folder / "study.json").write_text(json.dumps(about))
    told = "".join(passage.text for passage in paper(Trials.read(folder)).conditions["strict"])
    assert told == (
        "options: tax = 0, town = open = False, names = nothing;"
        " interventions: at = 0, set = town.open = False, town.fee = 0"
    )


@pytest.mark.long
def test_many_points_are_averaged_out_and_shown_against_each_parameter(tmp_path):
    points = [{"threshold": threshold, "place": place} for threshold in (1, 5, 20) for place in ("park", "school")]
    told = paper(read(tmp_path, points=points))
    assert told.arms == ["none", "mild", "strict"]
    against = told.measures[0].parameters
    rows = against["threshold"].query("condition == 'none'").set_index("value")["mean"]
    assert rows[20] - rows[1] == pytest.approx(19, abs=2)
    assert list(against["place"]["value"].unique()) == ["park", "school"]
    assert "threshold and place took 6 points" in " ".join(told.method)


def test_few_points_are_arms_of_their_own(tmp_path):
    trials = read(tmp_path, effects=(0.0,), points=[{"threshold": 1}, {"threshold": 20}])
    assert [arm.label for arm in trials.arms()] == ["threshold = 1", "threshold = 20"]
    gap = contrasts(trials).iloc[0]
    assert (gap["arm"], gap["reference"]) == ("threshold = 20", "threshold = 1")


def test_trials_that_failed_and_those_that_ended_early_are_threats(tmp_path):
    folder = write_study(tmp_path / "study", failed={"strict-3": "the model answered nothing"})
    table = pd.read_csv(folder / "results" / "trials.csv")
    table = table[(table["condition"] != "strict") | (table["seed"] != 3)]
    table.loc[table.index[0], "steps"] = 5
    table.to_csv(folder / "results" / "trials.csv", index=False)
    told = " ".join(paper(Trials.read(folder)).threats)
    assert "1 of 18 trials have no result" in told
    assert "Trial strict-3 failed: the model answered nothing" in told
    assert "Trials ended after 5 to 12 steps" in told


@pytest.mark.long
def test_who_played_the_agents_is_said(tmp_path):
    assert any("Nobody here is a language model" in each for each in paper(read(tmp_path)).threats)
    model = {"simulation": "town_day", "model": {"name": "openai/some"}}
    told = paper(Trials.read(write_study(tmp_path / "other", scenario=model)))
    assert any("played by openai/some" in each for each in told.threats)


def test_the_options_of_the_simulation_are_told_as_they_were_given(tmp_path):
    given = {"simulation": "epidemic", "residents": 40, "options": {"catching": 0.2, "first": 3, "start": "2012-06-04"}}
    told = " ".join(paper(Trials.read(write_study(tmp_path / "study", scenario=given))).method)
    assert "epidemic (residents = 40, catching = 0.2, first = 3, start = 2012-06-04) was run for 12 steps." in told


def test_it_says_how_to_make_it_again_and_with_what(tmp_path):
    told = paper(read(tmp_path))
    assert told.commands == ["cave-sim study closing.yaml --seeds 6"]
    assert told.versions == {"code": "c0de", "python": "3.12", "closing.yaml": "da7a"}


def test_conditions_that_share_no_seed_are_compared_as_two_samples(tmp_path):
    folder = write_study(tmp_path / "study")
    table = pd.read_csv(folder / "results" / "trials.csv")
    table.loc[table["condition"] == "strict", "seed"] += 100
    table.to_csv(folder / "results" / "trials.csv", index=False)
    told = paper(Trials.read(folder))
    strict = told.measures[0].differences.query("arm == 'strict'").iloc[0]
    assert strict["method"] == "Welch's t"
    assert "Differences are taken in pairs" in " ".join(told.method)
    assert "share no seeds" in " ".join(told.threats)


@pytest.mark.parametrize("broken", ["study.json", "results/trials.csv"])
def test_a_folder_without_trials_is_refused(tmp_path, broken):
    folder = write_study(tmp_path / "study")
    (folder / broken).unlink()
    with pytest.raises(JournalError, match="no trials"):
        Trials.read(folder)


def test_a_study_of_another_kind_is_refused(tmp_path):
    (tmp_path / "study.json").write_text(json.dumps({"study": "smart_home"}))
    with pytest.raises(JournalError, match="no trials"):
        Trials.read(tmp_path)
