"""Ray as an executor: functions become tasks, each with the processors and the memory that it needs, on any node."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from cave_sim.errors import CaveSimError
from cave_sim.hosts.ray.cluster import library

MIB = 2**20


class RayExecutor(Executor):
    """Gives functions to a cluster that was started or joined; see :func:`~cave_sim.hosts.ray.start`.

    Tasks that do not fit wait in the cluster, where its autoscaler sees them: more at once than fit is what makes it
    grow. A task is never done twice behind the caller's back.

    Args:
        cpus: processors that a task takes; less than one lets several share.
        memory_mib: memory that a task sets aside; None for nothing. Ray places tasks by it, and does not enforce it.
    """

    def __init__(self, *, cpus: float = 1.0, memory_mib: int | None = None) -> None:
        self._ray = library()
        self._cpus = cpus
        memory = None if memory_mib is None else memory_mib * MIB
        self._options = {"num_cpus": cpus, "memory": memory, "max_retries": 0}
        self._references: set[Any] = set()

    @property
    def fitting(self) -> int:
        """How many tasks the cluster has processors for now; at least one."""
        there = float(self._ray.cluster_resources().get("CPU", 1.0))
        return max(1, int(there / self._cpus)) if self._cpus else max(1, int(there))

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called somewhere; the future holds what it returns, or what it raised as what it was."""
        reference = self._ray.remote(work).options(**self._options).remote(*args, **kwargs)
        self._references.add(reference)
        future: Future[Any] = Future()

        def ended(answer: Future[Any]) -> None:
            self._references.discard(reference)
            if not future.set_running_or_notify_cancel():
                return
            error = answer.exception()
            if error is None:
                future.set_result(answer.result())
            else:
                future.set_exception(_plain(error))

        reference.future().add_done_callback(ended)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Call off what is under way; the cluster stays."""
        if self._ray.is_initialized():
            for reference in list(self._references):
                self._ray.cancel(reference, force=True)
        self._references.clear()


def _plain(error: BaseException) -> BaseException:
    """Return what a task raised; where its worker went away, what Ray says of it in one line."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, Exception):
        return cause
    lines = str(error).strip().splitlines() or [""]
    return CaveSimError(f"{type(error).__name__}: {lines[0].strip()}")
