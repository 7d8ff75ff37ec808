"""Scenarios whose people think: budgets for all trials together, and surveys on copies, each asked once."""

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.models import Budget, Budgets
from cave_sim.scenario import Scenario, run_study
from cave_sim.scenario.plans import ScenarioTrial, plan_of
from cave_sim.scenario.summary import summary_notes
from cave_sim.scenario.trial import run_trial

SCENARIO = Scenario(
    name="minds",
    simulation="storm_warning",
    residents=2,
    steps=4,
    seeds=2,
    surveys=[{"at": [1, 3], "questions": ["How do you feel?"], "whom": ["mayor"]}],
    conditions={"calm": {}, "noticed": {"interventions": [{"at": 2, "cell": "town.announcements.append('Hello.')"}]}},
)


def tables(out):
    return {path.name: path.read_bytes() for path in sorted((out / "results").glob("*.csv"))}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("minds") / "whole"
    return run_study(SCENARIO, out)[0]


@pytest.mark.long
def test_a_budget_for_all_trials_ends_the_study_which_goes_on_to_the_same_tables(whole, tmp_path):
    _, report = run_study(SCENARIO, tmp_path / "out", limits=Budget(calls=10))
    assert report.left > 0
    assert report.failures == []
    assert report.spent.calls <= 10
    assert run_study(SCENARIO, tmp_path / "out")[1].left == 0
    assert tables(tmp_path / "out") == tables(whole.folder)


@pytest.mark.parametrize("study", ["storm_warning --steps 4 --seeds 1", "bank_account --limit 1"])
def test_a_limit_that_comes_before_the_first_trial_has_ended_is_said(study, tmp_path, capsys):
    asked = ["study", *study.split(), "--model", "scripted", "--max-calls", "1", "--host", "local", "--quiet"]
    assert main([*asked, "--out", str(tmp_path / "out")]) == 1
    said = "a limit was reached before its first trial ended; what was begun is kept in"
    assert said in capsys.readouterr().err


@pytest.mark.long
def test_minds_are_asked_once_at_each_step_also_where_steps_are_shared(whole, tmp_path):
    answers = whole.answers()
    assert "surveys: 8 answers, which the report compares; results/answers.csv has each" in summary_notes(whole)
    assert answers.groupby(["condition", "seed"])["step"].agg(list).to_dict() == {
        (condition, seed): [1, 3] for condition in ("calm", "noticed") for seed in (7, 8)
    }
    apart, _ = run_study(SCENARIO, tmp_path / "apart", shares_prefixes=False)
    assert tables(apart.folder) == tables(whole.folder)
    with open_run(whole.folder / "trials" / "noticed-7") as run:
        assert run.manifest["parents"][0]["step"] == 2


@pytest.mark.long
def test_asking_changes_nothing(whole, tmp_path):
    silent, _ = run_study(SCENARIO.model_copy(update={"surveys": ()}), tmp_path / "silent")
    assert silent.frame().equals(whole.frame())


def test_a_trial_that_was_cut_off_after_its_survey_does_not_ask_again(tmp_path):
    trial = ScenarioTrial("calm", 0, (), 7)
    plan = plan_of(SCENARIO, trial)
    cut = plan.recipe.make(tmp_path / "calm-7")
    cut.step()
    cut.journal.abandon()
    for _ in range(2):
        result = run_trial(plan, tmp_path / "calm-7", Budgets(), surveys=SCENARIO.surveys)
    assert result.steps == 4
    with open_run(tmp_path / "calm-7") as run:
        assert run.query("SELECT step, count(*) FROM answers GROUP BY step") == [(1, 1), (3, 1)]
