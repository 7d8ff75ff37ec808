"""The workers that have the shards of a world, and what they are sent at each barrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.sharding.messages import Barrier, ShardCommand, ShardReport
from cave_sim.sharding.worker import ShardWorker

REPORTS = msgspec.json.Decoder(list[ShardReport])

Assignment = Sequence[Sequence[int]]
"""The numbers of the shards that each worker has."""


class WorkerPool(Protocol):
    """The workers of a sharded world, wherever they are; messages go to all of them and come back from all."""

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have each worker step past its packed barrier; returns the packed reports of each."""

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of :class:`~cave_sim.sharding.worker.ShardWorker` returns for each worker."""

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to."""

    def close(self) -> None:
        """Finish the journals, and end the workers."""


class LocalWorkerPool:
    """Workers in this process, one after another.

    Args:
        maker, arguments: of a :class:`~cave_sim.sharding.worker.ShardWorker`.
        assignment: the shards of each worker.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], assignment: Assignment) -> None:
        self._workers = [ShardWorker(maker, arguments, numbers) for numbers in assignment]
        self._worker_of = {
            number: worker for worker, numbers in zip(self._workers, assignment, strict=True) for number in numbers
        }

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have one worker after another step past its packed barrier; returns the packed reports of each."""
        return [worker.step(barrier) for worker, barrier in zip(self._workers, barriers, strict=True)]

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of the workers returns for each of them."""
        return [getattr(worker, method)(*args) for worker in self._workers]

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to."""
        return self._worker_of[shard].ask(shard, action, *args)

    def close(self) -> None:
        """Finish the journals."""
        for worker in self._workers:
            worker.close()


def assign_shards(shards: int, workers: int) -> list[list[int]]:
    """Return which shards each worker has: neighbours together, as evenly as it goes."""
    return [list(range(shards * worker // workers, shards * (worker + 1) // workers)) for worker in range(workers)]


def gather(packed: Sequence[bytes]) -> list[ShardReport]:
    """Return the reports of all shards in their order."""
    reports = [report for reports in packed for report in REPORTS.decode(reports)]
    return sorted(reports, key=lambda report: report.shard)


def address(
    reports: Sequence[ShardReport], assignment: Assignment, commands: Sequence[ShardCommand] = ()
) -> list[bytes]:
    """Return what each worker is sent at the barrier after these reports, packed.

    Migrants come in by (to, from, name), and sums are taken by shard, so that floats add up alike everywhere.
    """
    sums = totals(reports)
    news = {topic: item for report in reports for topic, item in report.news.items()}
    migrants = sorted(
        (migrant for report in reports for migrant in report.leaving),
        key=lambda migrant: (migrant.to, migrant.origin, migrant.migration.name),
    )
    barriers = [
        Barrier(
            sums,
            news,
            [migrant for migrant in migrants if migrant.to in numbers],
            [command for command in commands if command.shard in numbers],
        )
        for numbers in assignment
    ]
    return [to_json(msgspec.to_builtins(barrier)) for barrier in barriers]


def totals(reports: Sequence[ShardReport]) -> dict[str, float]:
    """Return what shards counted, added up in their order."""
    sums: dict[str, float] = {}
    for report in reports:
        for name, count in report.counts.items():
            sums[name] = sums.get(name, 0) + count
    return sums
