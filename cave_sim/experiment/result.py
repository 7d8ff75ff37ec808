"""What came of a trial, as its folder holds it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.experiment.task import Task
from cave_sim.experiment.trial import Outcome
from cave_sim.journal.reader import open_run


@dataclass(frozen=True)
class Result:
    """What came of one trial."""

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
            found = run.manifest.get("outcomes")
    except JournalError:
        return None
    if found is None:
        return None
    return Result(task.name, task.group, paradigm, seed, tuple(Outcome(**each) for each in found))
