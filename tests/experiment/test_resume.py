"""A study that was killed goes on: finished trials are not done again, and paid calls are not paid again."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.experiment.runner import TRIALS, run_experiment
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import Plan, find
from cave_sim.experiment.task_study import INTERRUPTED, TaskStudy
from cave_sim.experiment.trial import Trial
from cave_sim.models.budget import Budget

ROOT = Path(__file__).parents[2]


class Counting(Player):
    """A script that counts how often it is asked, and can fall silent like a process that was killed."""

    asked = 0
    falls_silent_at = None

    async def reply(self, request):
        type(self).asked += 1
        if self.asked == self.falls_silent_at:
            raise KeyboardInterrupt
        return await super().reply(request)


@pytest.fixture
def counting():
    Counting.asked, Counting.falls_silent_at = 0, None
    return Counting


def one_task(name, number=0):
    study, paradigms = find(name)
    task = study.tasks(7)[number]
    return type(study)(study.name, study.title, study.source, lambda seed: [task]), paradigms, task


def run_study(study, plan, paradigms, out, *, llm=None, limits=None):
    return run_experiment(TaskStudy(study, plan, paradigms, llm=llm), out, limits=limits).results


def test_calls_that_were_paid_are_not_paid_again(tmp_path, counting):
    study, paradigms, task = one_task("bank_account")
    llm = counting(task, "cave")
    counting.falls_silent_at = 16
    with pytest.raises(KeyboardInterrupt):
        run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm)
    assert counting.asked == 16
    (result,) = run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm)
    assert result.ok
    assert counting.asked == 16 + 40 - 15


@pytest.mark.long
def test_what_is_stopped_twice_pays_for_nothing_twice_and_its_journal_has_every_call(tmp_path, counting):
    study, paradigms, task = one_task("bank_account")
    llm = counting(task, "cave")
    for counting.falls_silent_at in (10, 20):
        with pytest.raises(KeyboardInterrupt):
            run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm)
    run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm)
    assert counting.asked == 20 + 40 - 9 - 9
    (folder,) = (tmp_path / "study" / TRIALS).iterdir()
    with open_run(folder) as run:
        assert len(list(run.calls())) == 40


def test_a_kill_between_two_attempts_or_at_the_start_of_one_pays_for_nothing_twice(tmp_path, counting, monkeypatch):
    study, paradigms, task = one_task("bank_account")
    llm, out = counting(task, "cave"), tmp_path / "study"
    counting.falls_silent_at = 16
    with pytest.raises(KeyboardInterrupt):
        run_study(study, Plan(), paradigms, out, llm=llm)
    for moment in ("__init__", "run"):  # before there is a journal of the second attempt, and before it asks anything
        with monkeypatch.context() as killed:
            killed.setattr(Trial, moment, Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                run_study(study, Plan(), paradigms, out, llm=llm)
    run_study(study, Plan(), paradigms, out, llm=llm)
    assert counting.asked == 16 + 40 - 15
    assert not (out / INTERRUPTED).exists()
    assert [folder.name for folder in out.glob("*/*")] == [f"{task.name}-cave-7"]


def test_what_is_finished_is_not_done_again(tmp_path, counting):
    study, paradigms, task = one_task("smart_home")
    llm = counting(task, "cave")
    first = run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm)
    asked = counting.asked
    assert run_study(study, Plan(), paradigms, tmp_path / "study", llm=llm) == first
    assert counting.asked == asked


@pytest.mark.long
def test_a_budget_ends_a_study_which_goes_on_with_a_larger_one(tmp_path):
    study, paradigms = find("stateful_types")
    plan = Plan(limit=2)
    few = run_study(study, plan, paradigms, tmp_path / "study", limits=Budget(calls=14))
    assert len(few) == 2
    assert len(run_study(study, plan, paradigms, tmp_path / "study")) == 6


@pytest.mark.long
def test_a_study_survives_kill_9(tmp_path, capsys):
    out = tmp_path / "study"
    command = [sys.executable, "-m", "cave_sim", "study", "stateful_types", "--limit", "4", "--quiet"]
    command += ["--out", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as killed:
        while len(list((out / TRIALS).glob("*"))) < 4 and killed.poll() is None:
            time.sleep(0.01)
        killed.kill()
    assert killed.returncode == -signal.SIGKILL
    before = {folder.name for folder in (out / TRIALS).iterdir() if has_outcomes(folder)}
    _, _, _, *arguments = command
    assert main(arguments) == 0
    assert "| all | cave | 36 of 36 | 100.0 | 12 of 12 |" in capsys.readouterr().out
    assert len(before) < 12


def has_outcomes(folder):
    try:
        with open_run(folder) as run:
            return "outcomes" in run.manifest
    except Exception:
        return False
