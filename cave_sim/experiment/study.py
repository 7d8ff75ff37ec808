"""A study: many tasks, one model, several paradigms. Finished trials are kept and not repeated.

Its folder holds ``study.json`` and, under ``trials/``, a run for each task, paradigm and seed. A trial counts as
finished once its journal has its outcomes: after ``kill -9`` the same command resumes and repeats no answered request.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from cave_sim.entry_points import STUDIES, installed
from cave_sim.errors import JournalError, WorldError
from cave_sim.experiment.scripted import RIGHT, WRONG, Player
from cave_sim.experiment.task import Task
from cave_sim.experiment.trial import Paradigm, Result, Trial, finished, trial_name
from cave_sim.journal.reader import open_run
from cave_sim.models.base import Model
from cave_sim.models.budget import Budgets
from cave_sim.models.cassette import Cassette
from cave_sim.models.tokens import offline_counter
from cave_sim.simulation.prompts import Prompts

ABOUT = "study.json"
TRIALS = "trials"


@dataclass(frozen=True)
class Study:
    """A set of tasks, and the paradigms that they compare.

    Attributes:
        name: of the study.
        title: one line for the head of its page.
        source: the publication or data set that it follows.
        tasks: seed and options -> its tasks. The same arguments give the same tasks.
        paradigms: names of the paradigms that it compares by default.
        options: name -> description, for ``--set``.
    """

    name: str
    title: str
    source: str
    tasks: Callable[..., Sequence[Task]]
    paradigms: tuple[str, ...] = ("cave",)
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How a study is run.

    Attributes:
        model: name of the model; ``scripted`` and ``scripted-wrong`` play each task's own script.
        seeds: one repetition each.
        paradigms: names of the ways of acting.
        groups: only tasks of these groups; all if empty.
        limit: at most so many tasks of each group; None for all.
        rounds: how often an agent may act for one query, at least 1; None for what its paradigm says.
        reply_tokens: how long a reply of the model may be; None for what the paradigm says.
        options: of the study.
        prompts: what agents say in place of their own texts; None for those.
    """

    model: str = RIGHT
    seeds: tuple[int, ...] = (7,)
    paradigms: tuple[str, ...] = ("cave",)
    groups: tuple[str, ...] = ()
    limit: int | None = None
    rounds: int | None = None
    reply_tokens: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    prompts: Prompts | None = None

    @property
    def is_scripted(self) -> bool:
        """Whether scripts answer, and no model."""
        return self.model in (RIGHT, WRONG)

    def limiting(self, paradigm: Paradigm) -> Paradigm:
        """Return a paradigm whose agents act as often, and speak as long, as this plan lets them."""
        overrides = {"max_cells": self.rounds, "max_tokens": self.reply_tokens}
        limits = {habit: most for habit, most in overrides.items() if most is not None}
        return replace(paradigm, habits={**paradigm.habits, **limits})


def run_study(
    study: Study,
    plan: Plan,
    paradigms: Mapping[str, Paradigm],
    out: Path,
    *,
    llm: Model | None = None,
    budgets: Budgets | None = None,
    told: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Run the unfinished trials of a study, and return the results of all trials.

    Args:
        study: the study.
        plan: how.
        paradigms: the ways of acting, by name.
        out: its folder; if it holds an interrupted study of the same plan, that goes on.
        llm: the model; None where scripts answer.
        budgets: spending limits; when one is reached, the study stops and can be resumed later.
        told: called with each new result.

    Raises:
        WorldError: the folder holds another study, or the plan names an unknown paradigm or group.
    """
    claim(out, study, plan)
    results = []
    for seed, task, paradigm in trials(study, plan, paradigms):
        folder = out / TRIALS / trial_name(task.name, paradigm.name, seed)
        result = finished(folder, task, paradigm.name, seed)
        if result is None:
            result = attempt(plan, task, paradigm, seed, folder, llm=llm, budgets=budgets)
            if result is None:
                break
            told(result)
        results.append(result)
    return results


def attempt(
    plan: Plan,
    task: Task,
    paradigm: Paradigm,
    seed: int,
    folder: Path,
    *,
    llm: Model | None = None,
    budgets: Budgets | None = None,
) -> Result | None:
    """Run one trial from its start, reusing calls that an earlier attempt paid for. None: a budget ended it."""
    model = llm or Player(task, paradigm.name, slips=range(len(task.queries)) if plan.model == WRONG else ())
    paid_calls = _paid_calls(folder)
    shutil.rmtree(folder, ignore_errors=True)
    trial = Trial(
        task,
        plan.limiting(paradigm),
        seed=seed,
        llm=model,
        out=folder,
        budgets=budgets,
        known=paid_calls,
        prompts=plan.prompts,
    )
    outcomes = trial.run()
    if len(outcomes) < len(task.queries):
        return None
    return Result(task.name, task.group, paradigm.name, seed, tuple(outcomes))


def about(study: Study, plan: Plan) -> dict[str, Any]:
    """Return the description of study and plan that a folder is bound to, as plain data."""
    counter = offline_counter()
    return {
        "study": study.name,
        "model": plan.model,
        "seeds": list(plan.seeds),
        "paradigms": list(plan.paradigms),
        "groups": list(plan.groups),
        "limit": plan.limit,
        "rounds": plan.rounds,
        "reply_tokens": plan.reply_tokens,
        "options": dict(plan.options),
        "prompts": None if plan.prompts is None else f"{plan.prompts.name} {plan.prompts.hash}",
        "tokens": counter.name if plan.is_scripted else "as the model reports them",
    }


def trials(study: Study, plan: Plan, paradigms: Mapping[str, Paradigm]) -> Iterator[tuple[int, Task, Paradigm]]:
    """Yield the trials of a plan in their order; raises WorldError if it names something that is not there."""
    unknown = [name for name in plan.paradigms if name not in paradigms]
    if unknown:
        raise WorldError(f"there is no paradigm {unknown[0]!r}; there are: {', '.join(paradigms)}")
    for seed in plan.seeds:
        for task in _tasks_of_plan(study.tasks(seed, **plan.options), plan):
            for name in plan.paradigms:
                yield seed, task, paradigms[name]


def _tasks_of_plan(tasks: Sequence[Task], plan: Plan) -> Iterator[Task]:
    groups = list(dict.fromkeys(task.group for task in tasks))
    unknown = [group for group in plan.groups if group not in groups]
    if unknown:
        raise WorldError(f"there is no group {unknown[0]!r}; there are: {', '.join(groups)}")
    counts = dict.fromkeys(groups, 0)
    for task in tasks:
        counts[task.group] += 1
        if (not plan.groups or task.group in plan.groups) and (plan.limit is None or counts[task.group] <= plan.limit):
            yield task


def claim(out: Path, study: Study, plan: Plan) -> None:
    """Bind the folder to this study and plan; raises WorldError if it belongs to another."""
    description = about(study, plan)
    path = out / ABOUT
    if path.is_file():
        existing = json.loads(path.read_text(encoding="utf-8"))
        differs = [key for key in description if existing.get(key) != description[key]]
        if differs:
            key = differs[0]
            raise WorldError(
                f"{out} holds a study with {key}={existing.get(key)!r}, and this one has {description[key]!r}:"
                " choose another folder with --out"
            )
        return
    if out.is_dir() and any(out.iterdir()):
        raise WorldError(f"{out} is not empty and holds no study: choose another folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(description, indent=2), encoding="utf-8")
    fresh.replace(path)


def _paid_calls(folder: Path) -> Cassette | None:
    """Return the calls of a trial that was interrupted."""
    if not folder.is_dir():
        return None
    try:
        with open_run(folder) as run:
            return Cassette(list(run.calls()))
    except JournalError:
        return None


def available() -> list[str]:
    """Return the names of the studies that are installed."""
    return list(installed(STUDIES))


def find(name: str) -> tuple[Study, dict[str, Paradigm]]:
    """Return a study by name, and the ways of acting that there are: PARADIGMS of its module, or of the package."""
    studies = installed(STUDIES)
    if name not in studies:
        near = get_close_matches(name, studies, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise WorldError(f"there is no study {name!r}.{hint} There are: {', '.join(studies)}")
    module = studies[name].load()
    holder = module if hasattr(module, "PARADIGMS") else import_module(module.__package__)
    return module.STUDY, holder.PARADIGMS
