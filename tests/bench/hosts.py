"""What a turn costs where cells run in processes of their own, and how soon all goes on after a cell that hung."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from cave_sim import Limits, World
from cave_sim.hosts.process.host import ProcessHost
from tests.bench.cells import THREE_WRITES
from tests.bench.subjects import town
from tests.bench.table import Row, ratio, shown_us

SIZES = (100, 1_000, 10_000)
DEADLINE_S = 0.5
BATCH = 25
LEAST_S = 1.0
"""For how long at least: the system tells processor time in hundredths of a second."""
PAUSE_S = 0.05
"""Less than the fastest model takes to answer."""
THREE_WRITES_AND_A_VARIABLE = THREE_WRITES + "seen = me.place\n"
"""Plain, and keeps something."""
THREE_WRITES_AND_A_LIST = THREE_WRITES + "seen = [me.place]\n"
"""Not plain, because it makes a list."""
STUCK_IN_C = "max(map(max, itertools.repeat(range(10_000_000), 1_000)))"
FORKING = """
import os
while os.read(0, 1):
    pipe, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(theirs, b"x")
        os._exit(0)
    os.close(theirs)
    os.read(pipe, 1)
    os.close(pipe)
    os.waitpid(pid, 0)
    os.write(1, b"x")
"""
BUSY = "n = 0\nfor x in range(400_000):\n    n += x\nme.energy = 0.5"
FACTORY = "tests.bench.subjects:town"


def processes(repeats: int) -> Iterator[Row]:
    """Yield rows for a turn in a sandboxed process, by the size of the world; wall-clock time."""
    for size in SIZES:
        with ProcessHost(FACTORY, {"residents": size}) as host:
            world = town(size)
            host.attach(world)
            with closing(BareForks()) as bare:
                ways = {"plain": THREE_WRITES, "other": THREE_WRITES_AND_A_LIST}
                turns = {name: partial(world.execute, cell, "ann") for name, cell in ways.items()}
                costs = walls_us({"fork + pipe": bare, **turns}, repeats)
                thinking = walls_us({"other": turns["other"]}, repeats // 2, pause_s=PAUSE_S)
            against = f"a bare fork and a pipe {shown_us(costs['fork + pipe'])}"
            for name, what in {"plain": "turn of a plain cell", "other": "turn in a process of its own"}.items():
                yield Row(f"{what}, {size:,} entities", shown_us(costs[name]), against, costs[name] / 1000, 2, "ms")
            what = f"the same, {PAUSE_S:g} s after the turn before"
            yield Row(what, shown_us(thinking["other"]), against, thinking["other"] / 1000, 2, "ms")
            if size == SIZES[0]:
                yield both_processors(host, repeats)
                yield from computed(host, repeats)
    yield from recovery(repeats)


def both_processors(host: ProcessHost, repeats: int) -> Row:
    """Return the row of two busy cells at once, against the same two one after another."""
    world, cells = town(SIZES[0]), {"ann": BUSY, "resident_1": BUSY}
    host.attach(world)
    costs = walls_us(
        {"at once": lambda: world.execute_batch(cells), "in turn": lambda: world.execute_batch(cells, "sequential")},
        max(3, repeats // 3),
    )
    return ratio("two busy cells of one batch", costs, "at once", "in turn", 0.8)


def computed(host: ProcessHost, repeats: int) -> Iterator[Row]:
    """Yield what a sandboxed turn of a batch costs in processor time, that of all its processes together."""
    world = town(SIZES[0])
    host.attach(world)
    agents = ["ann", *(f"resident_{number}" for number in range(1, BATCH))]
    ways = {"plain cell": THREE_WRITES, "plain cell with a variable": THREE_WRITES_AND_A_VARIABLE}
    for name, cell in {**ways, "cell with a list": THREE_WRITES_AND_A_LIST}.items():
        cells = dict.fromkeys(agents, cell)
        world.execute_batch(cells)
        began_s, until_s, batches = processor_s(host), time.monotonic() + LEAST_S, 0
        while time.monotonic() < until_s or batches < repeats // 3:
            assert all(turn.committed for turn in world.execute_batch(cells).values())
            batches += 1
        turn_ms = (processor_s(host) - began_s) / batches / BATCH * 1000
        yield Row(f"{name}, one of {BATCH} in a batch, processor time", shown_us(turn_ms * 1000), "", turn_ms, 2, "ms")


def processor_s(host: ProcessHost) -> float:
    """Return the processor time of this process, the world process, those that it has, and those that ended."""
    while True:
        with suppress(FileNotFoundError, ProcessLookupError):  # one ended meanwhile: what it took is its parent's now
            return time.process_time() + _of_processes(host.pids[-1])


def _of_processes(world_process: int) -> float:
    spent_s = 0.0
    children = Path(f"/proc/{world_process}/task/{world_process}/children").read_text().split()
    for pid, fields in ((world_process, slice(11, 15)), *((child, slice(11, 13)) for child in children)):
        numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[fields]
        spent_s += sum(map(int, numbers)) / os.sysconf("SC_CLK_TCK")
    return spent_s


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


class BareForks:
    """A Python that has imported nothing, and forks when it is asked to: the least that a process for a cell can cost.

    The bench itself would be no measure: a fork of a process of 170 MB takes longer than that of the one that runs
    cells.
    """

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-S", "-c", FORKING]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def __call__(self) -> None:
        """Have it fork, hear one word from the child through a pipe, and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"x")
        self._process.stdout.read(1)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def walls_us(ways: Mapping[str, Callable[[], object]], repeats: int, *, pause_s: float = 0.0) -> dict[str, float]:
    """Return the median wall-clock time of each way in µs; they take turns, each after a pause that does not count."""
    costs_s: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(4 * repeats):
        for name, way in ways.items():
            time.sleep(pause_s)
            started = time.perf_counter()
            way()
            costs_s[name].append(time.perf_counter() - started)
    return {name: statistics.median(costs[2:]) * 1e6 for name, costs in costs_s.items()}
