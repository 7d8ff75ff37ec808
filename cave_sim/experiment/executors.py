"""Where jobs are done on this machine: one after another in this process, or in processes of their own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any


class InlineExecutor(Executor):
    """Does each job at once, in this process; what is no ``Exception`` goes through, as an interrupt must."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ProcessExecutor(Executor):
    """Does jobs in processes of their own. Where one dies, by a signal or for want of memory, new ones take over.

    They end with this process, however it ends, and at once by Ctrl-C in its terminal, about which this one has a word.

    Args:
        workers: how many.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._new_pool()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with _interrupts_blocked():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                self._pool.shutdown(wait=False)
                self._pool = self._new_pool()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _new_pool(self) -> ProcessPoolExecutor:
        # A fork of a process with threads may hang, and a worker must not inherit files that are open here.
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_be_worker)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Have Ctrl-C wait; processes that are started here inherit that, so that it finds none of them half loaded."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _be_worker() -> None:
    """End without a word by Ctrl-C, also one that came meanwhile: what is committed is whole, and others tell of it."""
    _end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_parent() -> None:
    """Have this worker end when the process that gives it jobs is gone, however that ended: it would wait for ever."""

    def wait(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    if (parent := parent_process()) is not None:
        threading.Thread(target=wait, args=(parent,), name="cave_sim-parent", daemon=True).start()
