"""The runner of experiments: does the trials that a folder lacks, wherever workers are, and lists those that failed.

An experiment is a set of trials; a trial is one run, in a folder of its own below ``trials/``. It is finished once its
journal says so: after ``kill -9`` the same command goes on, and repeats no finished trial and no paid call. Trials come
in blocks, as the design of experiments calls those that share a seed: one worker does a block, one trial after another,
so that a later one can begin with what an earlier one has run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import shorten
from typing import Any, Generic, Protocol, TypeVar

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import CaveSimError, MissingExtra, WorldError
from cave_sim.experiment.budget_shares import BudgetShares
from cave_sim.experiment.executors import InlineExecutor
from cave_sim.experiment.work_queue import Failure, Job, WorkQueue
from cave_sim.files.given_files import given_bytes
from cave_sim.files.whole_files import unfinished, write_whole
from cave_sim.journal.lock import lock
from cave_sim.models.budget import Budget, Budgets, Spent
from cave_sim.replay.own_code import place

ABOUT = "study.json"
TRIALS = "trials"

Key = TypeVar("Key")
"""What tells a trial of an experiment from its others; its text is the name of the trial's folder."""
Result = TypeVar("Result")
Finding = TypeVar("Finding", covariant=True)


class Experiment(Protocol[Key, Finding]):
    """What the runner asks. It travels to workers, so that it must be plain data or come from an importable place."""

    def about(self) -> dict[str, Any]:
        """Return what its folder is bound to, as plain data; ``seeds`` may grow."""

    def blocks(self) -> Sequence[Sequence[Key]]:
        """Return its trials in their order, block by block; raises WorldError if it names what is not there."""

    def finished(self, trial: Key, out: Path) -> Finding | None:
        """Return the result that a trial's folder holds; None if it was not finished."""

    def attempt(self, trial: Key, out: Path, budgets: Budgets) -> Finding | None:
        """Do a trial, or go on with it, in its folder of the experiment's; None: a budget ended it."""


@dataclass
class Report(Generic[Result]):
    """How an experiment went.

    Attributes:
        results: of the trials that were finished, in the order of the experiment.
        failures: trials that failed every time; the same command tries them again.
        left: how many trials were not begun, or not finished, because a budget was used up.
        spent: on models, by this call.
    """

    results: list[Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    left: int = 0
    spent: Spent = field(default_factory=Spent)


def run_experiment(
    experiment: Experiment[Key, Result],
    out: Path,
    *,
    queue: WorkQueue | None = None,
    limits: Budget | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> Report[Result]:
    """Run the unfinished trials of an experiment.

    Args:
        experiment: the experiment.
        out: its folder, on a disk that all workers reach; an interrupted one of the same description goes on.
        queue: the workers; by default one trial after another is done here.
        limits: of spending, for all trials together; when one is reached no more trials are begun.
        on_result: called with each new result.

    Raises:
        WorldError: the folder holds another experiment, or this one names what is not there.
        JournalError: another process runs it there, and the two would take each other's trials away.
    """
    blocks = experiment.blocks()
    claim(out, experiment.about())
    with closing(lock(out)):
        return _run_unfinished(experiment, blocks, out, queue, limits, on_result)


def _run_unfinished(
    experiment: Experiment[Key, Result],
    blocks: Sequence[Sequence[Key]],
    out: Path,
    queue: WorkQueue | None,
    limits: Budget | None,
    on_result: Callable[[Result], None],
) -> Report[Result]:
    queue = replace(queue or WorkQueue(InlineExecutor(), 1), is_final=_is_final)
    results = {trial: experiment.finished(trial, out) for block in blocks for trial in block}
    unfinished = {
        str(number): block for number, block in enumerate(blocks) if any(results[trial] is None for trial in block)
    }
    shares, report, is_over = BudgetShares(limits or Budget(), queue.at_once), Report[Result](), False

    def jobs() -> Iterator[Job]:
        for number, block in unfinished.items():
            share = None if is_over else shares.take(number)
            if share is None:
                return
            yield Job(number, do_block, (experiment, tuple(block), str(out.absolute()), share))

    for job, answer in queue.do(jobs()):
        if isinstance(answer, Failure):
            shares.settle(job.name, None)
            done = _left_behind(experiment, unfinished[job.name], out)
        else:
            done, spent = answer
            shares.settle(job.name, spent)
            is_over = is_over or len(done) < len(unfinished[job.name])
        for trial in unfinished[job.name]:
            if trial in done and results[trial] is None:
                results[trial] = done[trial]
                on_result(done[trial])
            elif trial not in done and isinstance(answer, Failure):
                report.failures.append(Failure(str(trial), _lines_of(trial, answer)))
    report.results = [result for result in results.values() if result is not None]
    report.left = len(results) - len(report.results) - len(report.failures)
    report.spent = shares.spent
    return report


def do_block(
    experiment: Experiment[Key, Result], trials: Sequence[Key], out: str, limits: Budget
) -> tuple[dict[Key, Result], Spent]:
    """Do the trials of a block, wherever this is; returns the results of all that are finished, and the cost.

    Raises:
        BlockFailed: trials raised errors; the others were done nevertheless.
    """
    budgets = Budgets(run=limits)
    results: dict[Key, Result] = {}
    errors: dict[Any, Exception | SystemExit] = {}
    for trial in trials:
        try:
            result = experiment.finished(trial, Path(out))  # by a worker that died before it could say so
            result = experiment.attempt(trial, Path(out), budgets) if result is None else result
        except (Exception, SystemExit) as error:  # a measure of one's own may try to end the program
            errors[trial] = error
            continue
        if result is None:
            break
        results[trial] = result
    if errors:
        lines = {trial: _line(error) for trial, error in errors.items()}
        raise BlockFailed(lines, all(map(_is_final, errors.values())))
    return results, budgets.spent


def _line(error: BaseException) -> str:
    """Return what was raised; and where, if code of the user's own failed. What we refuse says so itself."""
    where = "" if isinstance(error, CaveSimError) else place(error)
    return f"{type(error).__name__}: {error}" + (f" ({where})" if where else "")


class BlockFailed(Exception):
    """Trials of a block raised errors.

    Attributes:
        errors: what each of them raised, as a line.
        is_final: whether another attempt would end in the same.
    """

    def __init__(self, errors: Mapping[Any, str], is_final: bool) -> None:
        super().__init__(errors, is_final)
        self.errors = errors
        self.is_final = is_final

    def __str__(self) -> str:
        return "; ".join(f"{trial}: {error}" for trial, error in self.errors.items())


def about_of(out: Path) -> dict[str, Any]:
    """Return what an experiment says of itself in its folder; nothing where there is none. Raises WorldError."""
    path = out / ABOUT
    if not path.is_file():
        return {}
    try:
        return dict(from_json(given_bytes(path)))
    except (OSError, ValueError, TypeError):
        raise WorldError(f"{path} cannot be read as what a study says of itself: choose another folder") from None


def claim(out: Path, about: Mapping[str, Any]) -> None:
    """Bind a folder to an experiment; raises WorldError if it belongs to another. It may get more seeds."""
    path = out / ABOUT
    if existing := about_of(out):
        has_grown = {*existing.get("seeds", ())} < {*about.get("seeds", ())}
        differs = [key for key in about if existing.get(key) != about[key] and not (key == "seeds" and has_grown)]
        if differs:
            place, then, now = _first_difference(existing.get(differs[0]), about[differs[0]], differs[0])
            raise WorldError(
                f"{out} holds a study in which {place} was {then}; now it is {now}. Choose another folder with --out,"
                " or put that back"
            )
        if has_grown:
            write_about(out, {**existing, **about})
        return
    begun = unfinished(path)  # all that is there of a study that was killed as it began
    if out.exists() and not out.is_dir():
        raise WorldError(f"{out}: this is a file; name a folder")
    if out.is_symlink() and not out.exists():
        raise WorldError(f"{out}: this is a link to nothing; name a folder, or make {out.readlink()}")
    if out.is_dir() and any(each != begun for each in out.iterdir()):
        raise WorldError(f"{out} is not empty and holds no study: choose another folder with --out")
    was_there = out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        write_about(out, about)
    except OSError:
        if not was_there:
            with suppress(OSError):
                out.rmdir()
        raise


def _first_difference(then: Any, now: Any, place: str) -> tuple[str, str, str]:
    """Return where two descriptions differ first, and what both say there, in few words."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*now, *then]):
            if then.get(key, _NONE) != now.get(key, _NONE):
                return _first_difference(then.get(key, _NONE), now.get(key, _NONE), f"{place}.{key}")
    if isinstance(then, list) and isinstance(now, list):
        for number, (one, other) in enumerate(zip(then, now, strict=False)):
            if one != other:
                return _first_difference(one, other, f"{place}[{number}]")
    return place, _shown(then), _shown(now)


def _shown(value: Any) -> str:
    return "not said" if value is _NONE else shorten(repr(value), 60, placeholder=" …")


_NONE = object()
"""What a description says of what it does not name."""


def write_about(out: Path, about: Mapping[str, Any]) -> None:
    """Write what an experiment's folder says of it."""
    write_whole(out / ABOUT, json.dumps(about, indent=2))


def _is_final(error: BaseException) -> bool:
    """Say whether another attempt would end in the same error: how the trial was described is wrong, or its code."""
    return error.is_final if isinstance(error, BlockFailed) else isinstance(error, FINAL)


FINAL = (
    *(WorldError, MissingExtra, SystemExit),
    *(ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, NotImplementedError),
    *(RecursionError, SyntaxError, TypeError, ValueError),
)
"""Trials are deterministic: what their code raises it raises again. Files, processes and providers may be back."""


def _lines_of(trial: Any, failure: Failure) -> tuple[str, ...]:
    """Return what a trial of a failed block ended in, each time; where it raised nothing itself, what the block did."""
    lines = [
        error.errors.get(trial) if isinstance(error, BlockFailed) else line
        for line, error in zip(failure.lines, failure.errors, strict=True)
    ]
    return tuple(line for line in lines if line is not None) or failure.lines


def _left_behind(experiment: Experiment[Key, Result], trials: Sequence[Key], out: Path) -> dict[Key, Result]:
    """Return the results of those trials of a failed block that are finished."""
    results = {trial: experiment.finished(trial, out) for trial in trials}
    return {trial: result for trial, result in results.items() if result is not None}
