"""How believable are these minds? Interviews after Park et al. 2023, §6, checked against the journal.

A day in town; every so often everybody is asked, on a copy of the world that is thrown away, about themselves, what
they remember, what they plan, how they would react and what they conclude. Each question is made from the journal, and
has one right answer.
"""

from dataclasses import asdict
from typing import Annotated, Any, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation, open_run
from cave_sim.dashboards import write_report as report
from cave_sim.models import ScriptedModel
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.believability.facts import Facts
from cave_sim.simulations.believability.questions import AREAS, ExamItem, questions
from cave_sim.simulations.believability.scores import SURVEY, in_words, scores, table
from cave_sim.simulations.believability.script import reply
from cave_sim.simulations.believability.summary import summary
from cave_sim.simulations.minds import minds_of
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.survey import Questionnaire, ask
from cave_sim.worlds.town import Resident, build_town, installed

STEPS = 54
OPTIONS = {
    "every": "how many steps lie between two times that everybody is asked",
    "without": "what minds do without, such as memory,reflection,plans",
    "having": "what they have beyond the usual: questions, hours, rating",
    "start": "world time of the first step",
}
ABLATIONS = ("", "reflection", "reflection,plans,plans_anew", "memory,reflection,plans,plans_anew")
"""What the paper's conditions do without: nothing; reflection; planning too; and observation, that is, memory, too."""
__all__ = [
    "ABLATIONS",
    "AREAS",
    "OPTIONS",
    "STEPS",
    "ExamItem",
    "create",
    "in_words",
    "questions",
    "report",
    "scores",
    "summary",
    "table",
]


class Examiner(Observer):
    """Asks everybody who has a mind what the run's journal knows of them; without a journal nobody is asked.

    Args:
        every: how many steps lie between two times.
    """

    def __init__(self, every: int) -> None:
        self.every = every

    def on_step(self, simulation: Any) -> None:
        """Ask, if it is time."""
        step, journal = simulation.world.clock.step, simulation.journal
        if journal is None or not step or step % self.every:
            return
        with open_run(journal.folder) as run:
            facts = Facts(run, step)
            asked = {name: questions(facts, name) for name in sorted(simulation.by_name) if name in facts.people}
        forms = {
            name: Questionnaire(name=SURVEY, items=tuple(each.item for each in items), random_order=False)
            for name, items in asked.items()
            if items
        }
        journal.add_answers(map(asdict, ask(simulation, forms)))


def create(
    *,
    seed: int,
    residents: int = 8,
    every: Annotated[int, Field(ge=1, title="Between two times"), Unit("steps")] = STEPS,
    without: str = "",
    having: str = "",
    start: str = "2012-06-01T07:00",
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a town whose people are examined.

    Args:
        seed: the same seed and the same replies give the same day, turn by turn.
        residents: how many people besides the mayor.
        every: how many steps lie between two times that everybody is asked.
        without: faculties that minds do without, with commas.
        having: faculties that they have beyond the usual, with commas.
        start: world time of the first step.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option does not fit.
    """
    world = build_town(seed=seed, residents=residents, start=start)
    model = run.get("llm") or ScriptedModel(reply)
    minds = minds_of([person.id for person in world.all(Resident)], model, None, without=without, having=having)
    config = {
        "residents": residents,
        "start": start,
        "without": without,
        "having": having,
        "scripted": run.get("llm") is None,
    }
    return Simulation(
        world,
        minds.agents if minds else (),
        measures=MEASURES,
        config=config,
        **extended(
            run,
            manifest={"map": installed(world["town"].map_name).sketch()},
            observers=[Examiner(every)],
            llm=model,
        ),
    )
