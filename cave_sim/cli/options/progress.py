"""A bar for people at a terminal while something goes through the steps of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cave_sim.journal.reader import Run


@contextmanager
def through(run: Run, what: str) -> Iterator[Callable[[int], None]]:
    """Show a bar on the error stream, if that is a terminal; gives what is to be called with each step that is done."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)  # how far it goes is in the file, which may be damaged
        yield lambda step: progress.update(task, total=run.last_step, completed=step)
