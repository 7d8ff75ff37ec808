"""Functions that ask an opened run: its folder, which other functions take, is told how it is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run

F = TypeVar("F", bound=Callable[..., Any])


def of_run(function: F) -> F:
    """Decorate a function whose first argument is an opened run; called with something else, it raises JournalError."""

    @wraps(function)
    def ask(run: Run, *args: Any, **kwargs: Any) -> Any:
        expect_opened(function.__name__, run)
        return function(run, *args, **kwargs)

    return cast("F", ask)


def expect_opened(asking: str, *runs: Any) -> None:
    """Raise JournalError for the first that is no opened run."""
    for run in runs:
        if not isinstance(run, Run):
            raise JournalError(
                f"{asking}({run!r}, ...): takes an opened run: with open_run('runs/town') as run: {asking}(run, ...)"
            )
