"""A town with a newspaper: an editor writes each day's paper from the run's journal, and it opens beside the report.

The residents follow their scripts. The editor is a mind, by default with a scripted model; its cell holds headlines and
live objects, and `render` makes the paper of them, so that tables and charts cost it nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Unit
from pydantic import Field

from cave_sim import Agent, Simulation
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.dashboards import write_report as report
from cave_sim.models import Budgets, Model, ScriptedModel
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.press import open_press
from cave_sim.simulation.schedulers import Scheduler
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.town_gazette.editor import Desk, Editor, reply
from cave_sim.simulations.town_gazette.summary import summary
from cave_sim.worlds.town import Resident, build_town, installed

STEPS = 144
OPTIONS = {
    "start": "world time of the first step, such as 2012-06-01T06:00",
    "edition_h": "hour of the day at which the paper is made",
    "format": "html, markdown, latex, docx or json",
}
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int = 12,
    out: str | Path | None = None,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    scheduler: Scheduler | None = None,
    llm: Model | None = None,
    budgets: Budgets | None = None,
    start: str = "2012-06-01T06:00",
    edition_h: Annotated[float, Field(ge=0, lt=24, title="Hour of the edition"), Unit("h")] = 20.0,
    format: str = "html",  # noqa: A002
) -> Simulation:
    """Return a town and its editor.

    Args:
        seed: the same seed and the same replies give the same days and papers.
        residents: how many people besides the mayor.
        out: folder of the run, in which the papers lie; None keeps no journal, so that papers tell of no news.
        manifest: what the run is to say of how it was made.
        observers: told of every step and turn.
        scheduler: who acts when.
        llm: the language model that the editor asks; None for the script of this simulation.
        budgets: what may be spent on it.
        start: world time of the first step.
        edition_h: hour of the day at which the paper is made.
        format: of the papers.

    Raises:
        WorldError: an option does not fit.
    """
    world = build_town(seed=seed, residents=residents, start=start)
    printing = open_press(world, word=format == "docx")
    world.add("desk", Desk(edition_h=edition_h, format=format))
    world.grant("editor", "desk")

    def people(simulation: Simulation) -> list[Agent]:
        names = [person.id for person in world.all(Resident)]
        scripted = [(ScriptedMayor if name == "mayor" else ScriptedResident)(simulation, name) for name in names]
        return [*scripted, Editor(simulation, "editor")]

    return Simulation(
        world,
        people,
        scheduler=scheduler,
        out=out,
        observers=[printing, *observers],
        measures=MEASURES,
        config={"residents": residents, "start": start, "edition_h": edition_h, "format": format},
        manifest={"map": installed(world["town"].map_name).sketch(), **(manifest or {})},
        llm=llm or ScriptedModel(reply),
        budgets=budgets,
    )
