"""A day in the centre of Helsinki: residents live by need, hour and weather, and the mayor looks after the town."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim import Simulation, WorldError
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.dashboards import write_report as report
from cave_sim.models import Budgets, Model
from cave_sim.random_streams import RandomStream
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.schedulers import Scheduler
from cave_sim.simulations.minds import minds_of
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.town_day.summary import summary
from cave_sim.worlds.feed import open_feed
from cave_sim.worlds.town import Resident, StreetMap, build_town, installed
from cave_sim.worlds.town.personas import Persona, draw_personas, read_personas

STEPS = 144
RESIDENTS = 25
MOST_RESIDENTS = 100_000
OPTIONS = {
    "start": "world time of the first step, such as 2012-06-01T06:00; the weather follows the date",
    "step_s": "world seconds per step (600)",
    "reads": "all, to journal every read of a field of others, also those that everybody may read",
    "map": "path of a map file of your own; by default the centre of Helsinki",
    "personas": "a .csv file with a line for each resident: name, age, job, traits, biography, ...",
    "marginals": "a .csv file variable,value,share,source: residents are drawn so that these shares hold",
    "sample": "with marginals: a .csv file of people, for what goes together",
    "biography": "a template for who has no biography: '$name is $age and works as $job.'",
    "feed": "a public feed for everybody, by how it ranks posts: friends_first, following, latest, popular",
    "without": "what residents with a language model do without, such as reflection,plans",
}
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int | None = None,
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
        residents: how many people besides the mayor; None: as many as there are personas, else 25.
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
    personas = _personas(seed, residents, options)
    residents = _checked(residents if residents is not None else len(personas or ()) or RESIDENTS)
    world = build_town(
        seed=seed,
        residents=residents,
        personas=personas,
        step_s=_step_s(options.get("step_s", "600")),
        start=options.get("start", "2012-06-01T06:00"),
        street_map=StreetMap.load(options["map"]) if "map" in options else None,
        record_reads=_records_reads(options.get("reads", "")),
    )
    if "feed" in options:
        open_feed(world, options["feed"])
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


def _records_reads(reads: str) -> bool:
    if reads not in ("", "all"):
        raise WorldError(f"reads={reads!r}: takes all, or is left away.")
    return reads == "all"


def _personas(seed: int, residents: int | None, options: Mapping[str, str]) -> list[Persona] | None:
    """Return who moves in, if the options name a file of people or of their shares."""
    if "personas" in options and "marginals" in options:
        raise WorldError("personas and marginals both say who moves in: give one of them.")
    if "sample" in options and "marginals" not in options:
        raise WorldError("sample says what goes together in the marginals: give those as well.")
    rng, biography = RandomStream(seed, "personas"), options.get("biography", "")
    if "personas" in options:
        return read_personas(options["personas"], rng, biography)
    if "marginals" in options:
        sample = options.get("sample")
        return draw_personas(options["marginals"], residents or RESIDENTS, rng, sample=sample, biography=biography)
    if biography:
        raise WorldError("biography is a template for personas: give personas or marginals as well.")
    return None


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
