"""A thousand minds behind a server: what a call costs here, and what a step takes beside the server's own time."""

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim import Simulation, World
from cave_sim.agents.resident import LLMResident
from cave_sim.models import ESTIMATE, Model, ScriptedModel
from cave_sim.models.from_cli import ModelChoice
from tests.bench.fake_provider import TEXT, provider
from tests.bench.minds import CROWD, Neighbour
from tests.bench.table import Row

LATENCY_S, SPREAD_S = 1.0, 0.25
STEPS = 3
MOST_CPU_MS, MOST_BESIDE_S = 2.0, 1.5


def crowd(llm: Model, out: Path) -> Simulation:
    """Return a world of minds that all ask in every step, and keep a journal."""
    world = World(seed=1)
    for number in range(CROWD):
        world.add(f"n{number}", Neighbour())
    minds = [(LLMResident, f"n{number}") for number in range(CROWD)]
    return Simulation(world, minds, llm=llm, out=out, host="local")  # what is timed are the calls


def step_costs(llm: Model, out: Path) -> tuple[float, float]:
    """Return the seconds of a step and of its CPU: the best of some, behind a first one that opens connections."""
    simulation = crowd(llm, out)
    simulation.step()
    costs = []
    for _ in range(STEPS):
        started_s, cpu_s = time.perf_counter(), time.process_time()
        simulation.step()
        costs.append((time.perf_counter() - started_s, time.process_time() - cpu_s))
    simulation.close()
    assert simulation.world["n0"].energy == 0.25, "nobody was answered"
    return min(took_s for took_s, _ in costs), min(cpu_s for _, cpu_s in costs)


def servers(_repeats: int) -> Iterator[Row]:
    """Yield rows for a crowd behind a server that thinks a second, beside one with a model in the process."""
    with TemporaryDirectory() as folder, provider(LATENCY_S, SPREAD_S) as url:
        here_s, here_cpu_s = step_costs(ScriptedModel(lambda request: TEXT, counter=ESTIMATE), Path(folder) / "here")
        served = ModelChoice("openai/test", api_base=url).open()
        assert served is not None
        there_s, there_cpu_s = step_costs(served, Path(folder) / "there")
    cpu_ms = (there_cpu_s - here_cpu_s) / CROWD * 1_000
    told = f"{there_cpu_s:.2f} s of a step", f"in the process {here_cpu_s:.2f} s"
    yield Row(f"CPU of a call to a server, {CROWD:,} at once", *told, cpu_ms, MOST_CPU_MS, "ms")
    beside_s = there_s - here_s - LATENCY_S
    told = f"{there_s:.2f} s", f"in the process {here_s:.2f} s"
    yield Row(f"a step of {CROWD:,} minds, beside 1 s of latency and the cells", *told, beside_s, MOST_BESIDE_S, "s")
