"""Runs one engine over the peers' cells and prints its costs as a line of JSON; see `peers`."""

import asyncio
import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.cells import FOUR_LINES, HUNDRED_LINES, TRIVIAL, new_cells
from tests.bench.plain import PlainResident

KINDS = {"trivial": TRIVIAL, "4 lines": FOUR_LINES, "100 lines": HUNDRED_LINES}
CELLS = 1_000
CELLS_TO_WARM_UP = 10_000  # so that every cache, of code and of the database, is full
CELLS_FOR_GROWTH = 10_000
TURNS_A_STEP = 25

RunAll = Callable[[list[str]], None]


def measure(run_all: RunAll) -> dict[str, float]:
    """Return the KiB that new cells leave behind, and CPU µs a cell for each kind."""
    run_all(list(new_cells(CELLS_TO_WARM_UP, 0, FOUR_LINES)))
    return {"growth_kib": growth_kib(run_all)} | {kind: cost_us(run_all, template) for kind, template in KINDS.items()}


def cost_us(run_all: RunAll, template: str) -> float:
    """Return the CPU time of one new cell, of all threads of the process."""
    cells = list(new_cells(CELLS, 100_000, template))
    started_s = time.process_time()
    run_all(cells)
    return (time.process_time() - started_s) / CELLS * 1e6


def growth_kib(run_all: RunAll) -> float:
    """Return how much resident memory grows over many new cells, garbage collected."""
    gc.collect()
    before_kib = resident_kib()
    for start in range(10_000, 10_000 + CELLS_FOR_GROWTH, CELLS):
        run_all(list(new_cells(CELLS, start, FOUR_LINES)))
    gc.collect()
    return resident_kib() - before_kib


def resident_kib() -> float:
    """Return the resident memory of this process; where the system does not tell, its peak."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def cave_sim(folder: str) -> RunAll:
    """Return our engine as a simulation drives it: guards, deadlines, changes, and a commit every 25 turns."""
    from cave_sim.journal.writer import Journal
    from tests.bench.subjects import town

    world = town()
    journal = Journal.begin(Path(folder) / "run", {})
    world.sink = journal.add

    def run_all(cells: list[str]) -> None:
        for start in range(0, len(cells), TURNS_A_STEP):
            for cell in cells[start : start + TURNS_A_STEP]:
                turn = world.execute(cell, agent="ann")
                if not turn.committed:
                    raise RuntimeError(turn.error)
            world.advance()
            journal.commit(world.clock.step, world.clock.time_s, world.state_hash(), {})

    return run_all


def cave_agent(*, with_rules: bool) -> RunAll:
    """Return cave-agent's in-process runtime with `me` injected, awaited as its agent loop awaits it."""
    from cave_agent.runtime import IPythonRuntime, Variable

    checker = documented_checker() if with_rules else None
    runtime = IPythonRuntime(variables=[Variable("me", PlainResident(), "you")], security_checker=checker)

    async def run_all(cells: list[str]) -> None:
        for cell in cells:
            result = await runtime.execute(cell)
            if result.error:
                raise result.error

    return lambda cells: asyncio.run(run_all(cells))


def documented_checker() -> object:
    """Return a checker with the rules that the docstring of cave-agent's SecurityChecker shows."""
    from cave_agent.security import AttributeRule, FunctionRule, ImportRule, RegexRule, SecurityChecker

    modules = "os subprocess sys shutil pathlib socket urllib http ctypes gc csv"
    functions = "eval exec compile open input raw_input exit quit __import__ globals locals breakpoint"
    attributes = (
        "__globals__ __locals__ __code__ __closure__ __defaults__ __dict__ __class__ __bases__ __mro__ "
        "__subclasses__ __import__ __builtins__"
    )
    return SecurityChecker(
        [
            ImportRule(set(modules.split())),
            FunctionRule(set(functions.split())),
            AttributeRule(set(attributes.split())),
            RegexRule(r"delete", "Detects forbidden statements"),
        ]
    )


def main(engine: str) -> None:
    """Measure one engine."""
    with tempfile.TemporaryDirectory() as folder:
        run_all = cave_sim(folder) if engine == "cave_sim" else cave_agent(with_rules=engine.endswith("rules"))
        print(json.dumps(measure(run_all)))


if __name__ == "__main__":
    main(sys.argv[1])
