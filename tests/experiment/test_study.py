"""Every study: the right script passes, a slip in any single query is found, and what was interrupted goes on."""

from dataclasses import replace

import pytest

from cave_sim.cli.main import main
from cave_sim.experiment.partner import PartnerBrief
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import STUDIES, Plan, find
from cave_sim.experiment.task import Query, Task
from cave_sim.experiment.task_study import TaskStudy, TaskTrial
from cave_sim.experiment.trial import Trial
from cave_sim.journal.reader import open_run
from cave_sim.loading.entry_points import installed
from cave_sim.models import ScriptedModel
from cave_sim.models.budget import Budgets

OWN = sorted({*installed(STUDIES)} - {"bfcl", "tau2"})
READ_OFF = {"query", "last_close", "days", "close_of_a_month", "volume_of_a_month", "close_of_a_year"}


def play(task, paradigm, *, slips=(), seed=7):
    paradigms = find(OWN[0])[1]
    return Trial(task, paradigms[paradigm], seed=seed, llm=Player(task, paradigm, slips=slips)).run()


def cases():
    return [
        pytest.param(name, paradigm, id=f"{name}-{paradigm}") for name in OWN for paradigm in find(name)[0].paradigms
    ]


def can(task, paradigm):
    """Say whether a script of this paradigm is up to a task: text has a window, and function calls do not compute."""
    if paradigm == "json" and task.group in ("query", "analysis", "chart"):
        return task.name != "everything" and bool(READ_OFF & {task.group, task.name})
    return paradigm != "codeact" or task.name != "everything"


@pytest.mark.long
@pytest.mark.parametrize(("name", "paradigm"), cases())
def test_the_right_script_passes_every_query(name, paradigm):
    for task in find(name)[0].tasks(7):
        if can(task, paradigm):
            assert [outcome.why for outcome in play(task, paradigm)] == [""] * len(task.queries), task.name


@pytest.mark.long
@pytest.mark.parametrize(("name", "paradigm"), cases())
def test_the_wrong_script_passes_no_query(name, paradigm):
    for task in find(name)[0].tasks(7):
        slips = range(len(task.queries))
        assert not [outcome for outcome in play(task, paradigm, slips=slips) if outcome.ok], task.name


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("name", OWN)
def test_a_slip_in_one_query_alone_is_found_there(name):
    for task in find(name)[0].tasks(7):
        for number in range(len(task.queries)):
            begun = replace(task, queries=task.queries[: number + 1])
            *before, last = play(begun, "cave", slips={number})
            assert not last.ok, (task.name, task.queries[number].text)
            assert all(outcome.ok for outcome in before)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("seed", [8, 2_026])
@pytest.mark.parametrize("name", ["multi_variable", "data_tasks"])
def test_other_seeds_make_other_tasks_that_can_be_done_as_well(name, seed):
    study = find(name)[0]
    assert [task.queries for task in study.tasks(seed)] != [task.queries for task in study.tasks(7)]
    assert all(outcome.ok for task in study.tasks(seed) for outcome in play(task, "cave", seed=seed))


@pytest.mark.long
def test_code_takes_fewer_steps_and_tokens_than_function_calls_of_equal_skill():
    spent = {}
    for paradigm in ("cave", "json"):
        outcomes = [o for task in find("token_efficiency")[0].tasks(7) for o in play(task, paradigm)]
        spent[paradigm] = sum(o.steps for o in outcomes), sum(o.prompt_tokens + o.completion_tokens for o in outcomes)
    assert spent["cave"][0] < 0.7 * spent["json"][0]
    assert spent["cave"][1] < 0.5 * spent["json"][1]


def test_a_figure_comes_out_as_the_native_object_that_it_is():
    task = next(task for task in find("data_tasks")[0].tasks(7) if task.name == "growth")
    trial = Trial(task, find("data_tasks")[1]["cave"], seed=7, llm=Player(task, "cave"))
    trial.run()
    assert type(trial["result"]).__name__ == "Figure"
    assert [trace.name for trace in trial["result"].data] == ["ALDER", "BIRCH"]


@pytest.mark.long
def test_the_command_ends_with_a_table_that_says_who_did_it_and_a_page(tmp_path, capsys):
    assert main(["study", "token_efficiency", "--out", str(tmp_path / "study")]) == 0
    told = capsys.readouterr().out
    assert "Model: scripted, no language model" in told
    assert "| all | cave | 37 of 37 | 100.0 | 9 of 9 |" in told
    assert "cave beside json" in told
    page = (tmp_path / "study" / "study.html").read_text(encoding="utf-8")
    assert "scripted, no language model" in page
    assert "<script src=" not in page


@pytest.mark.long
def test_the_wrong_model_is_named_wrong(tmp_path, capsys):
    arguments = ["study", "bank_account", "--model", "scripted-wrong", "--quiet", "--out", str(tmp_path / "study")]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "Model: scripted-wrong" in told
    assert "| 0 of 40 | 0.0 | 0 of 2 |" in told


def test_a_study_is_no_simulation_and_run_says_so(capsys):
    assert main(["run", "smart_home"]) == 1
    assert "cave-sim study smart_home" in capsys.readouterr().err


@pytest.mark.long
def test_a_folder_of_another_study_is_left_alone(tmp_path, capsys):
    out = str(tmp_path / "study")
    assert main(["study", "bank_account", "--quiet", "--out", out]) == 0
    assert main(["study", "smart_home", "--quiet", "--out", out]) == 1
    assert "Choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize("paradigm", ["cave", "codeact"])
def test_an_agent_that_goes_on_and_on_is_stopped_after_the_rounds_of_a_query(paradigm):
    study, paradigms = find("bank_account")
    task = study.tasks(7)[0]
    restless = ScriptedModel(lambda request: "```python\n1 + 1\n```")
    outcomes = Trial(task, Plan(rounds=2).limiting(paradigms[paradigm]), seed=7, llm=restless).run()
    assert [outcome.steps for outcome in outcomes] == [2] * len(task.queries)


def test_a_simulated_user_sends_no_more_messages_than_the_plan_or_the_task_lets_them():
    queries = (Query("", partner=PartnerBrief("Help.", most_turns=5)), Query("Tidy up."))
    task = Task("talk", "talks", queries)
    for plan, most in ((Plan(turns=2), 2), (Plan(turns=9), 5), (Plan(), 5)):
        talked, asked = plan.shortening(task).queries
        assert talked.partner.most_turns == most
        assert asked == queries[1]


@pytest.mark.parametrize("paradigm", ["cave", "codeact", "json"])
def test_a_reply_is_as_long_as_the_plan_lets_it(paradigm):
    study, paradigms = find("bank_account")
    asked = []
    silent = ScriptedModel(lambda request: asked.append(request.max_tokens) or "Nothing.")
    Trial(study.tasks(7)[0], Plan(reply_tokens=99).limiting(paradigms[paradigm]), seed=7, llm=silent).run()
    assert {*asked} == {99}


@pytest.mark.parametrize(
    ("study", "task", "paradigm"),
    [("stateful_types", "tower_build", "cave"), ("data_tasks", "close_of_a_month", "codeact")],
)
def test_a_trial_comes_to_the_same_in_a_jail_that_knows_nothing_but_its_name(study, task, paradigm, tmp_path):
    plan = Plan(paradigms=(paradigm,), host="process")
    trial = TaskTrial(task, paradigm, 7)
    jailed = TaskStudy.named(study, plan, None).attempt(trial, tmp_path / "jailed", Budgets())
    here = TaskStudy.named(study, replace(plan, host="local"), None).attempt(trial, tmp_path / "here", Budgets())
    assert jailed == here
    with open_run(tmp_path / "jailed" / "trials" / str(trial)) as run:
        assert run.manifest["isolation"]["name"] == "isolated"
