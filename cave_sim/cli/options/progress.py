"""How far something is that goes through the steps of a run: a bar at a terminal, a line now and then elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cave_sim.journal.reader import Run

LINE_EVERY_S = 5.0
"""Seconds from one line to the next where the error stream is no terminal, as in the log of a CI job."""


@contextmanager
def through(run: Run, what: str) -> Iterator[Callable[[int], None]]:
    """Show on the error stream how far it is; gives what is to be called with each step that is done."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(console, run, what)
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)  # how far it goes is in the file, which may be damaged
        yield lambda step: progress.update(task, total=run.last_step, completed=step)


def _lines(console: Console, run: Run, what: str) -> Callable[[int], None]:
    told_at_s = monotonic()

    def tell(step: int) -> None:
        nonlocal told_at_s
        if monotonic() - told_at_s >= LINE_EVERY_S:
            told_at_s = monotonic()
            console.print(f"{what}: step {step:,} of {run.last_step:,}", soft_wrap=True, markup=False, highlight=False)

    return tell
