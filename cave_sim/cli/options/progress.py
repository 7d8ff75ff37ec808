"""How far something is that takes its time: a bar or a line at a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cave_sim.journal.reader import Run

LINE_EVERY_S = 5.0
"""Seconds from one line to the next where the error stream is no terminal, as in the log of a CI job."""


class StatusLine:
    """Says on the error stream how far something is that goes by no steps: a line written anew at a terminal.

    Args:
        every_s: seconds from one line to the next where there is no terminal.
    """

    def __init__(self, every_s: float = LINE_EVERY_S) -> None:
        self._every_s, self._told_at_s = every_s, monotonic()

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        elif monotonic() - self._told_at_s >= self._every_s:
            self._told_at_s = monotonic()
            print(text, file=sys.stderr, flush=True)


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
