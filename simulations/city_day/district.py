"""Making one district of the city as a simulation, in whichever process it is to be."""

import os
from functools import partial
from typing import Any

from cave_sim import Simulation
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.models import Model, ScriptedModel
from cave_sim.models.from_cli import ModelChoice
from cave_sim.sharding.shard import Action, Shard, folder_of
from cave_sim.simulations.city_day.citizens import LLMCitizen, ScriptedCitizen, reply
from cave_sim.simulations.city_day.looks import looks
from cave_sim.worlds.city import Citizen, CityBorders, build_district, demote, helsinki_in, promote
from cave_sim.worlds.city.money import total_cents
from cave_sim.worlds.city.promotion import people_in_crowd

ACTIONS: dict[str, Action] = {
    "process": lambda simulation: os.getpid(),
    "promote": promote,
    "demote": demote,
    "crowd": people_in_crowd,
    "residents": lambda simulation: [person.id for person in simulation.world.all(Citizen)],
    "money_cents": lambda simulation: total_cents(simulation.world),
    "sky": lambda simulation: simulation.world["weather"].kind,
    "book": lambda simulation: dict(simulation.world["ledger"].totals),
    "session_rows": lambda simulation, name: simulation.by_name[name].session.to_rows(0),
    "observe": lambda simulation, name: simulation.world.observe(name),
    "execute": lambda simulation, code, agent: simulation.world.execute(code, agent).output,
}


def make(
    number: int,
    *,
    build: dict[str, Any],
    out: str | None = None,
    minds: str | None = None,
    replay: str | None = None,
    llm: Model | None = None,
) -> Shard:
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
    model = llm or (ModelChoice(replay=replay).open() if replay else ScriptedModel(reply) if minds else None)
    manifest = {"simulation": "city_day.district", "district": number, **looks(build["districts"])}
    simulation = Simulation(
        world,
        agent_factories={Citizen: LLMCitizen if model is not None else ScriptedCitizen},
        out=None if out is None else folder_of(out, number),
        manifest=manifest,
        config={**build, "district": number},
        llm=model,
    )
    make_host = partial(_make_host, {"number": number, **build}, simulation)
    return Shard(number, simulation, CityBorders(helsinki_in(build["districts"])), ACTIONS, make_host)


def _make_host(build: dict[str, Any], simulation: Simulation, require: str) -> ProcessHost:
    return ProcessHost("cave_sim.worlds.city.build:build_district", build, require=require, note=simulation.note)
