"""Runs the trials of a study in parallel workers, with the same folders and results as a sequential run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cave_sim.experiment.budget_shares import BudgetShares
from cave_sim.experiment.study import TRIALS, Plan, Study, attempt, claim, find, trials
from cave_sim.experiment.task import Task
from cave_sim.experiment.trial import Paradigm, Result, finished, trial_name
from cave_sim.experiment.work_queue import Failure, Job, WorkQueue
from cave_sim.models.base import Model
from cave_sim.models.budget import Budget, Budgets, Spent
from cave_sim.models.from_cli import ModelChoice


@dataclass
class StudyReport:
    """The results of a study.

    Attributes:
        results: of the trials that were finished, in the order of the plan.
        failures: trials that failed every time; the same command tries them again.
    """

    results: list[Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def run_with(
    crew: WorkQueue,
    study: Study,
    plan: Plan,
    paradigms: Mapping[str, Paradigm],
    out: Path,
    *,
    model: ModelChoice | None = None,
    limits: Budget | None = None,
    told: Callable[[Result], None] = lambda result: None,
) -> StudyReport:
    """Run the unfinished trials of a study on a crew of workers.

    Args:
        crew: the work queue. Its workers find the study by its name, and write into ``out`` themselves.
        study: the study.
        plan: how.
        paradigms: the ways of acting, by name.
        out: its folder, on a disk that all workers reach; an interrupted study of the same plan goes on.
        model: which each worker opens for itself; None where scripts answer.
        limits: of spending, for all trials together; when one is reached no more trials are begun.
        told: called with each new result.

    Raises:
        WorldError: the folder holds another study, or the plan names an unknown paradigm or group.
    """
    claim(out, study, plan)
    trials_by_name = {
        trial_name(trial[1].name, trial[2].name, trial[0]): trial for trial in trials(study, plan, paradigms)
    }
    results = {
        name: finished(out / TRIALS / name, task, way.name, seed) for name, (seed, task, way) in trials_by_name.items()
    }
    shares, report = BudgetShares(limits or Budget(), crew.at_once), StudyReport()
    is_over = False

    def jobs() -> Iterator[Job]:
        for name in [name for name, result in results.items() if result is None]:
            share = None if is_over else shares.take(name)
            if share is None:
                return
            seed, task, way = trials_by_name[name]
            folder = str((out / TRIALS / name).absolute())
            yield Job(name, job, (study.name, plan, model, task.name, way.name, seed, folder, share))

    for done_job, answer in crew.do(jobs()):
        if isinstance(answer, Failure):
            shares.settle(done_job.name, None)
            report.failures.append(answer)
            continue
        result, spent = answer
        shares.settle(done_job.name, spent)
        if result is None:
            is_over = True
            continue
        results[done_job.name] = result
        told(result)
    report.results = [result for result in results.values() if result is not None]
    return report


def job(
    study: str, plan: Plan, model: ModelChoice | None, task: str, paradigm: str, seed: int, folder: str, limits: Budget
) -> tuple[Result | None, Spent]:
    """Do one trial of an installed study, wherever this is; returns its result (None: a limit ended it) and cost."""
    trial_task, way = _tasks(study, seed, tuple(plan.options.items()))[task], find(study)[1][paradigm]
    budgets = Budgets(run=limits)
    result = finished(Path(folder), trial_task, paradigm, seed)  # by a worker that died before it could say so
    if result is None:
        result = attempt(plan, trial_task, way, seed, Path(folder), llm=_shared_model(model), budgets=budgets)
    return result, budgets.spent


@cache
def _tasks(study: str, seed: int, options: tuple[tuple[str, str], ...]) -> dict[str, Task]:
    return {task.name: task for task in find(study)[0].tasks(seed, **dict(options))}


@cache
def _shared_model(model: ModelChoice | None) -> Model | None:
    """Return the model, shared by all trials of a worker so that its rate limit is shared too."""
    return None if model is None else model.open()
