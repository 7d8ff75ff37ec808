"""A study of tasks: many tasks, one model, several paradigms; how it is run, and which studies are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.task import Query, Task
from cave_sim.experiment.trial import Paradigm
from cave_sim.loading.entry_points import PAPERS, SIMULATIONS, STUDIES, installed
from cave_sim.simulation.jail import HostName
from cave_sim.simulation.prompts import Prompts


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
        turns: how many messages a simulated user sends at most, at least 1; None for what the task says.
        options: of the study.
        prompts: what agents say in place of their own texts; None for those.
        host: ``local`` or ``process``, where cells run; None jails those that a language model writes.
    """

    model: str = RIGHT
    seeds: tuple[int, ...] = (7,)
    paradigms: tuple[str, ...] = ("cave",)
    groups: tuple[str, ...] = ()
    limit: int | None = None
    rounds: int | None = None
    reply_tokens: int | None = None
    turns: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    prompts: Prompts | None = None
    host: HostName | None = None

    @property
    def is_scripted(self) -> bool:
        """Whether scripts answer, and no model."""
        return self.model in (RIGHT, WRONG)

    def limiting(self, paradigm: Paradigm) -> Paradigm:
        """Return a paradigm whose agents act as often, and speak as long, as this plan lets them."""
        overrides = {"max_cells": self.rounds, "max_tokens": self.reply_tokens}
        limits = {habit: most for habit, most in overrides.items() if most is not None}
        return replace(paradigm, habits={**paradigm.habits, **limits})

    def shortening(self, task: Task) -> Task:
        """Return a task whose simulated user sends as many messages as this plan lets them."""
        if self.turns is None:
            return task
        return replace(task, queries=tuple(_shortened(query, self.turns) for query in task.queries))


def _shortened(query: Query, turns: int) -> Query:
    brief = query.partner
    return query if brief is None else replace(query, partner=replace(brief, most_turns=min(turns, brief.most_turns)))


def find(name: str) -> tuple[Study, dict[str, Paradigm]]:
    """Return a study by name, and the ways of acting that there are: PARADIGMS of its module, or of the package."""
    studies = installed(STUDIES)
    if name not in studies:
        hint = did_you_mean(name, [*studies, *installed(PAPERS), *installed(SIMULATIONS)])
        way = "any simulation by its name; and scenarios of your own: cave-sim new scenario NAME writes one"
        raise WorldError(f"there is no study {name!r}.{hint} There are: {', '.join(studies)}; {way}")
    module = studies[name].load()
    holder = module if hasattr(module, "PARADIGMS") else import_module(module.__package__)
    return module.STUDY, holder.PARADIGMS
