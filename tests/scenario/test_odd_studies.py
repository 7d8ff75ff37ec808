"""Studies at the edge of what a scenario can say: points that come out alike, nothing measured, folders half begun."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from cave_sim import JournalError, WorldError
from cave_sim.cli.main import main
from cave_sim.experiment.runner import ABOUT, TRIALS
from cave_sim.files.whole_files import unfinished
from cave_sim.journal.lock import lock
from cave_sim.scenario import Scenario, parse_scenario, run_study
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.points import points_of
from cave_sim.scenario.saving import scenario_of_run
from cave_sim.scenario.study import ScenarioStudy
from cave_sim.scenario.summary import summary_data, summary_lines

TEXT = """\
name: odd
simulation: town_day
options: {step_s: 1200}
residents: 1
seeds: 2
steps: 4
measures: {notes: len(town.announcements)}
"""
NOTE = "town.announcements.append('a')"


def whole_numbers(world):
    return np.int64(len(world))


def at_first(world):
    """Return a number, and none from the third step on."""
    return None if world.clock.step > 2 else 1


def tables(out):
    return {path.name: path.read_bytes() for path in sorted((out / "results").glob("*.*"))}


@pytest.mark.long
def test_points_that_come_out_alike_are_one_and_no_replicates(tmp_path):
    bounds = "conditions: {a: {}, b: {}}\nparameters: {n: {low: 1, high: 3, whole: true}}\n"
    scenario = parse_scenario(
        TEXT.replace("seeds: 2", "seeds: 1").replace("notes: len(town.announcements)", "notes: '${n}'")
        + bounds
        + "sampling: {method: latin_hypercube, points: 8}\n"
    )
    assert sorted(points_of(scenario)) == [(("n", 1),), (("n", 2),), (("n", 3),)]
    study, report = run_study(scenario, tmp_path / "out")
    assert len(report.results) == 6
    rows = summary_data(study)["rows"]
    assert {row["mean"] for row in rows} == {f"{n} (n = 1: no interval)" for n in (1, 2, 3)}


@pytest.mark.long
def test_a_folder_is_studied_by_one_command_at_a_time(tmp_path):
    scenario, refused = parse_scenario(TEXT), []

    def study_again(_):
        with pytest.raises(JournalError, match="is being written by") as error:
            run_study(scenario, tmp_path / "out")
        refused.append(error)

    _, report = run_study(scenario, tmp_path / "out", on_result=study_again)
    assert len(refused) == len(report.results) == 2
    assert len(run_study(scenario, tmp_path / "out")[1].results) == 2


def test_a_trial_that_a_worker_of_before_still_begins_is_not_taken_away_from_it(tmp_path):
    trial = tmp_path / "out" / TRIALS / "baseline-7"
    trial.mkdir(parents=True)
    (tmp_path / "out" / ABOUT).write_text(json.dumps(ScenarioStudy(parse_scenario(TEXT)).about()))
    with closing(lock(trial)):
        _, report = run_study(parse_scenario(TEXT), tmp_path / "out")
        assert trial.is_dir()
    assert [(each.name, "is being written" in each.why) for each in report.failures] == [("baseline-7", True)]


@pytest.mark.long
def test_a_screening_is_run_and_told_in_the_summary_instead_of_its_points(tmp_path):
    bounds = "parameters: {n: {low: 0, high: 9}, m: {low: 0, high: 1, whole: true}}\n"
    scenario = parse_scenario(
        TEXT.replace("notes: len(town.announcements)", "notes: '${n} * 2 + ${m}'")
        + bounds
        + "sampling: {method: morris, size: 4}\n"
    )
    study, report = run_study(scenario, tmp_path / "out", seeds=1)
    assert len(report.results) == len(points_of(scenario)) == 8
    (found,) = summary_data(study)["sensitivity"]
    assert [(row["parameter"], round(row["mu_star"], 6)) for row in found["indices"]] == [("n", 18), ("m", 1.5)]
    told = summary_lines(study)
    assert "averaged over 8 points of n and m; the tables have each" in told
    assert any(line.startswith("notes: It depends most on n: mean size of the effect") for line in told)


def test_more_points_than_a_study_can_have_are_refused_before_they_are_listed():
    names = "abcdefgh"
    scenario = Scenario(
        name="many", simulation="town_day", parameters={name: list(range(30)) for name in names},
        measures={"sum": " + ".join(f"${{{name}}}" for name in names)},
    )  # fmt: skip
    with pytest.raises(WorldError, match=r"have 656,100,000,000 points, and a study has at most 100,000"):
        points_of(scenario)


@pytest.mark.long
def test_a_parameter_may_be_nothing(tmp_path):
    scenario = parse_scenario(TEXT + "parameters: {n: [null, 3]}\nstop: len(str('${n}')) > 9\n")
    study, _ = run_study(scenario, tmp_path / "out")
    assert [str(row["point"]["n"]) for row in summary_data(study)["rows"]] == ["nan", "3.0"]


@pytest.mark.long
def test_a_measure_that_comes_to_nothing_is_missing_in_the_tables_and_loses_no_trial(tmp_path):
    scenario = parse_scenario(TEXT.replace("notes: len(town.announcements)", f"first: '{__name__}:at_first'"))
    study, report = run_study(scenario, tmp_path / "out")
    assert not report.failures
    assert study.frame()["first"].isna().all()
    assert study.series()["first"].count() == 2 * 3


def test_what_numpy_counts_is_a_number_for_check_as_it_is_for_a_study():
    scenario = parse_scenario(TEXT.replace("len(town.announcements)", f"'{__name__}:whole_numbers'"))
    assert not check_scenario(scenario).problems


@pytest.mark.long
def test_surveys_where_a_trial_branches_are_answered_once(tmp_path):
    scenario = parse_scenario(
        TEXT.replace("seeds: 2", "seeds: 1")
        + "model: scripted\nsurveys: [{at: [2], questions: [Well]}]\n"
        + f'conditions: {{a: {{}}, b: {{interventions: [{{at: 2, cell: "{NOTE}"}}]}}}}\n'
    )
    study, _ = run_study(scenario, tmp_path / "shared")
    assert study.about["prefix"]["steps_shared"] == 2
    run_study(scenario, tmp_path / "apart", shares_prefixes=False)
    assert tables(tmp_path / "shared") == tables(tmp_path / "apart")
    assert not study.answers().duplicated(["condition", "seed", "step", "agent", "item"]).any()


@pytest.mark.long
def test_a_study_that_was_killed_as_it_began_goes_on(tmp_path):
    unfinished(tmp_path / "study.json").write_text('{"kind": "scen')
    _, report = run_study(parse_scenario(TEXT), tmp_path)
    assert len(report.results) == 2


@pytest.mark.parametrize("text", ["", "[1]", '"x"', "\x00"])
def test_a_folder_that_says_nothing_of_itself_is_left_alone(tmp_path, text):
    (tmp_path / "study.json").write_text(text)
    with pytest.raises(WorldError, match="choose another folder"):
        run_study(parse_scenario(TEXT), tmp_path)
    assert (tmp_path / "study.json").read_text() == text


@pytest.mark.parametrize("at", [1.5, -5, True])
def test_a_moment_that_a_parameter_gives_is_a_moment(at):
    scenario = parse_scenario(TEXT + f'parameters: {{t: [3]}}\ninterventions: [{{at: "${{t}}", cell: "{NOTE}"}}]\n')
    odd = Scenario(**{**scenario.to_data(), "parameters": {"t": [at]}})
    with pytest.raises(WorldError, match=f"at={at}: a moment is a step, 0 or more"):
        ScenarioStudy(odd).blocks()


def test_a_run_that_says_that_it_branched_from_itself_is_no_scenario(tmp_path):
    run_study(parse_scenario(TEXT.replace("seeds: 2", "seeds: 1")), tmp_path)
    folder = tmp_path / "trials" / "baseline-7"
    with sqlite3.connect(folder / "run.sqlite") as file:
        parents = json.dumps([{"run": "baseline-7", "step": 2}])
        file.execute("INSERT OR REPLACE INTO manifest (key, value) VALUES ('parents', ?)", (parents,))
    with pytest.raises(JournalError, match="branched from itself"):
        scenario_of_run(folder)


@pytest.mark.parametrize("line", [["--seeds", "9" * 18], ["--seed", str(2**63 - 1)]])
def test_more_seeds_than_there_can_be_are_refused_before_anything_runs(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.yaml").write_text(TEXT)
    assert main(["study", "odd.yaml", "--out", "out", *line]) == 1
    assert capsys.readouterr().err == "cave-sim: there are at most 1,000,000 seeds, each of 63 bits\n"
    assert not (tmp_path / "out").exists()


def test_no_simulation_is_told_in_a_line(capsys):
    assert main(["check", ""]) == 1
    told = capsys.readouterr().err
    assert "there is no simulation ''" in told
    assert told.count("\n") == 1
