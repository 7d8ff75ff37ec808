"""Long documents, four kinds, written by three strategies and by plan, in windows that are more or less full.

After the evaluation of Gen-Pilot: an evaluation of papers, an API reference, minutes, a data report. The models are
scripted and stall by the paper's curve, with the longest output that its equation lacks; they write what they are asked
for. So what comes out follows from the formulas, and says nothing about any real model.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Unit
from pydantic import Field

from cave_sim import Agent, Simulation, World, WorldError
from cave_sim.capacity.degradation import PAPER_FITS
from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.capacity.stalling_model import StallingModel
from cave_sim.models import Budgets, Model
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.press import open_press
from cave_sim.simulation.schedulers import Scheduler, Sequential
from cave_sim.simulations.report_writing.documents import task
from cave_sim.simulations.report_writing.summary import summary
from cave_sim.simulations.report_writing.writers import COUNTER, METHODS, Author, ReportWriter, script

STEPS = 4
OCCUPANCIES = (0.2, 0.45, 0.7, 0.85)
OPTIONS = {
    "curve": "whose degradation the model has: claude, gpt-4o or llama, as the paper prints them",
    "longest": "the longest output of the model, in tokens; 0 for none, as in the paper's equation",
    "window": "of the model, in tokens",
}
__all__ = ["OPTIONS", "STEPS", "ReportWriter", "create", "summary"]


def create(
    *,
    seed: int,
    out: str | Path | None = None,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    scheduler: Scheduler | None = None,
    llm: Model | None = None,
    budgets: Budgets | None = None,
    curve: str = "claude",
    longest: Annotated[int, Field(ge=0, title="Longest output"), Unit("tokens")] = 8_192,
    window: Annotated[int, Field(ge=10_000), Unit("tokens")] = 200_000,
) -> Simulation:
    """Return writers, one for each method and occupancy; each step is one kind of document.

    Args:
        seed: the same seed gives the same documents.
        out: folder of the run; None keeps no journal.
        manifest: what the run is to say of how it was made.
        observers: told of every step and turn.
        scheduler: who acts when.
        llm: the language model that all ask; None for the scripted one that stalls.
        budgets: what may be spent on it.
        curve: whose degradation the model has.
        longest: the longest output of the model; 0 for none.
        window: of the model.
    """
    if curve not in PAPER_FITS:
        raise WorldError(f"curve={curve}: there are {', '.join(PAPER_FITS)}")
    limits = OutputLimits(PAPER_FITS[curve], longest or None, None, f"scripted/{curve}", window)
    world = World(seed=seed)
    printing = open_press(world)
    world.inject("measured", dict(task("data", seed).objects), about="what was measured: tables and charts by name")
    world.inject("interface", task("api", seed).objects["endpoints"], about="the endpoints, with what each takes")
    for method in METHODS:
        for occupancy in OCCUPANCIES:
            world.add(f"{method}_{round(100 * occupancy)}", ReportWriter(method=method, occupancy=occupancy))

    def authors(simulation: Simulation) -> list[Agent]:
        agents = []
        for writer in world.all(ReportWriter):
            author = Author(simulation, writer.id)
            author.limits = limits
            agents.append(author)
        return agents

    return Simulation(
        world,
        authors,
        scheduler=scheduler or Sequential(),
        out=out,
        observers=[printing, *observers],
        measures={f"{method}: documents done": partial(_done, method) for method in METHODS},
        config={"curve": curve, "longest": longest, "window": window},
        manifest=manifest,
        llm=llm or StallingModel(script(seed), limits, counter=COUNTER),
        budgets=budgets,
    )


def _done(method: str, world: World) -> int:
    return sum(each["done"] for one in world.all(ReportWriter) if one.method == method for each in one.results.values())
