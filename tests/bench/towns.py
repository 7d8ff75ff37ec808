"""What a simulation pays: the decisions of a town, and a turn that comes between other things."""

import gc
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cave_sim.simulations import town_day
from cave_sim.worlds.town import Resident
from tests.bench.cells import THREE_WRITES, new_cells
from tests.bench.measure import Sample, medians_us
from tests.bench.plain import PlainResident
from tests.bench.subjects import Neighbour
from tests.bench.table import Row, ratio, shown_us

SIZES = (100, 800)
STEPS, WARM_UP = 6, 2
LOOKS_BETWEEN = 20
NEW = THREE_WRITES + "wish = {n} if me.energy else nobody_{n}\n"


def towns(repeats: int) -> Iterator[Row]:
    """Yield rows for a decision in a town's morning, journaled and hashed, and for how that grows with the town."""
    for size in SIZES:
        decision_us(size)  # so that the map knows the ways: they are found once in a process, whatever the town
    costs = {size: statistics.median(decision_us(size) for _ in range(max(1, repeats // 3))) for size in SIZES}
    small, large = costs[SIZES[0]], costs[SIZES[1]]
    shown = f"{SIZES[0]} residents {shown_us(small)}"
    yield Row(f"a decision among {SIZES[1]:,} residents", shown_us(large), shown, large / small, 1.1)
    yield Row(f"a decision among {SIZES[1]:,} residents", shown_us(large), "", large, 150, "µs")


def decision_us(residents: int) -> float:
    """Return what one decision costs of the processor, in µs, journal, hash and dynamics included."""
    with tempfile.TemporaryDirectory() as folder:
        simulation = town_day.create(seed=1, residents=residents, out=Path(folder) / "run")
        for _ in range(WARM_UP):
            simulation.step()
        gc.collect()
        started = time.process_time()
        for _ in range(STEPS):
            simulation.step()
        spent_s = time.process_time() - started
        simulation.close()
    return spent_s / (STEPS * (residents + 1)) * 1e6


def cold_turns(repeats: int) -> Iterator[Row]:
    """Yield rows for turns after the world was looked at from twenty places, as turns of a simulation come."""
    world = town_day.create(seed=1, residents=60).world
    world.add("ann", Neighbour())
    looks = [resident.id for resident in world.all(Resident)][:LOOKS_BETWEEN]
    numbers = iter(range(10_000_000))
    plain = {"me": PlainResident()}
    code = compile(THREE_WRITES, "cell", "exec")

    def between(act: object) -> Sample:
        def sample(calls: int) -> float:
            spent_s = 0.0
            for _ in range(calls):
                for name in looks:
                    world.observe(name)
                started = time.thread_time()
                act()  # type: ignore[operator]
                spent_s += time.thread_time() - started
            return spent_s / calls

        return sample

    def new() -> str:
        return next(new_cells(1, next(numbers), NEW))

    ways = {
        "exec": between(lambda: exec(code, plain)),
        "compile + exec": between(lambda: exec(compile(new(), "cell", "exec"), plain)),
        "cached": between(lambda: world.execute(THREE_WRITES, agent="ann")),
        "new": between(lambda: world.execute(new(), agent="ann")),
    }
    costs = medians_us(ways, calls=20, repeats=repeats)
    yield Row("turn, cached cell, after 20 looks", shown_us(costs["cached"]), f"exec {shown_us(costs['exec'])}",
              costs["cached"], 60, "µs")  # fmt: skip
    yield ratio("turn, new cell, after 20 looks", costs, "new", "compile + exec", 4)
