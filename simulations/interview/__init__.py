"""A day in town, in which some of its people are interviewed; the town never learns of it, and comes out the same.

Each interview happens on a copy of the world that is thrown away, so a run with interviews has the very state hash of
a run without.
"""

from collections.abc import Sequence
from typing import Annotated, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Simulation, WorldError
from cave_sim.agents.resident import LLMResident
from cave_sim.dashboards import write_report as report
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.interview.summary import summary
from cave_sim.simulations.scripted_model import reply
from cave_sim.simulations.town_day.measures import MEASURES
from cave_sim.survey import Panel, Questionnaire
from cave_sim.survey.interview import INTERVIEW
from cave_sim.worlds.town import Resident, build_town, installed

STEPS = 48
OPTIONS = {
    "survey": "a file with a questionnaire (.toml or .json) instead of questions",
    "ask": "questions, with | between them",
    "whom": "names with commas, or how many people; 0 for no interview at all",
    "every": "how many steps lie between interviews",
    "start": "world time of the first step",
}
QUESTIONS = "Who are you?|What are your plans for today?|What do you remember?"
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    residents: int = 8,
    ask: str = QUESTIONS,
    whom: str = "3",
    every: Annotated[int, Field(ge=1, title="Between interviews"), Unit("steps")] = 24,
    survey: str = "",
    start: str = "2012-06-01T08:00",
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a town with an interviewer.

    Args:
        seed: the same seed and the same replies give the same day, turn by turn.
        residents: how many people besides the mayor.
        ask: questions, with | between them.
        whom: names with commas, or how many people.
        every: how many steps lie between interviews.
        survey: a file with a questionnaire, which is put to them instead of the questions.
        start: world time of the first step.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: an option does not fit.
    """
    world = build_town(seed=seed, residents=residents, start=start)
    names = [person.id for person in world.all(Resident)]
    interviewees = _interviewees(whom, names)
    questionnaire = Questionnaire.read(survey) if survey else Questionnaire.of_questions(INTERVIEW, _questions(ask))
    panel = [Panel(questionnaire, interviewees, every=every)] if interviewees else []
    return Simulation(
        world,
        agent_factories={Resident: LLMResident},
        measures=MEASURES,
        config={
            "residents": residents,
            "start": start,
            "survey": questionnaire.model_dump(mode="json"),
            "whom": interviewees,
        },
        **extended(
            run, manifest={"map": installed(world["town"].map_name).sketch()}, observers=panel, llm=ScriptedModel(reply)
        ),
    )


def _questions(text: str) -> list[str]:
    """Return the questions that stand in a text with bars between them."""
    questions = [question.strip() for question in text.split("|") if question.strip()]
    if not questions:
        raise WorldError(f"ask={text!r}: holds no question; write them with | between them, or ask nobody with whom=0")
    return questions


def _interviewees(whom: str, names: Sequence[str]) -> list[str]:
    """Return the names of those who are asked."""
    if whom.strip().isdigit():
        return list(names[: int(whom)])
    chosen_names = [name.strip() for name in whom.split(",") if name.strip()]
    unknown = [name for name in chosen_names if name not in names]
    if unknown:
        raise WorldError(f"whom={whom!r}: there is no {unknown[0]!r} in this town; it has {', '.join(names)}")
    return chosen_names
