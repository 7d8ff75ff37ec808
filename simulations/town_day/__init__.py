"""A day in the centre of Helsinki: residents live by need, hour and weather, and the mayor looks after the town."""

from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation, WorldError
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.dashboards import write_report as report
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.minds import minds_of
from cave_sim.simulations.town_day.heterogeneity import as_described, models_of
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.town_day.summary import summary
from cave_sim.worlds.feed import open_feed
from cave_sim.worlds.town import Resident, StreetMap, build_town, installed
from cave_sim.worlds.town.almanac import open_almanac
from cave_sim.worlds.town.contagion import open_health, share_ill
from cave_sim.worlds.town.names import key_of
from cave_sim.worlds.town.personas import Persona, draw_personas, read_personas
from cave_sim.worlds.town.society import Customs
from cave_sim.worlds.village import storage
from cave_sim.worlds.village.blueprint import SeedMemory

STEPS = 144
RESIDENTS = 25
START, STEP_S = "2012-06-01T06:00", 600.0
MOST_RESIDENTS = 100_000
OPTIONS = {
    "start": "world time of the first step, such as 2012-06-01T06:00; the weather follows the date",
    "step_s": "world seconds per step",
    "reads": "all, to journal every read of a field of others, also those that everybody may read",
    "map": "path of a map file of your own; by default the centre of Helsinki",
    "personas": "a .csv file with a line for each resident, or a folder of the Generative Agents study's storage",
    "marginals": "a .csv file variable,value,share,source: residents are drawn so that these shares hold",
    "sample": "with marginals: a .csv file of people, for what goes together",
    "biography": "a template for who has no biography: '$name is $age and works as $job.'",
    "feed": "a public feed for everybody, by how it ranks posts: friends_first, following, latest, popular",
    "phones": "yes, so that people write to each other, invite and promise; no, so that they talk to who is there",
    "earshot_m": "with phones: metres within which what is said is overheard; 0: by nobody",
    "illness": "chance that a resident falls ill on a day, from 0 to 1; a scripted assumption",
    "contagion": "with illness: chance that it is caught in an hour in the same place, from 0 to 1",
    "celebrations": "yes, so that people keep birthdays with their friends, and gather on Saturday afternoons",
    "without": "what residents with a language model do without, such as reflection,plans",
    "having": "what they have beyond that: questions, hours, rating",
}
__all__ = ["OPTIONS", "STEPS", "create", "models_of", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int | None = None,
    minds: str | None = None,
    start: str = START,
    step_s: Annotated[float, Field(ge=1, le=3600, title="Length of a step"), Unit("s")] = STEP_S,
    reads: Annotated[Literal["", "all"], Field(title="Reads kept in the journal")] = "",
    map: str | None = None,  # noqa: A002
    personas: str | None = None,
    marginals: str | None = None,
    sample: str | None = None,
    biography: str = "",
    feed: str | None = None,
    phones: Literal["no", "yes"] = "no",
    earshot_m: Annotated[float, Field(ge=0), Unit("m")] = 0.0,
    illness: Annotated[float, Field(ge=0, le=1, title="Chance to fall ill"), Unit("a day")] = 0.0,
    contagion: Annotated[float, Field(ge=0, le=1, title="Chance to catch it"), Unit("an hour")] = 0.0,
    celebrations: Literal["no", "yes"] = "no",
    without: str = "",
    having: str = "",
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a town ready to run.

    Args:
        seed: the same seed gives the same day, turn by turn.
        residents: how many people besides the mayor; None: as many as there are personas, else 25.
        minds: "scripted" for residents who think with the scripted model, over the path that a real one takes.
        start: world time of the first step.
        step_s: world seconds per step.
        reads: "all" journals every read of a field of others.
        map: path of a map file; None: the centre of Helsinki.
        personas: a file with a line for each resident.
        marginals: a file with shares that hold of those who are drawn.
        sample: a file of people, for what goes together in the marginals.
        biography: a template for who has none.
        feed: how a public feed ranks posts; None: there is no feed.
        phones: "yes" for people who keep in touch, see `worlds.town.neighbour`.
        earshot_m: with phones, metres within which what is said is overheard.
        illness: the chance that somebody falls ill at a dawn, see `worlds.town.health`.
        contagion: with illness, the chance that it is caught in an hour in the same place.
        celebrations: "yes" for birthdays and a weekly gathering, see `worlds.town.almanac`.
        without: faculties that minds do without, with commas.
        having: faculties that they have besides, with commas.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option is unknown or does not fit; the message lists those that there are.
    """
    people = _personas(seed, residents, personas, marginals, sample, biography)
    residents = _checked(residents if residents is not None else len(people or ()) or RESIDENTS)
    world = build_town(
        seed=seed,
        residents=residents,
        personas=people,
        step_s=step_s,
        start=start,
        street_map=None if map is None else StreetMap.load(map),
        record_reads=reads == "all",
        customs=_customs(phones, earshot_m),
    )
    if feed is not None:
        open_feed(world, feed)
    if contagion and not illness:
        raise WorldError("contagion is for an illness that comes from somewhere: give illness=0.05, say, as well.")
    if illness:
        open_health(world, illness, contagion)
    if celebrations == "yes":
        open_almanac(world)
    names = [person.id for person in world.all(Resident)]
    scripted = [(ScriptedMayor if name == "mayor" else ScriptedResident, name) for name in names]
    thinking = minds_of(names, run.get("llm"), minds, without=without, having=having, memories=_memories(personas))
    if thinking is not None:
        thinking = as_described(thinking, people or ())
    asked: dict[str, Any] = {
        "map": map,
        "personas": personas,
        "marginals": marginals,
        "sample": sample,
        "feed": feed,
        "reads": reads,
        "phones": phones if phones == "yes" else "",
        "earshot_m": earshot_m,
        "celebrations": celebrations if celebrations == "yes" else "",
        "illness": illness,
        "contagion": contagion,
    }
    asked |= {"biography": biography, "without": without, "having": having, "start": start * (start != START)}
    asked |= {"step_s": step_s * (step_s != STEP_S)}
    config = {"residents": residents} | {name: value for name, value in asked.items() if value}
    sketch = installed(world["town"].map_name).sketch()
    return Simulation(
        world,
        thinking.agents if thinking else scripted,
        measures=MEASURES | ({"ill (share)": share_ill} if illness else {}),
        config=config,
        **extended(run, manifest={"map": sketch}, llm=thinking.llm if thinking else None),
    )


def _personas(
    seed: int, residents: int | None, personas: str | None, marginals: str | None, sample: str | None, biography: str
) -> list[Persona] | None:
    """Return who moves in, if there is a file of people or of their shares."""
    if personas is not None and marginals is not None:
        raise WorldError("personas and marginals both say who moves in: give one of them.")
    if sample is not None and marginals is None:
        raise WorldError("sample says what goes together in the marginals: give those as well.")
    rng = RandomStream(seed, "personas")
    if personas is not None and storage.is_one(Path(personas)):
        return storage.personas(personas)
    if personas is not None:
        return read_personas(personas, rng, biography)
    if marginals is not None:
        return draw_personas(marginals, residents or RESIDENTS, rng, sample=sample, biography=biography)
    if biography:
        raise WorldError("biography is a template for personas: give personas or marginals as well.")
    return None


def _customs(phones: str, earshot_m: float) -> Customs | None:
    if phones == "no" and earshot_m:
        raise WorldError("earshot_m is for people who keep in touch: give phones=yes as well.")
    return Customs(earshot_m=earshot_m) if phones == "yes" else None


def _memories(personas: str | None) -> dict[str, list[SeedMemory]]:
    """Return what people remember who come from a folder of the study."""
    by_person = storage.memories(personas) if personas is not None and storage.is_one(Path(personas)) else {}
    return {
        key_of(name): [memory._replace(about=tuple(map(key_of, memory.about))) for memory in memories]
        for name, memories in by_person.items()
    }


def _checked(residents: int) -> int:
    if residents > MOST_RESIDENTS:
        raise WorldError(
            f"residents={residents:,}: each has a mind and a memory of its own, and {MOST_RESIDENTS:,} are the most;"
            " city_day has a crowd in the background for more."
        )
    return residents
