"""The workers of a sharded world as Ray actors: as many processes, on as many machines, as there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cave_sim.errors import CaveSimError, WorldError
from cave_sim.hosts.ray.cluster import library, start
from cave_sim.sharding.worker import ShardWorker
from cave_sim.sharding.worker_pool import Assignment


class RayWorkerPool:
    """Workers in actors. What goes to them and comes back is bytes; only how to make the shards is not.

    Args:
        maker, arguments: of a :class:`~cave_sim.sharding.worker.ShardWorker`; plain data.
        assignment: the shards of each worker.
        address: of a Ray cluster; None for one on this machine, which ends with the pool if it was started for it.

    Raises:
        CaveSimError: there is no such cluster.
        MissingExtra: ray is not installed.
    """

    def __init__(
        self, maker: str, arguments: Mapping[str, Any], assignment: Assignment, address: str | None = None
    ) -> None:
        self._cluster = start(address)
        self._ray = library()
        worker = self._ray.remote(ShardWorker).options(num_cpus=0)
        self._actors = [worker.remote(maker, dict(arguments), list(numbers)) for numbers in assignment]
        self._actor_of = {
            number: actor for actor, numbers in zip(self._actors, assignment, strict=True) for number in numbers
        }

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have all workers step at once past their packed barriers; returns the packed reports of each."""
        calls = [each.step.remote(barrier) for each, barrier in zip(self._actors, barriers, strict=True)]
        return list(self._get(calls))

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of the workers returns for each of them."""
        return list(self._get([getattr(actor, method).remote(*args) for actor in self._actors]))

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to."""
        return self._get(self._actor_of[shard].ask.remote(shard, action, *args))

    def close(self) -> None:
        """Finish the journals, and end the actors."""
        if not self._actors:
            return
        try:
            self._get([actor.close.remote() for actor in self._actors])
        finally:
            for actor in self._actors:
                self._ray.kill(actor, no_restart=True)
            self._actors = []
            self._cluster.close()

    def _get(self, answers: Any) -> Any:
        """Wait for answers; what a shard raised is raised here as what it is."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(answers)
        except errors.RayTaskError as error:
            cause = getattr(error, "cause", None)
            raise (cause if isinstance(cause, Exception) else CaveSimError(str(error))) from None
        except errors.RayActorError as error:
            if "creation task" in str(error):
                raise WorldError(f"a shard cannot be made: {_reason(error)}") from None
            raise CaveSimError(
                f"a worker of the shards died: {_reason(error)}; what was committed is whole: cave-sim resume goes on"
            ) from None


def _reason(error: Exception) -> str:
    """Return what Ray says last, without its guesses: where making the shards failed, that is the reason."""
    last = (str(error).strip().splitlines() or [type(error).__name__])[-1]
    return last.partition(" Worker exit type")[0].strip().rstrip(".")
