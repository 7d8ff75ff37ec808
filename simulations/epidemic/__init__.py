"""An epidemic in the centre of Helsinki: who is in one place can infect each other, and a mayor can close places.

Nobody feels ill and nobody knows: what people do is what they do on any day in the town. So what a closed place changes
is where they meet, and nothing else.
"""

from typing import Annotated, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.simulation.run_options import RunOptions, extended
from cave_sim.simulations.epidemic.contagion import Epidemic, ever_infected, infect, infectious, spread
from cave_sim.worlds.town import Mayor, Resident, build_town, helsinki

STEPS = 120
OPTIONS = {
    "catching": "probability to catch it from one infectious person in the same place within an hour",
    "ill_h": "hours for which somebody is infectious",
    "first": "how many are infectious at the start",
    "start": "world time of the first step",
    "step_s": "world seconds per step",
}
__all__ = ["OPTIONS", "STEPS", "Epidemic", "create"]


def create(
    *,
    seed: int,
    residents: int = 30,
    catching: Annotated[float, Field(ge=0, le=1, title="Chance to catch it")] = 0.06,
    ill_h: Annotated[float, Field(ge=1, title="Infectious for"), Unit("h")] = 48.0,
    first: Annotated[int, Field(ge=1, title="Infectious at the start"), Unit("people")] = 2,
    start: str = "2012-06-04T06:00",
    step_s: Annotated[float, Field(ge=60, le=3600, title="Length of a step"), Unit("s")] = 3600.0,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Return a town in which a few people are infectious.

    Args:
        seed: the same seed gives the same days, turn by turn.
        residents: how many people besides the mayor.
        catching: probability to catch it from one infectious person in the same place within an hour, 0 to 1.
        ill_h: hours for which somebody is infectious, 1 or more.
        first: how many are infectious at the start.
        start: world time of the first step.
        step_s: world seconds per step, 60 to 3600.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.
    """
    world = build_town(seed=seed, residents=residents, start=start, step_s=step_s)
    people = [person.id for person in world.all(Resident)]
    world.add("epidemic", Epidemic(catching=catching, ill_h=ill_h, susceptible=set(people)))
    for name in world.rng("first").sample(people, min(first, len(people))):
        infect(world["epidemic"], name)
    world.dynamics(spread)
    return Simulation(
        world,
        agent_factories={Resident: ScriptedResident, Mayor: ScriptedMayor},
        measures={"infectious": infectious, "ever infected (share)": ever_infected},
        config={"residents": residents, "catching": catching, "ill_h": ill_h, "first": first, "start": start},
        **extended(run, manifest={"map": helsinki().sketch()}),
    )
