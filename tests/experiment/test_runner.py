"""The runner: every trial once, blocks in order, failures listed and nothing else lost, wherever the workers are."""

import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.experiment.executors import InlineExecutor, ProcessExecutor
from cave_sim.experiment.runner import run_experiment
from cave_sim.experiment.work_queue import WorkQueue

ABANDONED = """
import os, signal, sys
from cave_sim.experiment.executors import ProcessExecutor
pool = ProcessExecutor(1)
pool.submit(os.open, sys.argv[1], os.O_WRONLY).result()
os.kill(os.getpid(), signal.SIGKILL)
"""
BLOCKS = (("a1", "a2", "a3"), ("b1", "b2"), ("c1",))


@dataclass(frozen=True)
class Notes:
    """An experiment whose trials leave a note each."""

    wrong: tuple[str, ...] = ()
    deadly: str = ""
    seeds: tuple[int, ...] = (1,)

    def about(self):
        return {"name": "notes", "seeds": list(self.seeds)}

    def blocks(self):
        return BLOCKS

    def finished(self, trial, out):
        path = out / "trials" / trial
        return path.read_text() if path.is_file() else None

    def attempt(self, trial, out, budgets):
        tried = out / f"tried-{trial}-{len(list(out.glob(f'tried-{trial}-*')))}"
        tried.touch()
        if trial == self.deadly and tried.name.endswith("-0"):
            os.kill(os.getpid(), signal.SIGKILL)
        if trial in self.wrong:
            raise WorldError(f"{trial} cannot be")
        (out / "trials").mkdir(exist_ok=True)
        (out / "trials" / trial).write_text(f"done {trial}")
        return f"done {trial}"


def all_done():
    return [f"done {trial}" for block in BLOCKS for trial in block]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_trial_that_fails_is_listed_by_its_name_and_ends_nothing_else(tmp_path, workers):
    told = []
    with ProcessExecutor(workers) if workers > 1 else InlineExecutor() as executor:
        queue = WorkQueue(executor, workers)
        report = run_experiment(Notes(wrong=("a2",)), tmp_path / "out", queue=queue, on_result=told.append)
    assert report.results == [each for each in all_done() if each != "done a2"]
    assert sorted(told) == sorted(report.results)
    ((failure,), left) = report.failures, report.left
    assert (failure.name, failure.tries, failure.why, left) == ("a2", 1, "WorldError: a2 cannot be", 0)
    again = run_experiment(Notes(), tmp_path / "out", on_result=told.append)
    assert again.results == all_done()
    assert told[-1] == "done a2"
    assert len(list((tmp_path / "out").glob("tried-a1-*"))) == 1


@pytest.mark.long
def test_a_worker_that_is_killed_costs_one_try(tmp_path):
    with ProcessExecutor(2) as executor:
        report = run_experiment(Notes(deadly="b1"), tmp_path / "out", queue=WorkQueue(executor, 2))
    assert report.results == all_done()
    assert report.failures == []
    assert (tmp_path / "out" / "tried-b1-1").exists()


def test_a_folder_may_get_more_seeds_and_nothing_else(tmp_path):
    run_experiment(Notes(), tmp_path / "out")
    run_experiment(Notes(seeds=(1, 2)), tmp_path / "out")
    with pytest.raises(WorldError, match=r"seeds was \[1, 2\]; now it is \[1\]"):
        run_experiment(Notes(), tmp_path / "out")


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    Path(tmp_path / "thesis.txt").touch()
    with pytest.raises(WorldError, match="holds no study"):
        run_experiment(Notes(), tmp_path)


def test_workers_end_with_the_process_that_gave_them_jobs_also_by_kill_9(tmp_path):
    os.mkfifo(held := tmp_path / "held")
    reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    try:
        gone = subprocess.run([sys.executable, "-c", ABANDONED, str(held)], check=False)
        assert gone.returncode == -signal.SIGKILL
        assert select.select([reader], [], [], 60)[0], "a worker holds what it opened still, and waits for jobs"
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)
