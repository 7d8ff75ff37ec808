"""How a town's step grows with who lives there: a sweep, each size in a process of its own, and laws fitted to it."""

import json
import math
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cave_sim.changes.self_check import CHECKED_WHOLE_AT_FIRST
from cave_sim.simulations import town_day
from tests.bench.table import Row, shown_us

SIZES = (250, 1_000, 4_000)
LARGEST = 10_000
START = "2012-06-01T11:00"
"""Around noon, when all are awake and about: a decision costs more then than on the mean of a day."""
WARM_UP, STEPS = CHECKED_WHOLE_AT_FIRST, 4
"""Later steps are checked by what they wrote, but for one in fifty."""


class Cost(NamedTuple):
    """What a town of a size costs.

    Attributes:
        residents: how many.
        decision_us: CPU time of a decision in µs: journal, hash and dynamics included.
        hash_us: of which the state hash is.
        changes: that a decision leads to, those of the world by itself included: in a crowded town more happens.
        bytes: of the journal, for each decision.
        peak_mb: most memory of the process, in MB.
    """

    residents: int
    decision_us: float
    hash_us: float
    changes: float
    bytes: float
    peak_mb: float


def scale(repeats: int) -> Iterator[Row]:
    """Yield rows for what a decision costs from size to size, the law that this follows, and the largest town."""
    costs = [measured_apart(size) for _ in range(max(1, repeats // 4)) for size in SIZES]
    small = median_of(costs, SIZES[0])
    for size in SIZES[1:]:
        yield from growth(median_of(costs, size), small)
    for name, what, target in (("decision_us", "a decision's cost", 0.05), ("peak_mb", "memory", 1.0)):
        power, off = law(costs, name)
        told = f"off by {off:.0%} at most"
        yield Row(f"{what} grows as residents to the power of", f"{power:.3f}", told, power, target, "")
    largest = measured_apart(LARGEST)
    yield from growth(largest, small)
    yield Row(f"memory of {LARGEST:,} residents", f"{largest.peak_mb:,.0f} MB", "", largest.peak_mb, 2_000, "MB")


def growth(cost: Cost, small: Cost) -> Iterator[Row]:
    """Yield what a decision costs in a town, against the smallest one, and its share of the state hash."""
    what, told = (
        f"a decision among {cost.residents:,.0f}, noon",
        f"{small.residents:.0f} residents {shown_us(small.decision_us)}",
    )
    yield Row(what, shown_us(cost.decision_us), told, cost.decision_us / small.decision_us, 1.2)
    per_change, before = cost.decision_us / cost.changes, small.decision_us / small.changes
    of_change = f"{small.residents:.0f} residents {shown_us(before)} each of {small.changes:.1f}"
    yield Row(
        f"{what}, for each of its {cost.changes:.1f} changes", shown_us(per_change), of_change, per_change / before, 1.2
    )
    yield Row(f"{what}, bytes of journal", f"{cost.bytes:.0f}", f"{small.bytes:.0f}", cost.bytes / small.bytes, 1.2)
    share = cost.hash_us / cost.decision_us
    yield Row(
        f"{what}, share of the state hash", f"{share:.1%}", f"{small.hash_us / small.decision_us:.1%}", share, 0.1
    )


def median_of(costs: Sequence[Cost], residents: int) -> Cost:
    """Return the medians of what was measured at a size."""
    return Cost(
        *(statistics.median(column) for column in zip(*(c for c in costs if c.residents == residents), strict=True))
    )


def law(costs: Sequence[Cost], name: str) -> tuple[float, float]:
    """Return the power with which a figure grows, by least squares of logarithms, and how far a size lies off it."""
    sizes, figures = np.log([cost.residents for cost in costs]), np.log([getattr(cost, name) for cost in costs])
    power, start = np.polyfit(sizes, figures, 1)
    return float(power), math.expm1(float(np.abs(figures - power * sizes - start).max()))


def measured_apart(residents: int) -> Cost:
    """Return what a town costs, measured in a process that has had no other."""
    asked = [sys.executable, "-m", "tests.bench.scale", str(residents)]
    return Cost(*json.loads(subprocess.run(asked, stdout=subprocess.PIPE, check=True).stdout))


def measured(residents: int) -> Cost:
    """Return what a town costs around noon."""
    with tempfile.TemporaryDirectory() as folder:
        simulation = town_day.create(seed=1, residents=residents, start=START, out=Path(folder) / "run")
        simulation.run(until=WARM_UP)
        file = simulation.journal.path  # type: ignore[union-attr]
        before, changes_before, hashing_s = written(file), changes_in(file), 0.0
        world_hash = simulation.world.state_hash

        def timed_hash() -> str:
            nonlocal hashing_s
            began = time.process_time()
            digest = world_hash()
            hashing_s += time.process_time() - began
            return digest

        vars(simulation.world)["state_hash"] = timed_hash
        started = time.process_time()
        simulation.run(until=WARM_UP + STEPS)
        spent_s = time.process_time() - started
        decisions = STEPS * (residents + 1)
        size, changes = written(file) - before, changes_in(file) - changes_before
        simulation.close()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    return Cost(
        residents,
        spent_s / decisions * 1e6,
        hashing_s / decisions * 1e6,
        changes / decisions,
        size / decisions,
        peak_mb,
    )


def written(file: Path) -> int:
    """Return how many bytes of a run's file are in use, whether they are in its write-ahead log or not."""
    return asked_of(file, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")


def changes_in(file: Path) -> int:
    """Return how many changes a run's file has."""
    return asked_of(file, "SELECT count(*) FROM changes")


def asked_of(file: Path, query: str) -> int:
    """Return the one number that a query of a run's file comes to."""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as reader:
        [(number,)] = reader.execute(query)
    reader.close()
    return int(number)


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]))))
