"""What came of trials: the outcome of each query, and the results that a trial's folder holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.experiment.task import Task
from cave_sim.journal.reader import open_run


@dataclass(frozen=True)
class Outcome:
    """The result of one query.

    Attributes:
        ok: whether the state was as it must be.
        why: the reason for the failure; "" if it passed.
        steps: how often the model was asked.
        prompt_tokens: tokens read in all these calls.
        completion_tokens: tokens written in them.
        failed_calls: how many calls got no reply.
        slips: what was wrong, by kind (:mod:`cave_sim.experiment.slips`); older runs have none.
    """

    ok: bool
    why: str
    steps: int
    prompt_tokens: int
    completion_tokens: int
    failed_calls: int = 0
    slips: Mapping[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The result of one trial."""

    task: str
    group: str
    paradigm: str
    seed: int
    outcomes: tuple[Outcome, ...]

    @property
    def ok(self) -> bool:
        """Whether every query of the task went well."""
        return all(outcome.ok for outcome in self.outcomes)

    @property
    def trial(self) -> str:
        """The name of the trial, and of its folder."""
        return trial_name(self.task, self.paradigm, self.seed)


def trial_name(task: str, paradigm: str, seed: int) -> str:
    """Return the name of a trial, and of its folder."""
    return f"{task}-{paradigm}-{seed}"


def finished(folder: Path, task: Task, paradigm: str, seed: int) -> Result | None:
    """Return the result that a trial's folder holds; None if it was not finished."""
    if not folder.is_dir():
        return None
    try:
        with open_run(folder) as run:
            outcomes = run.manifest.get("outcomes")
    except JournalError:
        return None
    if outcomes is None:
        return None
    return Result(task.name, task.group, paradigm, seed, tuple(Outcome(**outcome) for outcome in outcomes))
