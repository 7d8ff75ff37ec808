"""One resident means to give a party and to invite everybody: how far does that go, by talk alone, and who comes?

The best-known story of the Generative Agents study (Park et al. 2023, §3.4.3), in Hollinweir or on the study's own map.
Who knows and who came is measured from what residents hear, note and plan, and from where they are.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation, World, WorldError
from cave_sim.agents.resident import LLMResident
from cave_sim.dashboards import write_report as report
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.minds import begin_with
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.simulations.valentine_party.script import PARTY, reply
from cave_sim.simulations.valentine_party.spread import ASKED, InvitationSpread, measure
from cave_sim.simulations.valentine_party.summary import summary
from cave_sim.survey import Panel
from cave_sim.worlds.town import Place, Resident
from cave_sim.worlds.village import build_village, generative_agents, hollinweir
from cave_sim.worlds.village.blueprint import SeedMemory

STEPS = 54
OPTIONS = {
    "host": "name of whoever gives the party (sunniva_ostler; isabella_rodriguez on the study's map)",
    "venue": "name of the place (dining_room; hobbs_cafe on the study's map)",
    "at": "when it begins",
    "invites": "yes, or no for a control in which the host keeps it to themselves",
    "asks": "how many steps lie between two times that everybody is asked whether they know of it ; 0: never",
    "source": "a folder with the Generative Agents data; by default Hollinweir",
    "start": "world time of the first step",
}
HERE, THERE = ("sunniva_ostler", "dining_room"), ("isabella_rodriguez", "hobbs_cafe")
__all__ = ["OPTIONS", "STEPS", "InvitationSpread", "create", "measure", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int | None = None,
    host: str | None = None,
    venue: str | None = None,
    at: Annotated[str, Field(title="Begins at")] = "17:00",
    invites: Literal["yes", "no"] = "yes",
    asks: Annotated[int, Field(ge=0, title="Between two times that all are asked"), Unit("steps")] = 0,
    source: str | Path | None = None,
    start: str = "2013-02-14T11:00",
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a village in which one resident plans a party.

    Args:
        seed: the same seed and the same replies give the same day, turn by turn.
        residents: at most so many of the village's people; None: all of them.
        host: who gives the party.
        venue: where.
        at: when it begins, as "17:00".
        invites: "yes", or "no" for the control.
        asks: how many steps lie between two times that everybody is asked whether they know; 0 for never.
        source: folder with the Generative Agents data; None for Hollinweir.
        start: world time of the first step.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option does not fit, or names an unknown person or place.
    """
    plan = hollinweir() if source is None else generative_agents.load(source)
    usual_host, usual_venue = HERE if source is None else THERE
    host, venue = host or usual_host, venue or usual_venue
    world = build_village(plan, seed=seed, residents=residents, step_s=600.0, start=start)
    _intend(world, host, venue, at, invites)
    config = {"residents": residents, "host": host, "venue": venue, "at": at, "invites": invites, "start": start}
    return Simulation(
        world,
        agent_factories={Resident: partial(_villager, memories=plan.memories)},
        measures=MEASURES,
        config=config,
        **extended(
            run,
            manifest={"map": plan.tiles.sketch()},
            observers=[Panel(ASKED, every=asks)] if asks else [],
            llm=ScriptedModel(reply),
        ),
    )


def _villager(simulation: Simulation, name: str, memories: Mapping[str, Sequence[SeedMemory]]) -> LLMResident:
    mind = LLMResident(simulation, name)
    begin_with(mind, memories.get(name, ()))
    return mind


def _intend(world: World, host: str, venue: str, at: str, invites: str) -> None:
    """Give the host the intention; nobody else knows anything."""
    for name in (host, venue):
        if name not in world:
            option, kind = ("host", Resident) if name == host else ("venue", Place)
            there = ", ".join(each.id for each in world.all(kind))
            raise WorldError(f"there is no {name!r} here; take --set {option}= one of {there}; or more --residents")
    intention = ", and to invite everybody they meet" if invites == "yes" else ", alone, and tells nobody"
    person = world[host]
    person.biography = f"{person.biography} Today they mean to give a {PARTY} at {venue} at {at}{intention}.".strip()
    person.plan[at] = f"give the {PARTY} at {venue}"
