"""Interviews: open questions to minds, each in turn, on a temporary copy of their world."""

from __future__ import annotations

from collections.abc import Iterable

from cave_sim.simulation.simulation import Simulation
from cave_sim.survey.asking import SurveyAnswer, ask, expect_several
from cave_sim.survey.questionnaire import Questionnaire

INTERVIEW = "interview"


def interview(simulation: Simulation, questions: Iterable[str], whom: Iterable[str] = ()) -> list[SurveyAnswer]:
    """Ask minds, each question to each of them, and return their answers; the simulation goes on as if never asked.

    Args:
        simulation: at rest, between two steps.
        questions: asked in this order; an agent remembers its earlier questions and answers.
        whom: names of the minds; all of them if empty.

    Raises:
        WorldError: a name is unknown, or belongs to an agent without a language model.
    """
    expect_several("questions", questions)
    return ask(simulation, Questionnaire.of_questions(INTERVIEW, questions), whom)
