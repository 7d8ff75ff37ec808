"""Runs independent jobs on an executor, a limited number at a time, and retries those that fail."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

PAUSE_S = 1.0
"""Delay before a retry, times the number of attempts so far: the job may need a resource that is still held."""


@dataclass(frozen=True)
class Job:
    """A job to run.

    Attributes:
        name: of the job, for reports.
        work: an importable function that does it.
        args: arguments of the function, as plain data.
    """

    name: str
    work: Callable[..., Any]
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A job that failed every time.

    Attributes:
        name: of the job.
        lines: the error in which each attempt ended, in their order.
        errors: the errors themselves.
    """

    name: str
    lines: tuple[str, ...]
    errors: tuple[BaseException, ...] = field(default=(), compare=False, repr=False)

    @property
    def tries(self) -> int:
        """Number of attempts."""
        return len(self.lines)

    @property
    def why(self) -> str:
        """The first error: a later one may only come of what that left behind."""
        return self.lines[0]

    def __str__(self) -> str:
        if self.tries == 1:
            return f"{self.name} failed: {self.why}"
        kinds = Counter(line.partition(":")[0] for line in self.lines[1:])
        then = ", ".join(f"{kind} ({count})" for kind, count in kinds.items())
        return f"{self.name} failed {self.tries} times, first with {self.why}; then: {then}"


_Attempt = tuple[Job, tuple[BaseException, ...]]
"""A job, and the errors in which its earlier attempts ended."""


@dataclass(frozen=True)
class WorkQueue:
    """Executor and limits of a set of jobs.

    Attributes:
        executor: runs a function with arguments and returns a future; its workers may die.
        at_once: how many jobs run at a time.
        tries: attempts for each job.
        is_final: says of an error that another attempt would end in it as well.
    """

    executor: Executor
    at_once: int
    tries: int = 3
    is_final: Callable[[BaseException], bool] = lambda error: False

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield each job as it ends, with its result or its :class:`Failure`.

        Jobs are taken one by one as workers become free, so a generator of jobs can depend on earlier results.
        """
        fresh_jobs, retries = iter(jobs), deque[_Attempt]()
        running: dict[Future[Any], _Attempt] = {}
        try:
            while True:
                self._start(fresh_jobs, retries, running)
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    job, errors = running.pop(future)
                    error = future.exception()
                    if error is None:
                        yield job, future.result()
                        continue
                    errors = (*errors, error)
                    if len(errors) < self.tries and not self.is_final(error):
                        retries.append((job, errors))
                    else:
                        lines = tuple(f"{type(each).__name__}: {each}" for each in errors)
                        yield job, Failure(job.name, lines, errors)
        finally:
            for future in running:
                future.cancel()

    def _start(self, fresh_jobs: Iterator[Job], retries: deque[_Attempt], running: dict[Future[Any], _Attempt]) -> None:
        """Start as many jobs as the limit allows, retries last."""
        while len(running) < self.at_once:
            fresh = next(fresh_jobs, None)
            if fresh is None and not retries:
                return
            job, errors = retries.popleft() if fresh is None else (fresh, ())
            future = self.executor.submit(after, PAUSE_S * len(errors), job.work, *job.args)
            running[future] = job, errors


def after(pause_s: float, work: Callable[..., Any], *args: Any) -> Any:
    """Call a function after a pause in seconds, and return its result."""
    time.sleep(pause_s)
    return work(*args)
