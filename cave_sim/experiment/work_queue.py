"""Work that others do: pieces that need nothing of each other, so many at once. What fails is tried again."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

PAUSE_S = 1.0
"""How long a piece that failed waits where it is to be done again, for each time: what it needs may still be held."""


@dataclass(frozen=True)
class Job:
    """Something to be done.

    Attributes:
        name: by which it is told of.
        work: does it; an importable function.
        args: what that is given; plain data.
    """

    name: str
    work: Callable[..., Any]
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A piece that could not be done.

    Attributes:
        name: of the piece.
        tries: how often it was tried.
        why: what went wrong the last time.
    """

    name: str
    tries: int
    why: str

    def __str__(self) -> str:
        return f"{self.name} failed {self.tries} times, at last with {self.why}"


@dataclass(frozen=True)
class WorkQueue:
    """Who does the work.

    Attributes:
        executor: takes a function and its arguments, and gives a future; its workers may die.
        at_once: how many pieces are under way at a time.
        tries: how often one is tried.
    """

    executor: Executor
    at_once: int
    tries: int = 3

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield each piece as it ends, with what came of it or with its :class:`Failure`.

        Pieces are taken one by one, when somebody is free: what makes them may look at how others ended.
        """
        fresh_jobs, retries = iter(jobs), deque[tuple[Job, int]]()
        running: dict[Future[Any], tuple[Job, int]] = {}
        try:
            while True:
                self._start(fresh_jobs, retries, running)
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    job, tries = running.pop(future)
                    error = future.exception()
                    if error is None:
                        yield job, future.result()
                    elif tries < self.tries:
                        retries.append((job, tries))
                    else:
                        yield job, Failure(job.name, tries, f"{type(error).__name__}: {error}")
        finally:
            for future in running:
                future.cancel()

    def _start(
        self, fresh_jobs: Iterator[Job], retries: deque[tuple[Job, int]], running: dict[Future[Any], tuple[Job, int]]
    ) -> None:
        """Have as many pieces under way as may be; those that failed come last."""
        while len(running) < self.at_once:
            fresh = next(fresh_jobs, None)
            if fresh is None and not retries:
                return
            job, tries = retries.popleft() if fresh is None else (fresh, 0)
            future = self.executor.submit(after, PAUSE_S * tries, job.work, *job.args)
            running[future] = job, tries + 1


def after(pause_s: float, work: Callable[..., Any], *args: Any) -> Any:
    """Return what a function returns, after so many seconds."""
    time.sleep(pause_s)
    return work(*args)
