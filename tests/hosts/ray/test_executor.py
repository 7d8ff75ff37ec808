"""Studies on Ray: a trial is a task. The results are those of a study here, and a death costs one try of one trial."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.errors import JournalError
from cave_sim.experiment.runner import TRIALS, run_experiment
from cave_sim.experiment.statistics import RESULTS
from cave_sim.experiment.study import Plan, find
from cave_sim.experiment.task_study import TaskStudy
from cave_sim.experiment.work_queue import Failure, Job, WorkQueue
from cave_sim.hosts.ray import RayExecutor
from cave_sim.models import Budget
from cave_sim.scenario import Scenario, run_study
from tests.hosts.ray import jobs

ROOT = Path(__file__).parents[3]


@pytest.fixture
def executor(cluster):
    with RayExecutor(cpus=0.5) as executor:
        yield executor


def hashes(out):
    """Return the state hash with which each trial of a study ended."""
    found = {}
    for folder in sorted((out / TRIALS).iterdir()):
        with open_run(folder) as run:
            found[folder.name] = run.steps()[-1].state_hash
    return found


def done(out):
    """Return the trials that are finished, each with the file that holds it."""
    found = {}
    for folder in (out / TRIALS).glob("*"):
        try:
            with open_run(folder) as run:
                if "outcomes" in run.manifest:
                    found[folder.name] = (folder / "run.sqlite").stat().st_ino
        except JournalError:
            continue
    return found


@pytest.mark.long
def test_a_study_of_a_scenario_comes_out_as_it_does_here(executor, tmp_path):
    scenario = Scenario(
        name="small", simulation="town_day", residents=1, steps=4, seeds=2,
        conditions={"a": {}, "b": {"interventions": [{"at": 2, "cell": "town.announcements.append('b')"}]}},
    )  # fmt: skip
    here, _ = run_study(scenario, tmp_path / "here")
    there, report = run_study(scenario, tmp_path / "there", queue=WorkQueue(executor, 2))
    assert report.failures == []
    assert there.frame().equals(here.frame())
    assert there.series().equals(here.series())
    assert hashes(tmp_path / "there") == hashes(tmp_path / "here")


@pytest.mark.long
def test_the_command_prints_the_same_table_and_keeps_the_results_as_parquet(cluster, tmp_path, capsys):
    tables = []
    for on in ("local", "ray"):
        out = tmp_path / on
        assert main(["study", "stateful_types", "--limit", "1", "--quiet", "--on", on, "--out", str(out)]) == 0
        tables.append((capsys.readouterr().out, pd.read_parquet(out / RESULTS).sort_values(["task", "query"])))
    (told_here, here), (told_there, there) = tables
    assert told_there == told_here
    pd.testing.assert_frame_equal(there, here)
    assert len(here) == 9
    assert hashes(tmp_path / "ray") == hashes(tmp_path / "local")


def test_workers_that_die_are_replaced_and_work_that_never_ends_well_is_listed(executor, tmp_path):
    work = [
        Job("good", jobs.double, (21,)),
        Job("unlucky", jobs.die_until, (str(tmp_path / "unlucky"), 1)),
        Job("deadly", jobs.die_until, (str(tmp_path / "deadly"), 99)),
        Job("wrong", jobs.refuse),
    ]
    answers = {piece.name: answer for piece, answer in WorkQueue(executor, 4, tries=2).do(work)}
    assert (answers["good"], answers["unlucky"]) == (42, 2)
    assert answers["wrong"] == Failure("wrong", ("LookupError: there is no such street",) * 2)
    assert answers["deadly"].tries == 2
    assert "WorkerCrashedError" in answers["deadly"].why


@pytest.mark.long
def test_a_study_whose_driver_was_killed_goes_on_and_does_nothing_twice(cluster, tmp_path):
    out = tmp_path / "study"
    command = [sys.executable, "-m", "cave_sim", "study", "stateful_types", "--quiet", "--out", str(out)]
    command += ["--on", "ray", "--address", cluster.address, "--workers", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as killed:
        while len(before := done(out)) < 3 and killed.poll() is None:
            time.sleep(0.01)
        killed.kill()
    assert killed.returncode == -signal.SIGKILL
    assert len(before) < 38
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "| all | cave | 114 of 114 | 100.0 | 38 of 38 |" in finished.stdout
    assert before.items() <= done(out).items()


@pytest.mark.long
def test_many_at_once_spend_no_more_than_was_allowed(executor, tmp_path):
    study, paradigms = find("stateful_types")
    experiment, queue = TaskStudy(study, Plan(limit=2), paradigms), WorkQueue(executor, 2)
    report = run_experiment(experiment, tmp_path / "study", queue=queue, limits=Budget(calls=14))
    calls = sum(outcome.steps for result in report.results for outcome in result.outcomes)
    assert 0 < calls <= 14
    assert len(run_experiment(experiment, tmp_path / "study", queue=queue).results) == 6
