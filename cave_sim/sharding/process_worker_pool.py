"""The workers of a sharded world as processes of this machine: a step takes as long as its slowest worker."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from cave_sim.errors import CaveSimError
from cave_sim.sharding.worker import ShardWorker
from cave_sim.sharding.worker_pool import Assignment

if TYPE_CHECKING:  # Windows has no fork servers
    from multiprocessing.context import ForkServerContext, SpawnContext

PATIENCE_S = 10.0
"""How long a worker that was told to end may take until it is killed."""

Answer = tuple[CaveSimError | None, Any]
"""What a worker raised, or None, and what it returned."""


class ProcessWorkerPool:
    """Workers in processes of their own, each behind a pipe. They end with this process, however it ends.

    None is forked from this process, which may have threads, and files that are no worker's. On Linux they are forked
    from a fresh interpreter that has loaded what they need, once for all of them and for pools to come.

    Args:
        maker, arguments: of a :class:`~cave_sim.sharding.worker.ShardWorker`; plain data.
        assignment: the shards of each worker.

    Raises:
        CaveSimError: a shard cannot be made, or a worker died.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], assignment: Assignment) -> None:
        self._workers: list[_Worker] = []
        context = _context(maker)
        try:
            for numbers in assignment:
                self._workers.append(_Worker(context, maker, dict(arguments), list(numbers)))
            self._answers(self._workers)
        except BaseException:
            self._end(patience_s=0)
            raise
        self._worker_of = {
            number: worker for worker, numbers in zip(self._workers, assignment, strict=True) for number in numbers
        }

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have all workers step at once past their packed barriers; returns the packed reports of each."""
        for worker, barrier in zip(self._workers, barriers, strict=True):
            worker.ask("step", barrier)
        return self._answers(self._workers)

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of the workers returns for each of them."""
        for worker in self._workers:
            worker.ask(method, *args)
        return self._answers(self._workers)

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to."""
        worker = self._worker_of[shard]
        worker.ask("ask", shard, action, *args)
        return self._answers([worker])[0]

    def close(self) -> None:
        """Finish the journals, and end the processes."""
        try:
            self.all("close")
        finally:
            self._end()

    def _answers(self, workers: Sequence[_Worker]) -> list[Any]:
        """Return what these workers answer; what the first of them raised is raised when all have answered."""
        answers = [worker.answer() for worker in workers]
        for error, _ in answers:
            if error is not None:
                raise error
        return [answer for _, answer in answers]

    def _end(self, patience_s: float = PATIENCE_S) -> None:
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.end(patience_s)


class _Worker:
    """One process, as who started it sees it. It answers every request, and before that whether its shards are made."""

    def __init__(
        self, context: ForkServerContext | SpawnContext, maker: str, arguments: dict[str, Any], numbers: list[int]
    ) -> None:
        self._pipe, theirs = context.Pipe()
        self._due = 1
        self._process = context.Process(target=_serve, args=(theirs, maker, arguments, numbers), daemon=True)
        with theirs:
            try:
                self._process.start()
            except (OSError, EOFError) as error:  # so it is, too, where what forks them was killed while it began
                self._pipe.close()
                why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                way = "see that memory and processes are free, and give the same command again"
                raise CaveSimError(f"a worker of the shards could not be started ({why}); {way}") from None

    def ask(self, method: str, *args: Any) -> None:
        """Send a request; whether the process is still there shows when it is to answer."""
        self._due += 1
        with suppress(OSError):
            self._pipe.send((method, args))

    def answer(self) -> Answer:
        """Return the answer to the last request; those before it are dropped, for who asked was interrupted."""
        try:
            while True:
                answer: Answer = self._pipe.recv()
                self._due -= 1
                if not self._due:
                    return answer
        except (OSError, EOFError):
            self._process.join(PATIENCE_S)
            code = self._process.exitcode
            how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
            whole = "what was committed is whole: cave-sim resume goes on"
            return CaveSimError(f"a worker of the shards died {how}; {whole}"), None

    def end(self, patience_s: float) -> None:
        """End the process; one that is busy for longer than that, in the middle of what it does."""
        self._pipe.close()  # on which it ends by itself
        self._process.join(patience_s)
        self._process.kill()
        self._process.join()


def _context(maker: str) -> ForkServerContext | SpawnContext:
    """Return how processes are started here."""
    if not sys.platform.startswith("linux"):
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__, maker.partition(":")[0]])
    return context


def _serve(pipe: Connection, maker: str, arguments: dict[str, Any], numbers: list[int]) -> None:
    """Be a worker until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who runs the whole; a worker finishes its step
    error, worker = _outcome(ShardWorker, maker, arguments, numbers)
    with suppress(OSError, EOFError):
        pipe.send((error, None))
        while error is None:
            method, args = pipe.recv()
            pipe.send(_outcome(getattr(worker, method), *args))


def _outcome(act: Callable[..., Any], *args: Any) -> Answer:
    """Return what an act raised, in a form that can be sent, or what it came to."""
    try:
        return None, act(*args)
    except CaveSimError as error:  # one of another module may hold what cannot be sent, or take other arguments
        return error if type(error).__module__ == CaveSimError.__module__ else CaveSimError(str(error)), None
    except Exception as error:
        return CaveSimError(f"{type(error).__name__}: {error}"), None
