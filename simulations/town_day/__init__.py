"""A day in the centre of Helsinki: residents live by need, hour and weather, and the mayor looks after the town."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim import Simulation, WorldError
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.dashboards import write_report as report
from cave_sim.models import Budgets, Model
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.schedulers import Scheduler
from cave_sim.simulations.minds import minds_of
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.town_day.summary import summary
from cave_sim.worlds.town import Resident, StreetMap, build_town, installed

STEPS = 144
MOST_RESIDENTS = 100_000
OPTIONS = {
    "start": "world time of the first step, such as 2012-06-01T06:00; the weather follows the date",
    "step_s": "world seconds per step (600)",
    "map": "path of a map file of your own; by default the centre of Helsinki",
    "without": "what residents with a language model do without, such as reflection,plans",
}
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int = 25,
    out: str | Path | None = None,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    scheduler: Scheduler | None = None,
    llm: Model | None = None,
    budgets: Budgets | None = None,
    minds: str | None = None,
    **options: str,
) -> Simulation:
    """Return a town ready to run.

    Args:
        seed: the same seed gives the same day, turn by turn.
        residents: how many people besides the mayor.
        out: folder of the run; None keeps no journal.
        manifest: what the run is to say of how it was made.
        observers: told of every step and turn.
        scheduler: who acts when; by default one after another, in a new random order each step.
        llm: the language model that residents think with; None: they follow scripted urges, and ask no model.
        budgets: what may be spent on it.
        minds: "scripted" for residents who think with the scripted model, over the path that a real one takes.
        options: see `OPTIONS`.

    Raises:
        WorldError: an option is unknown or does not fit; the message lists those that there are.
    """
    unknown = options.keys() - OPTIONS.keys()
    if unknown:
        raise WorldError(f"town_day has no option {min(unknown)!r}; it takes {', '.join(OPTIONS)}.")
    world = build_town(
        seed=seed,
        residents=_checked(residents),
        step_s=_step_s(options.get("step_s", "600")),
        start=options.get("start", "2012-06-01T06:00"),
        street_map=StreetMap.load(options["map"]) if "map" in options else None,
    )
    people = [person.id for person in world.all(Resident)]
    scripted = [(ScriptedMayor if name == "mayor" else ScriptedResident, name) for name in people]
    thinking = minds_of(people, llm, minds, without=options.get("without", ""))
    config = {"residents": residents, **options}
    sketch = installed(world["town"].map_name).sketch()
    return Simulation(
        world,
        thinking.agents if thinking else scripted,
        scheduler=scheduler,
        out=out,
        observers=observers,
        measures=MEASURES,
        config=config,
        manifest={"map": sketch, **(manifest or {})},
        llm=thinking.llm if thinking else None,
        budgets=budgets,
    )


def _checked(residents: int) -> int:
    if residents < 1:
        raise WorldError(f"residents={residents}: a town needs at least 1 resident besides its mayor.")
    if residents > MOST_RESIDENTS:
        raise WorldError(
            f"residents={residents:,}: each has a mind and a memory of its own, and {MOST_RESIDENTS:,} are the most;"
            " city_day has a crowd in the background for more."
        )
    return residents


def _step_s(text: str) -> float:
    try:
        step_s = float(text)
    except ValueError:
        step_s = 0.0
    if not 1 <= step_s <= 3600:
        raise WorldError(f"step_s={text!r}: a step of the town takes from 1 to 3600 seconds.")
    return step_s
