"""Making one district of the city as a simulation, in whichever process it is to be."""

from pathlib import Path
from typing import Any

from cave_sim import Simulation, open_run
from cave_sim.districts import Action, District
from cave_sim.journal.store import DATABASE, Folder
from cave_sim.models import Cassette, Model, RecordedModel, ScriptedModel
from simulations.city_day.citizens import CitizenMind, ScriptedCitizen, reply
from worlds.city import Citizen, CityBorders, build_district, demote, helsinki_in, promote
from worlds.city.money import total_cents
from worlds.city.promotion import people_in_crowd

ACTIONS: dict[str, Action] = {
    "promote": promote,
    "demote": demote,
    "crowd": people_in_crowd,
    "residents": lambda simulation: [person._name for person in simulation.world.all(Citizen)],
    "money_cents": lambda simulation: total_cents(simulation.world),
    "sky": lambda simulation: simulation.world["weather"].kind,
    "book": lambda simulation: dict(simulation.world["ledger"].totals),
    "session_rows": lambda simulation, name: simulation.by_name[name].session.to_rows(0),
    "observe": lambda simulation, name: simulation.world.observe(name),
    "execute": lambda simulation, code, agent: simulation.world.execute(code, agent).output,
}


def folder_of(out: str | Path, number: int) -> Path:
    """Return where a district keeps its journal."""
    return Path(out) / f"district-{number}"


def make(
    number: int,
    *,
    build: dict[str, Any],
    out: str | None = None,
    minds: str | None = None,
    replay: str | None = None,
    llm: Model | None = None,
) -> District:
    """Return a district ready to be stepped.

    Args:
        number: which one.
        build: arguments of :func:`worlds.city.build_district`.
        out: folder of the city's run; None keeps no journals.
        minds: "scripted" for residents who think with the scripted model; None for scripted residents.
        replay: folder of a city's run whose recorded replies answer.
        llm: the language model that residents think with.
    """
    world = build_district(number, **build)
    model = llm or (_recorded(replay) if replay else ScriptedModel(reply) if minds else None)
    manifest = {"simulation": "city_day.district", "district": number}
    simulation = Simulation(
        world,
        cast={Citizen: CitizenMind if model is not None else ScriptedCitizen},
        out=None if out is None else Folder(str(folder_of(out, number)), manifest),
        config={**build, "district": number},
        llm=model,
    )
    return District(number, simulation, CityBorders(helsinki_in(build["districts"])), ACTIONS)


def _recorded(replay: str) -> Model:
    """Return who answers as in a run, with the calls of all its districts."""
    found: list[Any] = []
    for folder in sorted(Path(replay).glob("district-*")):
        if (folder / DATABASE).is_file():
            with open_run(folder) as run:
                found += list(run.calls())
    return RecordedModel(Cassette(found))
