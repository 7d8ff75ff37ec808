"""Times ways of doing a thing against each other, so that a busy machine moves them all alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from timeit import Timer
from typing import Any

Sample = Callable[[int], float]
"""Does a thing so many times and returns the CPU seconds of one time."""


def nothing_fresh(_calls: int) -> dict[str, Any]:
    """A statement that can run again and again on the same names needs nothing new."""
    return {}


def way(statement: str, fresh: Callable[[int], dict[str, Any]] = nothing_fresh, /, **names: Any) -> Sample:
    """Time a statement by the CPU time of this thread, without the garbage collector.

    Args:
        statement: what is timed; `timeit` unrolls it into a bare loop, so no call is added.
        fresh: makes the names that wear out, for so many calls (new cells, say); not timed.
        names: the names that stay.
    """

    def sample(calls: int) -> float:
        return Timer(statement, timer=time.thread_time, globals=names | fresh(calls)).timeit(calls) / calls

    return sample


def medians_us(ways: Mapping[str, Sample], *, calls: int, repeats: int) -> dict[str, float]:
    """Return the median cost of each way in µs; the ways take turns, and the turns change direction."""
    costs_s: dict[str, list[float]] = {name: [] for name in ways}
    for repeat in range(repeats + 1):
        for name in sorted(ways, reverse=bool(repeat % 2)):
            costs_s[name].append(ways[name](calls))
    return {name: statistics.median(costs[1:]) * 1e6 for name, costs in costs_s.items()}  # the first one warms up
