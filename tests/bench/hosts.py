"""What a turn costs where cells run in processes of their own, and how soon all goes on after a cell that hung."""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from cave_sim import Limits, World
from cave_sim.hosts.process.host import ProcessHost
from tests.bench.cells import THREE_WRITES
from tests.bench.subjects import town
from tests.bench.table import Row, ratio

SIZES = (100, 1_000, 10_000)
DEADLINE_S = 0.5
STUCK_IN_C = "max(map(max, itertools.repeat(range(10_000_000), 1_000)))"
BUSY = "n = 0\nfor x in range(400_000):\n    n += x\nme.energy = 0.5"
FACTORY = "tests.bench.subjects:town"


def processes(repeats: int) -> Iterator[Row]:
    """Yield rows for a turn in a sandboxed process, by the size of the world; wall-clock time."""
    for size in SIZES:
        with ProcessHost(FACTORY, {"residents": size}) as host:
            world = town(size)
            host.attach(world)
            ways = {"fork + pipe": fork_and_pipe, "turn": partial(world.execute, THREE_WRITES, "ann")}
            costs = walls_us(ways, repeats)
            yield ratio(f"turn in a process, {size:,} entities", costs, "turn", "fork + pipe", 2)
            if size == SIZES[0]:
                yield both_processors(host, repeats)
    yield from recovery(repeats)


def both_processors(host: ProcessHost, repeats: int) -> Row:
    """Return the row of two busy cells at once, against the same two one after another."""
    world, cells = town(), {"ann": BUSY, "resident_1": BUSY}
    host.attach(world)
    costs = walls_us(
        {"at once": lambda: world.execute_batch(cells), "in turn": lambda: world.execute_batch(cells, "sequential")},
        max(3, repeats // 3),
    )
    return ratio("two busy cells of one batch", costs, "at once", "in turn", 0.8)


def recovery(repeats: int) -> Iterator[Row]:
    """Yield how long after its deadline a cell that hangs in C holds up the next agent's turn."""
    with ProcessHost(FACTORY) as host:
        world = town()
        world.limits = Limits(deadline_s=DEADLINE_S)
        host.attach(world)
        times_ms = sorted(held_up_ms(world) for _ in range(max(5, repeats)))
    for name, place in {"median": len(times_ms) // 2, "9 in 10": len(times_ms) * 9 // 10, "worst": -1}.items():
        time_ms = times_ms[place]
        yield Row(f"stuck in C, next turn done past the deadline, {name}", f"{time_ms:.0f} ms", "", time_ms, 250, "ms")


def held_up_ms(world: World) -> float:
    """Return how long after the deadline of a stuck cell the next turn is done."""
    started = time.perf_counter()
    assert world.execute(STUCK_IN_C, "ann").status == "timeout"
    assert world.execute(THREE_WRITES, "ann").committed
    return (time.perf_counter() - started - DEADLINE_S) * 1e3


def fork_and_pipe() -> None:
    """Fork this process, hear one word through a pipe, and wait for its end."""
    pipe, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(theirs, b"x")
        os._exit(0)
    os.close(theirs)
    while os.read(pipe, 64):
        pass
    os.close(pipe)
    os.waitpid(pid, 0)


def walls_us(ways: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median wall-clock time of each way in µs; the ways take turns."""
    costs_s: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(4 * repeats):
        for name, way in ways.items():
            started = time.perf_counter()
            way()
            costs_s[name].append(time.perf_counter() - started)
    return {name: statistics.median(costs[2:]) * 1e6 for name, costs in costs_s.items()}
