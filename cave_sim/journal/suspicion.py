"""Whose fault it is when reading a run fails: the file's, or our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cave_sim.errors import JournalError
from cave_sim.journal.reader import UNREADABLE, Run


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
