"""A day in Hollinweir, a village of 24 drawn in tiles; or in the town of the Generative Agents study."""

from pathlib import Path
from typing import Annotated, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation, WorldError
from cave_sim.dashboards import write_report as report
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.minds import minds_of
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.town_day.summary import summary
from cave_sim.simulations.village_day.villager import VillageMayor, Villager
from cave_sim.worlds.town import Mayor, Resident
from cave_sim.worlds.village import Blueprint, build_village, generative_agents, hollinweir, load

STEPS = 288
OPTIONS = {
    "source": "a village file of your own, or a folder of the Generative Agents study; by default Hollinweir",
    "start": "world time of the first step, such as 2012-06-01T04:00; the weather follows the date",
    "step_s": "world seconds per step",
    "without": "what villagers with a language model do without, such as reflection,plans",
    "having": "what they have beyond that: questions, hours, rating",
}
START, STUDY_START = "2012-06-01T04:00", "2023-02-13T00:00"  # before the baker rises; when the study's story begins
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int | None = None,
    source: str | Path | None = None,
    start: str | None = None,
    step_s: Annotated[float, Field(ge=1, le=3600, title="Length of a step"), Unit("s")] = 300.0,
    minds: str | None = None,
    without: str = "",
    having: str = "",
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a village ready to run.

    Args:
        seed: the same seed gives the same day, turn by turn.
        residents: at most so many of the village's people move in; None: all of them.
        source: a village file, or a folder with the Generative Agents data; None: Hollinweir.
        start: world time of the first step.
        step_s: world seconds per step, 1 to 3600.
        minds: "scripted" for villagers who think with the scripted model, over the path that a real one takes.
        without: faculties that such minds do without, with commas.
        having: faculties that they have beyond those that minds usually have, with commas.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option does not fit, or the source breaks a rule of its format.
    """
    plan, is_study = _plan(source)
    start = start or plan.start or (STUDY_START if is_study else START)
    world = build_village(plan, seed=seed, residents=_at_least_one(residents), step_s=step_s, start=start)
    people = world.all(Resident)
    scripted = [(VillageMayor if isinstance(person, Mayor) else Villager, person.id) for person in people]
    mayors = [person.id for person in people if isinstance(person, Mayor)]
    names = [person.id for person in people]
    thinking = minds_of(
        names, run.get("llm"), minds, mayors=mayors, without=without, having=having, memories=plan.memories
    )
    config = {
        "simulation": "village_day",
        "village": plan.tiles.name,
        "residents": len(people),
        "start": start,
        "step_s": world.step_s,
    } | ({} if source is None else {"source": str(source)})
    return Simulation(
        world,
        thinking.agents if thinking else scripted,
        measures=MEASURES,
        config=config,
        **extended(run, manifest={"map": plan.tiles.sketch()}, llm=thinking.llm if thinking else None),
    )


def _plan(source: str | Path | None) -> tuple[Blueprint, bool]:
    """Return the village of a source, and whether it is one of the Generative Agents study."""
    if source is None:
        return hollinweir(), False
    is_study = not Path(source).is_file()
    return (generative_agents.load(source) if is_study else load(source)), is_study


def _at_least_one(residents: int | None) -> int | None:
    if residents is not None and residents < 1:
        raise WorldError(f"residents={residents}: a village needs at least 1 resident.")
    return residents
