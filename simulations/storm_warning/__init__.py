"""Figure 1 of the CaveAgent paper: a mayor changes the weather, and all see it; then a café opens with a new manager.

The mayor is a meta-agent. Nobody is sent a message: the world changes, and everybody perceives it. The manager is an
entity that the mayor adds; because its class has an agent factory, it acts from the next step on.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Agent, Simulation, agents
from cave_sim.agents.meta import LLMMetaAgent
from cave_sim.agents.prompts.surroundings import sky
from cave_sim.agents.prompts.view import town
from cave_sim.agents.resident import LLMResident
from cave_sim.dashboards import write_report as report
from cave_sim.llm_agent.skills import install, read_skills
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.storm_warning.script import reply
from cave_sim.simulations.storm_warning.summary import CAFE, MANAGER, summary
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.worlds.town import Mayor, Resident, build_town, installed
from cave_sim.worlds.town.place import clock_text

STEPS = 60
OPTIONS = {
    "start": "world time of the first step (a fine Saturday)",
    "storm_h": "hour of the day at which the storm comes",
    "hours": "how long it lasts",
    "cafe_h": "hour of the day at which the café opens",
}
Hours = Annotated[float, Field(gt=0, le=24)]
SKILLS = Path(agents.__file__).parent / "skills"
ROLE = """The weather of your town obeys you: `weather.turn(kind, hours)`. Today:
At {storm} let a storm come for {hours:g} hours, warn the town on its notice board with
`town.announcements.append("...")`, and close the parks. At {cafe} open a café named {name} at a park, as a `Place` of
the `town.landmarks`, with a new `Resident` ({manager}) who works there, and announce both. What is on the notice board
already has been done."""
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


class WeatherMayor(LLMMetaAgent):
    """A mayor who looks at the sky and after the town, and lives no life besides."""

    def perceive(self, observation: Mapping[str, Any]) -> str:
        """Return the weather, the notice board, and parks and shelters while they count."""
        return "\n".join([sky(observation["weather"]), *town(observation)])


def create(
    *,
    seed: int,
    residents: int = 8,
    start: str = "2012-07-07T10:00",
    storm_h: Annotated[Hours, Field(title="The storm comes at"), Unit("h")] = 11.0,
    hours: Annotated[Hours, Field(title="The storm lasts"), Unit("h")] = 2.0,
    cafe_h: Annotated[Hours, Field(title="The café opens at"), Unit("h")] = 14.0,
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a town under a mayor who commands the weather.

    Args:
        seed: the same seed and the same replies give the same day, turn by turn.
        residents: how many people besides the mayor.
        start: world time of the first step.
        storm_h: hour of the day at which the storm comes.
        hours: how long it lasts.
        cafe_h: hour of the day at which the café opens.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option does not fit.
    """
    world = build_town(seed=seed, residents=residents, start=start)
    install(world, read_skills(SKILLS), agent="mayor")
    role = ROLE.format(storm=clock_text(storm_h), hours=hours, cafe=clock_text(cafe_h), name=CAFE, manager=MANAGER)

    def mayor(simulation: Simulation, name: str) -> Agent:
        habits = replace(WeatherMayor.habits, menu=("Place",))
        return WeatherMayor(simulation, name, role=role, calls=(), habits=habits)

    return Simulation(
        world,
        agent_factories={Resident: LLMResident, Mayor: mayor},
        measures=MEASURES,
        config={"residents": residents, "start": start, "storm_h": storm_h, "hours": hours, "cafe_h": cafe_h},
        **extended(run, manifest={"map": installed(world["town"].map_name).sketch()}, llm=ScriptedModel(reply)),
    )
