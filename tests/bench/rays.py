"""What a world in a Ray actor costs beside one in this process, and a city's barrier beside what Ray takes anyway."""

import gc
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from cave_sim import Simulation, World
from cave_sim.hosts.ray import launch
from cave_sim.hosts.ray.cluster import library, start
from cave_sim.hosts.ray.pipeline import MessagePace
from cave_sim.replay.recipe import Recipe
from cave_sim.sharding.ray_worker_pool import RayWorkerPool
from cave_sim.sharding.shard import Shard
from cave_sim.sharding.worker_pool import address, assign_shards, gather
from tests.bench.cells import THREE_NEW_WRITES, THREE_WRITES, new_cells
from tests.bench.subjects import town
from tests.bench.table import Row, ratio

STEPS = 1
RECIPE = Recipe("tests.bench.rays", {"seed": 1})
WORKERS = (1, 2, 4)
CACHED, NEW = 10_000, 3_000
"""Cells a time: enough messages that the first and the last, which nothing else goes beside, are few of them."""


def create(*, seed: int, out: Any = None, manifest: Any = None, observers: Any = (), **_: Any) -> Simulation:
    """Return the town that is timed, as a simulation whose agents all come from outside."""
    assert seed == 1
    return Simulation(town(), out=out, manifest=manifest, observers=observers)


class Idle:
    """An actor that does nothing: the floor."""

    def nothing(self, told: bytes) -> bytes:
        """Answer."""
        return told


def rays(repeats: int) -> Iterator[Row]:
    """Yield all rows, in one cluster: to start one takes some seconds."""
    with start(cpus=4):
        yield from worlds(repeats)
        yield from districts(repeats)


def worlds(repeats: int) -> Iterator[Row]:
    """Yield rows for a world in an actor; wall-clock time."""
    with tempfile.TemporaryDirectory() as folder:
        ray = library()
        idle = ray.remote(Idle).options(num_cpus=0).remote()
        with Ending(launch(RECIPE, Path(folder) / "one")) as remote:
            fresh = new_cells(100_000, 0, THREE_NEW_WRITES)
            ways = {
                "no-op call": lambda: ray.get(idle.nothing.remote(b"")),
                "cached": lambda: remote.execute(THREE_WRITES, "ann"),
                "new": lambda: remote.execute(next(fresh), "ann"),
            }
            costs = medians_us(ways, 40 * repeats)
            yield ratio("one call a turn, cached cell", costs, "cached", "no-op call", 1.5)
            yield ratio("one call a turn, new cell", costs, "new", "no-op call", 1.8)
        yield batched(Path(folder), "new cells, 20 in a message", 20, repeats, target=0.5)
        yield batched(Path(folder), "new cells, 100 in a message", 100, repeats, target=0.7)
        yield batched(Path(folder), "cached cells, 500 in a message", 500, repeats, target=0.5, cached=True)
        way = {"cached": True, "send": submitted_together}
        yield batched(Path(folder), "cached cells, 500 in a message, submitted together", 500, repeats, 0.6, **way)
        yield back_after_death(Path(folder))


def batched(
    folder: Path,
    what: str,
    count: int,
    repeats: int,
    target: float,
    *,
    cached: bool = False,
    send: Callable[[Any, list[str]], None] | None = None,
) -> Row:
    """Return the row of turns a second in messages of so many, against this process with a journal of its own.

    Each time is followed by a step, which writes both down: turns that wait for theirs are looked through for garbage
    again and again, and how often that falls into the time of one side is a matter of chance. What this process had
    loaded before, the bench's libraries among it, is left out of such searches, as a run's own command has it.
    """
    name, amount, send = str(uuid4()), CACHED if cached else NEW, send or streamed
    with Ending(launch(RECIPE, folder / f"remote-{name}", pace=MessagePace(cells=count))) as remote:
        local = create(seed=1, out=folder / f"local-{name}")
        rates: dict[str, list[float]] = {"ray": [], "local": []}
        gc.collect()
        gc.freeze()
        for repeat in range(max(3, repeats // 2)):
            cells = [THREE_WRITES] * amount if cached else list(new_cells(amount, repeat * amount, THREE_NEW_WRITES))
            rates["ray"].append(amount / wall_s(partial(send, remote, cells)))
            rates["local"].append(amount / wall_s(lambda given=cells: [local.world.execute(c, "ann") for c in given]))
            remote.run(until=repeat + 1)
            local.run(until=repeat + 1)
            gc.collect()
        gc.unfreeze()
        local.close()
    ours, here = (statistics.median(rates[name]) for name in ("ray", "local"))
    share = statistics.median(one / other for one, other in zip(*rates.values(), strict=True))
    return Row(what, f"{ours:,.0f}/s", f"this process {here:,.0f}/s", share, target, at_least=True)


def back_after_death(folder: Path) -> Row:
    """Return the row of how long it takes from kill -9 to the next good turn."""
    with Ending(launch(RECIPE, folder / "killed")) as remote:
        times_s = []
        for _ in range(3):
            assert remote.execute(THREE_WRITES, "ann").committed
            process = remote.about()["process"]
            started = time.perf_counter()
            os.kill(process, signal.SIGKILL)
            with suppress(ConnectionError):
                assert remote.execute(THREE_WRITES, "ann").committed
            times_s.append(time.perf_counter() - started)
    time_s = statistics.median(times_s)
    return Row("kill -9 to the next good turn", f"{time_s:.2f} s", "", time_s, 3, "s")


# ---- districts


class Nobody:
    """Borders that nobody crosses."""

    def leaving(self, _: World) -> list[tuple[str, int]]:
        return []

    def arrived(self, world: World, name: str) -> None:
        raise AssertionError(f"{name} came to {world}")

    def counts(self, _: World) -> dict[str, float]:
        return {"people": 1}

    def news(self, _: World) -> dict[str, Any]:
        return {}

    def publish(self, world: World, totals: Any, news: Any) -> None:
        """Hear nothing."""


def idle_district(number: int) -> Shard:
    """Return a district in which nothing happens."""
    return Shard(number, create(seed=1), Nobody())


def districts(repeats: int) -> Iterator[Row]:
    """Yield rows for a step of a city of idle districts over K actors, against K calls that do nothing."""
    ray = library()
    for workers in WORKERS:
        shared = assign_shards(workers, workers)
        crew = RayWorkerPool("tests.bench.rays:idle_district", {}, shared)
        idle = [ray.remote(Idle).options(num_cpus=0).remote() for _ in range(workers)]
        reports = gather(crew.all("report"))
        step = partial(stepped, crew, reports, shared)
        floor = partial(called, ray, idle)
        floor()
        costs = medians_us({"step": step, "no-op calls": floor}, 20 * repeats)
        yield ratio(f"a city's step over {workers} actors", costs, "step", "no-op calls", 2)
        crew.close()
        for each in idle:
            ray.kill(each)


def stepped(crew: RayWorkerPool, reports: Any, shared: Any) -> None:
    """Take one step past a barrier."""
    gather(crew.step(address(reports, shared)))


def called(ray: Any, actors: list[Any]) -> None:
    """Call every actor once, at once, and wait for all."""
    ray.get([each.nothing.remote(b"") for each in actors])


# ---- within


class Ending:
    """Ends a remote world with its context, by whatever name it was given."""

    def __init__(self, remote: Any) -> None:
        self._remote = remote

    def __enter__(self) -> Any:
        return self._remote

    def __exit__(self, *_: object) -> None:
        self._remote.end()


def streamed(remote: Any, cells: list[str]) -> None:
    """Submit cells and wait for all of their turns."""
    futures = [remote.submit(cell, "ann") for cell in cells]
    for future in futures:
        assert future.result().committed


def submitted_together(remote: Any, cells: list[str]) -> None:
    """Submit cells as one list, and wait for its turns."""
    assert all(turn.committed for turn in remote.submit_many([("ann", cell) for cell in cells]).result())


def wall_s(action: Callable[[], object]) -> float:
    """Return the seconds that an action takes by the clock on the wall."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def medians_us(ways: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """Return the median wall-clock cost of each way in µs; the ways take turns."""
    costs_s: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            costs_s[name].append(wall_s(way))
    return {name: statistics.median(costs[2:]) * 1e6 for name, costs in costs_s.items()}
