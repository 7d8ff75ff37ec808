"""A study of tasks as an experiment: a trial is one task, one paradigm and one seed, and a block of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from cave_sim.errors import JournalError, WorldError, did_you_mean
from cave_sim.experiment.results import Result, finished, trial_name
from cave_sim.experiment.runner import TRIALS
from cave_sim.experiment.scripted import WRONG, Player
from cave_sim.experiment.study import Plan, Study, find
from cave_sim.experiment.task import Task
from cave_sim.experiment.trial import AGENT, Paradigm, Trial, prepared
from cave_sim.files.whole_files import clear_away
from cave_sim.journal.reader import open_run
from cave_sim.models.base import Key, Model
from cave_sim.models.budget import Budgets
from cave_sim.models.cassette import Call, Cassette, key_of
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.tokens import offline_counter
from cave_sim.world.world import World

INTERRUPTED = "interrupted"
"""Beside the trials: earlier attempts at those that are not finished; what these paid for, later ones reuse."""
_TASKS: dict[tuple[Any, ...], dict[int, dict[str, Task]]] = {}
"""The tasks of installed studies by seed, which a worker makes once for all its trials."""


@dataclass(frozen=True)
class TaskTrial:
    """What tells a trial of tasks from the others."""

    task: str
    paradigm: str
    seed: int

    def __str__(self) -> str:
        return trial_name(self.task, self.paradigm, self.seed)


@dataclass(frozen=True)
class TaskWorld:
    """How the world of a trial is built in a process that knows nothing of the study but its name."""

    study: str
    task: str
    paradigm: str
    seed: int
    options: Mapping[str, str]

    def world_factory(self) -> tuple[str, dict[str, Any]]:
        """Return what builds the world, as ``module:function``, and its arguments as plain data."""
        return f"{world_of.__module__}:{world_of.__name__}", asdict(self)


def world_of(study: str, task: str, paradigm: str, seed: int, options: Mapping[str, str]) -> World:
    """Return the world of a trial of an installed study."""
    its_study, paradigms = find(study)
    its_task = next(each for each in its_study.tasks(seed, **options) if each.name == task)
    variables = its_task.variables()
    world = prepared(its_task, paradigms[paradigm], seed, variables)[0]
    if paradigms[paradigm].takes_objects:
        for name, variable in variables.items():
            world.inject(name, variable.value, variable.about, agent=AGENT)
    return world


class TaskStudy:
    """A study, and how it is run. It is an :class:`~cave_sim.experiment.runner.Experiment`.

    Args:
        study: the study; workers elsewhere find it by its name.
        plan: how.
        paradigms: the ways of acting, by name.
        choice: the model that each worker opens for itself; None where scripts answer.
        llm: a model that is open already, for trials in this process.
        tasks: by seed and name, where they are kept already.
    """

    def __init__(
        self,
        study: Study,
        plan: Plan,
        paradigms: Mapping[str, Paradigm],
        *,
        choice: ModelChoice | None = None,
        llm: Model | None = None,
        tasks: dict[int, dict[str, Task]] | None = None,
    ) -> None:
        self.study = study
        self.plan = plan
        self.paradigms = paradigms
        self.choice = choice
        self._llm = llm
        self._tasks = {} if tasks is None else tasks

    @classmethod
    def named(cls, name: str, plan: Plan, choice: ModelChoice | None) -> Self:
        """Return one of an installed study."""
        study, paradigms = find(name)
        return cls(study, plan, paradigms, choice=choice, tasks=_TASKS.setdefault((name, *plan.options.items()), {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).named, (self.study.name, self.plan, self.choice)

    def about(self) -> dict[str, Any]:
        """Return the description of study and plan that a folder is bound to, as plain data."""
        plan, counter = self.plan, offline_counter()
        return {
            "study": self.study.name,
            "model": plan.model,
            "seeds": list(plan.seeds),
            "paradigms": list(plan.paradigms),
            "groups": list(plan.groups),
            "limit": plan.limit,
            "rounds": plan.rounds,
            "reply_tokens": plan.reply_tokens,
            **({} if plan.turns is None else {"turns": plan.turns}),
            "options": dict(plan.options),
            "prompts": None if plan.prompts is None else f"{plan.prompts.name} {plan.prompts.hash}",
            "tokens": counter.name if plan.is_scripted else "as the model reports them",
        }

    def blocks(self) -> Sequence[Sequence[TaskTrial]]:
        """Return the trials of the plan, each a block of its own."""
        return [(TaskTrial(task.name, paradigm, seed),) for seed, task, paradigm in self.planned()]

    def planned(self) -> Iterator[tuple[int, Task, str]]:
        """Yield seed, task and paradigm of each trial; raises WorldError if the plan names what is not there."""
        unknown = [name for name in self.plan.paradigms if name not in self.paradigms]
        if unknown:
            hint = did_you_mean(unknown[0], self.paradigms)
            raise WorldError(f"there is no paradigm {unknown[0]!r}.{hint} There are: {', '.join(self.paradigms)}")
        for seed in self.plan.seeds:
            for task in _tasks_of_plan(list(self._tasks_of(seed).values()), self.plan):
                for paradigm in self.plan.paradigms:
                    yield seed, task, paradigm

    def finished(self, trial: TaskTrial, out: Path) -> Result | None:
        """Return the result that a trial's folder holds; None if it was not finished."""
        return finished(out / TRIALS / str(trial), self._task(trial), trial.paradigm, trial.seed)

    def attempt(self, trial: TaskTrial, out: Path, budgets: Budgets) -> Result | None:
        """Run a trial from its start, reusing calls that an earlier attempt paid for. None: a budget ended it."""
        task, folder = self._task(trial), out / TRIALS / str(trial)
        slips = range(len(task.queries)) if self.plan.model == WRONG else ()
        earlier = out / INTERRUPTED / str(trial)
        _set_aside(folder, earlier)
        outcomes = Trial(
            self.plan.shortening(task),
            self.plan.limiting(self.paradigms[trial.paradigm]),
            seed=trial.seed,
            llm=self._model() or Player(task, trial.paradigm, slips=slips),
            out=folder,
            budgets=budgets,
            known=_paid_calls(earlier),
            prompts=self.plan.prompts,
            host=self.plan.host,
            made_by=TaskWorld(self.study.name, task.name, trial.paradigm, trial.seed, dict(self.plan.options)),
        ).run()
        if len(outcomes) < len(task.queries):
            return None
        clear_away(earlier)
        with suppress(OSError):  # others have something there
            earlier.parent.rmdir()
        return Result(task.name, task.group, trial.paradigm, trial.seed, tuple(outcomes))

    def _model(self) -> Model | None:
        return self._llm or _shared_model(self.choice)

    def _task(self, trial: TaskTrial) -> Task:
        return self._tasks_of(trial.seed)[trial.task]

    def _tasks_of(self, seed: int) -> dict[str, Task]:
        if seed not in self._tasks:
            self._tasks[seed] = {task.name: task for task in self.study.tasks(seed, **self.plan.options)}
        return self._tasks[seed]


def _tasks_of_plan(tasks: Sequence[Task], plan: Plan) -> Iterator[Task]:
    groups = list(dict.fromkeys(task.group for task in tasks))
    unknown = [group for group in plan.groups if group not in groups]
    if unknown:
        hint = did_you_mean(unknown[0], groups)
        raise WorldError(f"there is no group {unknown[0]!r}.{hint} There are: {', '.join(groups)}")
    counts = dict.fromkeys(groups, 0)
    for task in tasks:
        counts[task.group] += 1
        if (not plan.groups or task.group in plan.groups) and (plan.limit is None or counts[task.group] <= plan.limit):
            yield task


def _set_aside(folder: Path, earlier: Path) -> None:
    """Move an attempt that was interrupted away, in one go: whatever ends this process, its calls can be read on."""
    if os.path.lexists(folder):
        while not earlier.is_dir():
            with suppress(FileNotFoundError):  # a worker beside this one has taken the empty folder around it away
                earlier.mkdir(parents=True, exist_ok=True)
        folder.rename(earlier / str(len(list(earlier.iterdir()))))


def _paid_calls(earlier: Path) -> Cassette | None:
    """Return the calls of the attempts that were interrupted: where one failed and a later one did not, the later's."""
    calls: dict[tuple[Key, str], Call] = {}
    for folder in sorted(earlier.glob("*"), key=lambda each: int(each.name)):
        with suppress(JournalError), open_run(folder) as run:
            calls |= {(key_of(call), call["hash"]): call for call in run.calls()}
    return Cassette(calls.values()) if calls else None


@cache
def _shared_model(model: ModelChoice | None) -> Model | None:
    """Return the model, shared by all trials of a worker so that its rate limit is shared too."""
    return None if model is None else model.open()
