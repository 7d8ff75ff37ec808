"""Runs one engine over the peers' cells and prints its costs as a line of JSON; see `peers`."""

import asyncio
import gc
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

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


def smolagents() -> RunAll:
    """Return smolagents' executor of the code of its agents, with `me` among its variables."""
    from smolagents.local_python_executor import LocalPythonExecutor

    executor = LocalPythonExecutor([])
    executor.send_tools({})
    executor.send_variables({"me": PlainResident()})

    def run_all(cells: list[str]) -> None:
        for cell in cells:
            executor(cell)

    return run_all


def agent_society() -> RunAll:
    """Return how AgentSociety 2 runs the code that its router had written: the check of its safety, then Python."""
    os.environ |= {"AGENTSOCIETY_LLM_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}  # it asks for one
    from agentsociety2.env import router_codegen

    known = router_codegen.CodeGenRouter
    names = {name: getattr(known, name) for name in dir(known) if name.isupper()}
    router, stage = SimpleNamespace(_modules={"me": PlainResident()}, **names), router_codegen.CodeStage

    async def run_all(cells: list[str]) -> None:
        for cell in cells:
            code = f"me = modules['me']\n{cell}"
            is_safe, reason = stage._validate_code_safety(router, code)
            result = await stage._execute_code(router, code, {}, False)
            if not (is_safe and result["success"]):
                raise RuntimeError(reason or result["error"])

    return lambda cells: asyncio.run(run_all(cells))


def plain_python() -> RunAll:
    """Return what compiles and runs cells, and no more."""
    names = {"me": PlainResident()}

    def run_all(cells: list[str]) -> None:
        for cell in cells:
            exec(compile(cell, "<cell>", "exec"), names)

    return run_all


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
        engines: dict[str, Callable[[], RunAll]] = {
            "cave_sim": partial(cave_sim, folder),
            "cave-agent": partial(cave_agent, with_rules=False),
            "cave-agent with its rules": partial(cave_agent, with_rules=True),
            "smolagents": smolagents,
            "AgentSociety 2": agent_society,
            "plain Python": plain_python,
        }
        print("\n" + json.dumps(measure(engines[engine]())))


if __name__ == "__main__":
    main(sys.argv[1])
