"""What going back in a run costs: any state from the file, the whole run checked, and a second world in memory."""

import copy
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cave_sim import Agent, Simulation, open_run
from cave_sim.journal.integrity import problems
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_at
from cave_sim.replay.reexecute import reexecute
from tests.bench.cells import THREE_WRITES
from tests.bench.measure import medians_us, way
from tests.bench.plain import PlainResident
from tests.bench.subjects import town
from tests.bench.table import Row, ratio, shown_us

RESIDENTS, STEPS = 100, 1_000
SIZES = {100: 2, 10_000: 1, 100_000: 1}
"""Entities, and how many times the cost of a deep copy a fork may take; a small one costs what an empty world does."""


class Busy(Agent):
    """Writes three fields in every step."""

    def act(self, observation: dict[str, object]) -> str:
        return THREE_WRITES


def make(folder: Path | None = None) -> Simulation:
    """Return a town in which everybody writes in every step: 100,000 turns, some 300,000 changes in all."""
    world = town(RESIDENTS)
    return Simulation(world, [(Busy, name) for name in world if name != "$system"], out=folder)


def long_run(repeats: int) -> Iterator[Row]:
    """Yield rows for a run of 100,000 turns: how fast its states come back, and what checking it costs."""
    with tempfile.TemporaryDirectory() as folder:
        simulation = make(Path(folder) / "run")
        ran_s = _took_s(lambda: simulation.run(until=STEPS))
        simulation.close()
        with open_run(Path(folder) / "run") as run:
            yield from _states(run, repeats)
            checked_s = _took_s(lambda: list(problems(run)))
            yield _against("checking the file", checked_s, ran_s, 1)
            replayed_s = _took_s(lambda: reexecute(run, make()))
            yield _against("running its cells again", replayed_s, ran_s, 2)
            [(bytes_,)] = run.query("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            each = bytes_ / (RESIDENTS * STEPS)
            yield Row("bytes of a turn with three changes", f"{each:.0f}", "", each, 300, "B")


def _states(run: Run, repeats: int) -> Iterator[Row]:
    """Yield rows for the step that lies farthest behind its snapshot, and for the rate at which changes are folded."""
    kept = [step for (step,) in run.query("SELECT step FROM snapshots ORDER BY step")]
    last = run.last_step
    step = max(range(last + 1), key=lambda each: each - max(at for at in kept if at <= each))
    start = max(at for at in kept if at <= step)
    between = "SELECT count(*) FROM changes WHERE turn > (SELECT last_turn FROM steps WHERE step = ?) "
    [(changes,)] = run.query(f"{between} AND turn <= (SELECT last_turn FROM steps WHERE step = ?)", start, step)
    names = {"entities_at": entities_at, "run": run, "step": step}
    cost = medians_us({"state": way("entities_at(run, step)", **names)}, calls=1, repeats=repeats)["state"]
    yield Row(f"the farthest of {last:,} states", shown_us(cost), "", cost / 1e6, 1, "s")
    rate = changes / (cost / 1e6)
    yield Row("changes folded in a second", f"{rate:,.0f}", "", rate, 300_000, "/s", at_least=True)


def forks(repeats: int) -> Iterator[Row]:
    """Yield rows for a second world in memory, against ``copy.deepcopy`` of as many plain objects."""
    for size, most in SIZES.items():
        world = town(size)
        world.state_hash()
        plain = [PlainResident() for _ in range(size)]
        ways = {
            "fork": way("fork()", fork=world.fork),
            "deepcopy": way("deepcopy(plain)", deepcopy=copy.deepcopy, plain=plain),
        }
        costs = medians_us(ways, calls=1, repeats=min(repeats, 5 if size < 100_000 else 3))
        yield ratio(f"fork of a world of {size:,} entities", costs, "fork", "deepcopy", most)


def _against(what: str, ours_s: float, ran_s: float, most: float) -> Row:
    return Row(what, f"{ours_s:.1f} s", f"the run {ran_s:.1f} s", ours_s / ran_s, most)


def _took_s(act: object) -> float:
    started = time.thread_time()
    act()  # type: ignore[operator]
    return time.thread_time() - started
