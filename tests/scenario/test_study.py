"""Studies of scenarios: one table, however they are run, stopped and shared; common random numbers; failures listed."""

import contextlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.experiment.executors import ProcessExecutor
from cave_sim.experiment.runner import TRIALS
from cave_sim.experiment.work_queue import WorkQueue
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.verify import verify
from cave_sim.scenario import Scenario, open_study, parse_scenario, run_study

ROOT = Path(__file__).parents[2]
TEXT = """\
name: notes
question: Does anybody read the board?
simulation: town_day
options: {step_s: 1200}
residents: 3
seeds: 2
steps: 12
measures:
  awake: {value: 'sum(p.activity != "sleeping" for p in world.all(Resident))', label: residents awake, unit: people}
  notes: len(town.announcements)
conditions:
  none: {}
  early:
    interventions: [{at: 3, cell: town.announcements.append("early")}]
  late:
    interventions:
      - when: sum(p.activity != "sleeping" for p in world.all(Resident)) >= ${awake_people}
        cell: town.announcements.append("late")
  slow:
    options: {step_s: 600}
parameters:
  awake_people: [1, 2]
"""


def tables(out):
    return {path.name: path.read_bytes() for path in sorted((out / "results").glob("*.*"))}


def study_of(out, text=TEXT, **how):
    return run_study(parse_scenario(text), out, **how)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("study") / "whole"
    study_of(out)
    return out


def test_the_tables_are_tidy_and_in_the_order_of_the_scenario(whole):
    study = open_study(whole)
    frame, series = study.frame(), study.series()
    assert list(frame.columns) == ["condition", "awake_people", "seed", "steps", "awake", "notes"]
    assert list(series.columns) == ["condition", "awake_people", "seed", "step", "awake", "notes"]
    assert list(dict.fromkeys(frame["condition"])) == ["none", "early", "late", "slow"] == study.conditions
    assert [*map(tuple, frame[["awake_people", "seed"]].head(4).to_numpy())] == [(1, 7), (1, 8), (2, 7), (2, 8)]
    assert len(frame) == 4 * 2 * 2
    assert len(series) == len(frame) * 13
    assert (series.groupby(["condition", "awake_people", "seed"])["step"].agg(list).map(len) == 13).all()
    last = series[series["step"] == 12].drop(columns="step").reset_index(drop=True)
    pd.testing.assert_frame_equal(last, frame.drop(columns="steps"))


@pytest.mark.long
def test_the_manifest_says_what_was_studied_with_what_and_how_to_do_it_again(whole):
    about = json.loads((whole / "study.json").read_text())
    assert about["kind"] == "scenario"
    assert about["measures"]["awake"] == {"label": "residents awake", "unit": "people"}
    assert about["measures"]["notes"] == {"label": "notes", "unit": ""}
    assert about["seeds"] == [7, 8]
    assert {"mesa", "numpy", "cave_sim", "python"} < {*about["versions"]}
    assert Scenario(**about["scenario"]).conditions.keys() == {"none", "early", "late", "slow"}
    assert about["prefix"]["steps_shared"] > 0
    assert about["prefix"]["steps_run"] + about["prefix"]["steps_shared"] == 16 * 12


@pytest.mark.long
def test_common_steps_are_run_once_and_nothing_differs_from_running_each_from_its_start(whole, tmp_path):
    _, report = study_of(tmp_path / "apart", shares_prefixes=False)
    assert tables(tmp_path / "apart") == tables(whole)
    shared, apart = hashes(whole), hashes(tmp_path / "apart")
    assert shared == apart
    assert open_study(tmp_path / "apart").about["prefix"] == {"steps_run": 16 * 12, "steps_shared": 0}
    assert {result.shared for result in report.results} == {0}


def hashes(out):
    found = {}
    for folder in sorted((out / TRIALS).iterdir()):
        with open_run(folder) as run:
            found[folder.name] = run.steps()[-1].state_hash
    return found


@pytest.mark.long
def test_every_trial_is_a_run_that_verifies_branches_too(whole):
    for folder in sorted((whole / TRIALS).iterdir())[:6]:
        with open_run(folder) as run:
            assert verify(run, lambda run=run: Recipe.of(run.manifest).without_model().make()).holds, folder.name


@pytest.mark.long
def test_workers_make_no_difference(whole, tmp_path):
    with ProcessExecutor(2) as executor:
        study_of(tmp_path / "out", queue=WorkQueue(executor, 2))
    assert tables(tmp_path / "out") == tables(whole)


@pytest.mark.long
def test_more_seeds_are_added_and_the_others_stay(whole, tmp_path):
    study_of(tmp_path / "out", seeds=1)
    first = hashes(tmp_path / "out")
    told = []
    study_of(tmp_path / "out", seeds=2, on_result=told.append)
    assert len(told) == 8
    assert tables(tmp_path / "out") == tables(whole)
    assert first.items() <= hashes(tmp_path / "out").items()
    with pytest.raises(WorldError, match="seeds"):
        study_of(tmp_path / "out", seeds=1)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("after", [1, 6])
def test_a_study_that_is_killed_goes_on_to_the_same_bytes(whole, tmp_path, after):
    (tmp_path / "notes.yaml").write_text(TEXT)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cave_sim", "study", str(tmp_path / "notes.yaml"), "--quiet", "--out", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as killed:
        while len(list((out / TRIALS).glob("*/run.sqlite"))) < after and killed.poll() is None:
            time.sleep(0.005)
        killed.kill()
    assert killed.returncode == -signal.SIGKILL
    assert not (out / "results").exists()
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert tables(out) == tables(whole)
    assert "16 runs, 2 seeds" in finished.stdout


@pytest.mark.long
def test_a_trial_that_fails_is_listed_and_the_others_are_there(tmp_path, capsys):
    text = TEXT.replace("notes: len(town.announcements)", "odd: 1 / (len(town.announcements) - 1)")
    (tmp_path / "odd.yaml").write_text(text.replace("seeds: 2", "seeds: 1"))
    assert main(["study", str(tmp_path / "odd.yaml"), "--quiet", "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "tries what failed again" in told


@pytest.mark.long
def test_a_planned_cell_that_does_not_land_fails_its_trial_because_nothing_was_treated(tmp_path):
    text = TEXT.replace('town.announcements.append("early")', "town.nothing_of_this_name = 3")
    study, report = study_of(tmp_path / "out", text, seeds=1)
    assert [failure.name for failure in report.failures] == ["early-point0-7", "early-point1-7"]
    assert "step 4: the planned cell of operator did not land" in report.failures[0].why
    assert set(study.frame()["condition"]) == {"none", "late", "slow"}


@pytest.mark.long
def test_a_run_stops_where_its_condition_holds_even_if_it_was_cut_off_there(tmp_path):
    text = TEXT.replace("seeds: 2", "seeds: 1\nstop: len(town.announcements) > 0").replace(
        "  slow:\n    options: {step_s: 600}\n", ""
    )
    study, _ = study_of(tmp_path / "out", text)
    frame = study.frame().set_index(["condition", "awake_people"])
    assert frame.loc[("early", 1), "steps"] <= 4


def test_the_command_ends_with_means_intervals_and_paired_differences(whole, tmp_path, capsys):
    (tmp_path / "notes.yaml").write_text(TEXT)
    assert main(["study", str(tmp_path / "notes.yaml"), "--quiet", "--out", str(whole)]) == 0
    told = capsys.readouterr().out
    assert "Does anybody read the board?" in told
    assert "residents awake (people)" in told
    assert "difference to none" in told
    assert "saved)" in told
    assert "4 differences: where there are none, 1 in 20 of these intervals would leave 0 out by chance" in told
    shown = open_study(whole)._repr_html_()
    assert "Does anybody read the board?" in shown
    assert "<td>+1 in each of 2</td>" in shown
    assert "saved)</div>" in shown
    assert main(["study", str(tmp_path / "notes.yaml"), "--json", "--quiet", "--out", str(whole)]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 2 * 2 * 4
    (early, *_) = [row for row in rows if row["condition"] == "early" and row["measure"] == "notes"]
    assert early["difference"] == "+1 in each of 2"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("town_day", "town_dai"), "Did you mean 'town_day'"),
        (("step_s: 1200", "stepp_s: 1200"), "no option 'stepp_s'"),
        (("step_s: 1200", "step_s: many"), "step_s='many'"),
        (("awake_people: [1, 2]", "awake_people: [1, 2]\n  idle: [1, 2]"), "has no such option"),
    ],
)
def test_what_the_simulation_does_not_take_is_refused_before_a_folder_is_made(tmp_path, change, said):
    with pytest.raises(WorldError, match=said):
        study_of(tmp_path / "out", TEXT.replace(*change))
    assert not (tmp_path / "out").exists()


def test_options_of_studies_of_tasks_are_refused(tmp_path, capsys):
    (tmp_path / "notes.yaml").write_text(TEXT)
    assert main(["study", str(tmp_path / "notes.yaml"), "--paradigms", "cave"]) == 1
    assert "--paradigms is for studies of tasks" in capsys.readouterr().err
    assert main(["study", "bank_account", "--seeds", "3"]) == 1
    assert "--seeds is for a scenario's file" in capsys.readouterr().err


moments = st.one_of(
    st.builds(lambda step: {"at": step}, st.integers(0, 6)),
    st.builds(lambda many: {"when": f"len(town.announcements) >= {many}"}, st.integers(0, 3)),
)
deeds = st.builds(
    lambda moment, word: {**moment, "cell": f"town.announcements.append('{word}')"}, moments, st.sampled_from("abc")
)


@pytest.mark.long
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plans=st.lists(st.lists(deeds, max_size=3), min_size=2, max_size=4), common=st.lists(deeds, max_size=1))
def test_whatever_is_planned_sharing_changes_nothing(tmp_path_factory, plans, common):
    scenario = Scenario(
        name="any", simulation="town_day", residents=1, steps=6, interventions=common,
        measures={"notes": "len(town.announcements)"},
        conditions={f"c{number}": {"interventions": plan} for number, plan in enumerate(plans)},
    )  # fmt: skip
    out = tmp_path_factory.mktemp("any")
    run_study(scenario, out / "shared")
    run_study(scenario, out / "apart", shares_prefixes=False)
    assert tables(out / "shared") == tables(out / "apart")
    assert hashes(out / "shared") == hashes(out / "apart")


NEVER = """\
name: never
simulation: town_day
residents: 2
seeds: 2
steps: 4
measures: {notes: len(town.announcements)}
conditions:
  none: {}
  treated:
    interventions: [{when: weather.temperature_c > 60, cell: town.announcements.append("hot")}]
  also:
    interventions: [{when: len(town.announcements) >= 0, cell: town.announcements.append("now")}]
"""


@pytest.mark.long
def test_a_treatment_that_was_never_given_is_said_to_be_none(tmp_path, capsys):
    (tmp_path / "never.yaml").write_text(NEVER, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["study", str(tmp_path / "never.yaml"), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "treated: its interventions were made in 0 of 2 trials" in told
    assert "treated: weather.temperature_c > 60 came true in 0 of 2 trials\n" in told
    assert "also: len(town.announcements) >= 0 came true in 2 of 2 trials, at step 0\n" in told
    counts = {"treated": {"trials": 2, "treated": 0}, "also": {"trials": 2, "treated": 2}}
    assert open_study(out).about["treated"] == counts
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "were made in 0 of 2 trials" in report
    assert "came true in 2 of 2 trials, at step 0" in report


ASKED = """\
name: asked
simulation: town_day
model: scripted
residents: 2
seeds: 2
steps: 3
measures: {notes: len(town.announcements)}
surveys:
  - at: [2]
    questionnaire:
      name: mood
      items:
        - {name: calm, kind: likert, question: 'I am calm.'}
        - {name: where, kind: choice, question: 'Where are you?', options: [home, work, away]}
conditions:
  none: {}
  other: {options: {step_s: 900}}
"""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("workers", [None, 2])
def test_answers_of_several_kinds_are_kept_and_questionnaires_go_to_other_processes(workers, tmp_path):
    if workers is None:
        study, report = study_of(tmp_path / "out", ASKED)
    else:
        with ProcessExecutor(workers) as executor:
            study, report = study_of(tmp_path / "out", ASKED, queue=WorkQueue(executor, workers))
    assert not report.failures
    answers = pd.read_csv(tmp_path / "out" / "results" / "answers.csv")
    assert set(answers["item"]) == {"calm", "where"}
    assert set(study.frame()["condition"]) == {"none", "other"}


def test_verify_looks_at_each_trial_of_a_study_and_names_the_one_that_is_not_what_it_says(whole, tmp_path, capsys):
    study = tmp_path / "study"
    shutil.copytree(whole, study)
    with contextlib.closing(sqlite3.connect(study / "trials" / "early-point0-8" / "run.sqlite")) as file:
        file.execute("UPDATE changes SET new = '7' WHERE turn = (SELECT max(turn) FROM changes) AND position = 0")
        file.commit()
    assert main(["verify", str(study), "--file-only"]) == 1
    lines = capsys.readouterr().out.splitlines()
    count = len(open_study(whole).frame())
    assert lines[-1] == f"{count - 1} of {count} trials hold"
    assert sum(line.endswith("hold: hashes, seals and states agree") for line in lines) == count - 1
    assert [line for line in lines if line.startswith("early-point0-8: step")]
    assert main(["verify", str(study), "--file-only", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [name for name, verdict in told["trials"].items() if not verdict["holds"]] == ["early-point0-8"]
    assert not told["holds"]


def test_verify_looks_at_all_trials_where_the_file_of_one_cannot_be_read(whole, tmp_path, capsys):
    study = tmp_path / "study"
    shutil.copytree(whole, study)
    file = study / "trials" / "early-point0-8" / "run.sqlite"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])
    assert main(["verify", str(study), "--file-only"]) == 1
    lines = capsys.readouterr().out.splitlines()
    count = len(open_study(whole).frame())
    assert lines[-1] == f"{count - 1} of {count} trials hold"
    assert [line for line in lines if line.startswith("early-point0-8: ") and "is no journal of a run" in line]
    assert main(["verify", str(study), "--file-only", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["trials"]
    assert [name for name, about in told.items() if "error" in about] == ["early-point0-8"]
    assert len(told) == count
