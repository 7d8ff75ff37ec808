"""Whose fault it is when reading a run fails: the file's, or our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cave_sim.errors import CaveSimError, JournalError, raised_at
from cave_sim.journal.reader import UNREADABLE, Run

MOST_CHARS = 200
"""Of what an error says of a run's file, which may quote it."""


@contextmanager
def suspecting(*runs: Run) -> Iterator[None]:
    """Blame what goes wrong on the file of a run, if that has a problem; a mistake of our own stays what it is.

    Raises:
        JournalError: what failed was read from a run that is not as it was written.
    """
    try:
        yield
    except UNREADABLE:
        from cave_sim.journal.integrity import problems  # what is as it was written is read without

        for run in runs:
            if (problem := next(problems(run), None)) is not None:
                text = str(problem)
                raise JournalError(text if "is damaged" in text else f"{run.folder} is damaged: {text}") from None
        raise


@contextmanager
def understood(folder: Path) -> Iterator[None]:
    """Tell in one line of whatever goes wrong while a run is shown that anybody may have written, every seal right.

    Its file is not gone through for that, which may take long: what is said names the command that does.

    Raises:
        JournalError: what stands in the run is not what is looked for there.
    """
    try:
        yield
    except CaveSimError:
        raise
    except UNREADABLE as error:
        what = " ".join(str(error).split())[:MOST_CHARS]
        raise JournalError(
            f"{folder} is damaged, or holds what is not understood: {type(error).__name__}: {what}"
            f" ({raised_at(error)}); cave-sim doctor {folder} says which"
        ) from None
