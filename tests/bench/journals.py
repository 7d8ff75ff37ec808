"""What the journal costs while a run goes on, and how fast a state comes back."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from cave_sim import World
from cave_sim.journal.writer import Journal
from tests.bench.cells import THREE_NEW_WRITES, THREE_WRITES, new_cells
from tests.bench.measure import Sample, medians_us, way
from tests.bench.plain import PlainResident
from tests.bench.subjects import town
from tests.bench.table import Row, ratio, shown_us

TURNS_A_STEP = 25
NUMBERS = count(1)
BARE = {"code": compile(THREE_WRITES, "cell", "exec"), "names": {"me": PlainResident()}}

Step = Callable[[list[str]], None]


def step_of(world: World, journal: Journal | None = None) -> Step:
    """Return what a simulation does in a step: some turns, the world's own move, and a commit if there is a journal."""

    def step(cells: list[str]) -> None:
        for cell in cells:
            world.execute(cell, agent="ann")
        world.advance()
        state_hash = world.state_hash()
        if journal is not None:
            journal.commit(world.clock.step, world.clock.time_s, state_hash, {})

    if journal is not None:
        world.sink = journal.add
    return step


def steps(step: Step, template: str) -> Sample:
    """Time steps of 25 turns; a template without `{n}` gives a cell that comes again."""

    def fresh(calls: int) -> dict[str, Any]:
        starts = (next(NUMBERS) * TURNS_A_STEP for _call in range(calls))
        return {"batches": iter([list(new_cells(TURNS_A_STEP, start, template)) for start in starts])}

    return way("step(next(batches))", fresh, step=step)


def journal(repeats: int) -> Iterator[Row]:
    """Yield rows for turns that are written down, against turns that are not; 25 turns a step."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as journals:
        ways = {}
        for kind, template in {"cached": THREE_WRITES, "new": THREE_NEW_WRITES}.items():
            kept = Journal.begin(Path(folder) / kind, {})
            journals.callback(kept.close)
            ways[f"{kind}, on"] = steps(step_of(town(), kept), template)
            ways[f"{kind}, off"] = steps(step_of(town()), template)
        ways["exec, 25 times"] = way("for _ in turns: exec(code, names)", turns=range(TURNS_A_STEP), **BARE)
        costs = {name: cost / TURNS_A_STEP for name, cost in medians_us(ways, calls=20, repeats=repeats).items()}
    yield ratio("turn with a new cell, journal on", costs, "new, on", "new, off", 1.5)
    yield ratio("turn with a cached cell, journal on", costs, "cached, on", "exec, 25 times", 20)
    added = costs["cached, on"] - costs["cached, off"]
    yield Row("what the journal adds to a turn", shown_us(added), "", added, 4, "µs")


def restore(repeats: int) -> Iterator[Row]:
    """Yield the row for a world of 10,000 entities that comes back from its snapshot."""
    state = town(10_000).snapshot()
    cost = medians_us({"restore": way("restore(state)", restore=World.restore, state=state)}, calls=1, repeats=repeats)
    milliseconds = cost["restore"] / 1000
    yield Row("restore of 10,000 entities", shown_us(cost["restore"]), "", milliseconds, 60, "ms")
