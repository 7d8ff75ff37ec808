"""A reporter, a fact-checker and an editor make a paper of a day in the town, by a workflow.

The day is a run: one that is there, or a small one that is lived first. Nobody of the three has seen it but by its log.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

from cave_sim import Simulation, World, open_run
from cave_sim.dashboards import write_report as report
from cave_sim.models import ScriptedModel
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulation.schedulers import Only
from cave_sim.simulations import town_day
from cave_sim.simulations.newsroom.desk import DESK, NEWSROOM, THE_LOG, DayLog, Journalist, PrintedPaper, log_of
from cave_sim.simulations.newsroom.script import reply
from cave_sim.simulations.newsroom.summary import summary
from cave_sim.workflow.agent import WorkflowAgent

STEPS = 7
OPTIONS = {"over": "folder of the run that is written about; a small day in the town, lived first, unless given"}
LIVED, RESIDENTS = 60, 3
"""Steps of that day, and its residents."""
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def articles(world: World) -> float:
    """Return how many articles are printed."""
    return float(len(world["paper"].articles))


def create(*, seed: int, over: str = "", **run: Unpack[ModelRunOptions]) -> Simulation:
    """Return the three and the desk that has them work together.

    Args:
        seed: of the world, and of the day that is lived where no run is given.
        over: folder of the run that is written about.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        JournalError: there is no run in that folder.
    """
    lines, evening = _log(over) if over else _lived(seed)
    world = World(seed=seed, start=evening)
    world.add("log", DayLog(lines=list(lines)))
    world.add("paper", PrintedPaper())

    def people(simulation: Simulation) -> list[Agent]:
        begin = "\n".join([THE_LOG, *lines])
        desk = WorkflowAgent(simulation, DESK, workflow=NEWSROOM, begin=begin)
        return [*(Journalist(simulation, name) for name in ("checker", "editor", "reporter")), desk]

    simulation = Simulation(
        world,
        people,
        measures={"articles": articles},
        **extended(run, scheduler=Only((DESK,)), llm=ScriptedModel(reply)),
    )
    desk: WorkflowAgent = simulation.by_name[DESK]
    desk.validate()
    return simulation


def _log(folder: str | Path) -> tuple[tuple[str, ...], datetime]:
    """Return the log of a run, and when it ended: the paper is made then."""
    with open_run(folder) as run:
        passed_s = float(run.manifest["step_s"]) * (run.last_step + 1)
        return log_of(run), datetime.fromisoformat(run.manifest["start"]) + timedelta(seconds=passed_s)


@lru_cache(8)
def _lived(seed: int) -> tuple[tuple[str, ...], datetime]:
    """Live a small day, and return its log and its end."""
    with TemporaryDirectory(prefix="cave-sim-day-") as folder:
        town_day.create(seed=seed, residents=RESIDENTS, out=Path(folder) / "day").run(until=LIVED).close()
        return _log(Path(folder) / "day")
