"""A pipeline hands over a table, a fitted model and a figure: as the objects they are, then as text, to compare.

A chief has a cleaner, a modeller and a reporter work one after another, within one of its cells (CaveAgent, App. E.2).
In the first step it retrieves a native object from one and injects it into the next. In the second it does the same
work as agents do that send messages: whoever gives something prints it and says it, whoever gets it reads it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack

import numpy as np
import pandas as pd
from pydantic import Field

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.agents.meta import MINDS, RUNTIMES, Assistant, LLMMetaAgent
from cave_sim.llm_agent.habits import Habits
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.pipeline.script import reply
from cave_sim.simulations.pipeline.summary import summary
from cave_sim.simulations.pipeline.tools import LeastSquares, line_chart

STEPS = 2
OPTIONS = {"days": "rows of the raw table"}
ROLE = "You lead a pipeline of cleaner, modeller and reporter. You have one job in each step, done in one cell."
JOBS = (
    """By reference: ask the cleaner for `clean`, made of `raw` without gaps and slips; hand it to the modeller and ask
for `model`, a fitted LeastSquares of cups over warm_c; hand both to the reporter and ask for `figure`, a line_chart.
Hand over objects: retrieve them from one, inject them into the next. Put what came of it into `by_reference`.""",
    """By text: have the cleaner make `clean` of `raw` without gaps and slips, the modeller a LeastSquares of cups over
warm_c, the reporter a line_chart, and retrieve and inject nothing: ask each to print what it made as JSON and to say
it, and put it into your question to the next. Put what came of it into `by_text`.""",
)
"""What the chief is told in each step, and no sooner."""
__all__ = ["OPTIONS", "STEPS", "Delivery", "Stage", "create", "summary"]


class Stage(Entity):
    """One stage of the pipeline; its variables are its bench."""


class Worker(Assistant):
    """Does the work of a stage, and looks up what it needs of a tool."""

    habits: Habits = replace(Assistant.habits, menu=True)


class Delivery(Entity):
    """What came out of the pipeline."""

    rows: int = field(0, ge=0, about="of the clean table")
    slope: float = field(0.0, about="cups more for each degree")
    points: int = field(0, ge=0, about="that the figure shows")
    types: list[str] = field([], about="of the table, the model and the figure, as they arrived")


class PipelineChief(LLMMetaAgent):
    """Leads the pipeline: is told of a job when it is due."""

    def perceive(self, observation: Mapping[str, Any]) -> str:
        """Return the job of this step."""
        return JOBS[observation["step"]] if observation["step"] < len(JOBS) else "All jobs are done."


def create(
    *,
    seed: int,
    days: Annotated[int, Field(ge=10, le=150, title="Rows of the table")] = 100,
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a pipeline of three stages and a chief.

    Args:
        seed: the same seed and the same replies give the same work, turn by turn.
        days: rows of the raw table; more than 150 cannot be handed over as text, because outputs that long are cut.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.
    """
    world = World(seed=seed)
    for name in ("by_reference", "by_text"):
        world.add(name, Delivery())
    for name in ("cleaner", "modeller", "reporter"):
        world.add(name, Stage())
    world.inject("raw", _raw(seed, days), about="cups of coffee sold each day, with gaps and slips of the pen")
    world.inject("LeastSquares", LeastSquares)
    world.inject("line_chart", line_chart)
    world.grant("chief", "*")

    def chief(simulation: Simulation) -> list[Agent]:
        habits = replace(LLMMetaAgent.habits, menu=True, until_landed=True)
        return [PipelineChief(simulation, "chief", role=ROLE, calls=(*RUNTIMES, *MINDS), habits=habits)]

    return Simulation(
        world,
        chief,
        agent_factories={Stage: Worker},
        config={"days": days},
        **extended(run, llm=ScriptedModel(reply)),
    )


def _raw(seed: int, days: int) -> pd.DataFrame:
    """Return sales that fall with the temperature, some of them missing and some a hundred times too high."""
    rng = np.random.default_rng(seed)
    warm_c = rng.normal(12, 8, days).round(1)
    cups = (140 - 2.5 * warm_c + rng.normal(0, 6, days)).round()
    cups[rng.random(days) < 0.05] *= 100
    cups[rng.random(days) < 0.05] = np.nan
    return pd.DataFrame({"day": np.arange(days), "warm_c": warm_c, "cups": cups})
