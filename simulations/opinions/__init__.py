"""A town argues about a tram: who is swayed by whom, what becomes of promises, and is the norm of the night kept?

People talk to who is there and write to who is not, and others overhear them. What that does to their attitudes is a
declared rule of influence; what they promised and expect of each other is checked against what they do. Everything is
measured from the journal and the state. Nobody here has a language model.
"""

from typing import Annotated, Literal, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation
from cave_sim.agents.scripted import ScriptedMayor
from cave_sim.dashboards import write_report as report
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulation.run_options import RunOptions, extended
from cave_sim.simulations.opinions.summary import summary
from cave_sim.simulations.opinions.talker import TOPIC, Talker
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.worlds.town import Mayor, build_town, installed
from cave_sim.worlds.town.neighbour import Neighbour
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.society import Customs, Norm, divided_over, mean_attitude

STEPS = 96
OPTIONS = {
    "influence": "the rule by which talk shifts attitudes",
    "rate": "how strongly it does, 0 to 1",
    "tolerance": "how far apart attitudes may be for rules that ask for it, 0 to 2",
    "earshot_m": "metres within which what is said is overheard; 0: by nobody",
    "start": "world time of the first step",
}
Rule = Literal["none", "assimilation", "bounded_confidence", "repulsion"]
NIGHT_H = (22, 6)
__all__ = ["NIGHTS", "OPTIONS", "STEPS", "create", "report", "summary"]


def _is_night(person: Person) -> bool:
    return not NIGHT_H[1] <= person.world.clock.hour < NIGHT_H[0]


def _is_at_home(person: Person) -> bool:
    return person.location is not None and person.location is person.home


NIGHTS = Norm("nights", "Be at home from 22:00 to 06:00.", _is_night, _is_at_home)
"""What is expected of everybody here."""


def create(
    *,
    seed: int,
    residents: int = 16,
    influence: Rule = "bounded_confidence",
    rate: Annotated[float, Field(ge=0, le=1, title="Strength of influence")] = 0.3,
    tolerance: Annotated[float, Field(ge=0, le=2)] = 0.5,
    earshot_m: Annotated[float, Field(ge=0), Unit("m")] = 20.0,
    start: str = "2012-06-01T08:00",
    **run: Unpack[RunOptions],
) -> Simulation:
    """Return a town that argues.

    Args:
        seed: the same seed gives the same day, turn by turn.
        residents: how many people besides the mayor.
        influence: the rule by which talk shifts attitudes.
        rate: how strongly it does.
        tolerance: how far apart attitudes may be for rules that ask for it.
        earshot_m: metres within which what is said is overheard; 0: by nobody.
        start: world time of the first step.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.

    Raises:
        WorldError: there are no residents.
    """
    customs = Customs(earshot_m, influence, rate, tolerance, {NIGHTS.name: NIGHTS.text})
    world = build_town(seed=seed, residents=residents, start=start, customs=customs)
    for person in world.all(Neighbour):
        person.attitudes = {TOPIC: round(RandomStream(seed, "attitude", person.id).uniform(-1, 1), 2)}
    social = {
        "attitude (mean)": mean_attitude(TOPIC),
        "divided (0 to 1)": divided_over(TOPIC),
        "at home at night (share)": NIGHTS.adherence,
    }
    return Simulation(
        world,
        agent_factories={Neighbour: Talker, Mayor: ScriptedMayor},
        measures=MEASURES | social,
        config={"residents": residents, "start": start, "earshot_m": earshot_m}
        | {"influence": influence, "rate": rate, "tolerance": tolerance},
        **extended(run, manifest={"map": installed(world["town"].map_name).sketch()}),
    )
