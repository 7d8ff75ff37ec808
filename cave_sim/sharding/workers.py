"""The workers of a city of districts, and what they are told at each barrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from cave_sim.canonical_json import to_json
from cave_sim.sharding.shard import Barrier, ShardCommand, ShardReport, ShardWorker

REPORTS = msgspec.json.Decoder(list[ShardReport])


class WorkerPool(Protocol):
    """The workers of a city, wherever they are; messages go to all of them and come back from all."""

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have each worker step past its packed barrier; returns the packed reports of each."""

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of :class:`~cave_sim.sharding.shard.ShardWorker` returns for each worker."""

    def ask(self, district: int, action: str, *args: Any) -> Any:
        """Return what an action of a district comes to."""

    def close(self) -> None:
        """Finish the journals, and end the workers."""


class LocalWorkerPool:
    """Workers in this process, one after another.

    Args:
        maker, arguments: of a :class:`~cave_sim.sharding.shard.ShardWorker`.
        posts: the districts of each worker.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], assign_shards: Sequence[Sequence[int]]) -> None:
        self._workers = [ShardWorker(maker, arguments, numbers) for numbers in assign_shards]
        self._of = {
            number: worker for worker, numbers in zip(self._workers, assign_shards, strict=True) for number in numbers
        }

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        return [each.step(barrier) for each, barrier in zip(self._workers, barriers, strict=True)]

    def all(self, method: str, *args: Any) -> list[Any]:
        return [getattr(each, method)(*args) for each in self._workers]

    def ask(self, district: int, action: str, *args: Any) -> Any:
        return self._of[district].ask(district, action, *args)

    def close(self) -> None:
        for each in self._workers:
            each.close()


def assign_shards(districts: int, workers: int) -> list[list[int]]:
    """Return which districts each worker has: neighbours together, as evenly as it goes."""
    return [
        list(range(districts * worker // workers, districts * (worker + 1) // workers)) for worker in range(workers)
    ]


def gather(packed: Sequence[bytes]) -> list[ShardReport]:
    """Return all districts' reports in their order."""
    return sorted((report for each in packed for report in REPORTS.decode(each)), key=lambda report: report.district)


def address(
    reports: Sequence[ShardReport], assign_shards: Sequence[Sequence[int]], orders: Sequence[ShardCommand] = ()
) -> list[bytes]:
    """Return what each worker is told at the barrier after these reports, packed.

    Travellers come in by (to, from, name), and sums are taken by district, so that floats add up alike everywhere.
    """
    told = totals(reports)
    news = {topic: each for report in reports for topic, each in report.news.items()}
    travellers = sorted(
        (each for report in reports for each in report.leaving),
        key=lambda each: (each.to, each.origin, each.luggage.name),
    )
    return [
        to_json(
            msgspec.to_builtins(
                Barrier(
                    told,
                    news,
                    [each for each in travellers if each.to in numbers],
                    [order for order in orders if order.district in numbers],
                )
            )
        )
        for numbers in assign_shards
    ]


def totals(reports: Sequence[ShardReport]) -> dict[str, float]:
    """Return what districts counted, added up in their order."""
    found: dict[str, float] = {}
    for report in reports:
        for name, count in report.counts.items():
            found[name] = found.get(name, 0) + count
    return found
