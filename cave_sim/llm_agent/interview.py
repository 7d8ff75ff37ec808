"""Interviews: asking minds on temporary copies of their world, without side effects (Park et al. 2023, §6).

Each interviewee gets a separate copy: a cell run for an answer changes that copy only, and agents do not learn what
others were asked. The cost of the calls is counted and recorded with the run's other calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cave_sim.errors import WorldError
from cave_sim.llm_agent.feedback import quote
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.simulation.simulation import Simulation

FRAME = """\
Somebody from outside your world asks you: {question}
Answer in your own words, in a sentence or two and without code, from what you know and remember."""


@dataclass(frozen=True, slots=True)
class InterviewAnswer:
    """One answer in an interview.

    Attributes:
        step: of the world when the question was asked.
        agent: name of the interviewee.
        question: the question.
        text: the answer.
    """

    step: int
    agent: str
    question: str
    text: str


def interview(simulation: Simulation, questions: Iterable[str], whom: Iterable[str] = ()) -> list[InterviewAnswer]:
    """Ask minds, each question to each of them, and return their answers; the simulation goes on as if never asked.

    Args:
        simulation: at rest, between two steps.
        questions: asked in this order; an agent remembers its earlier questions and answers.
        whom: names of the minds; all of them if empty.

    Raises:
        WorldError: a name is unknown, or belongs to an agent without a language model.
    """
    question_list = list(questions)
    names = list(whom) or [name for name, agent in sorted(simulation.by_name.items()) if isinstance(agent, LLMAgent)]
    for name in names:
        if not isinstance(simulation.by_name.get(name), LLMAgent):
            minds = ", ".join(name for name, agent in sorted(simulation.by_name.items()) if isinstance(agent, LLMAgent))
            raise WorldError(f"{name!r} cannot be asked; minds here: {minds or 'none'}")
    return [answer for name in names for answer in _answers_of(simulation, name, question_list)]


def _answers_of(simulation: Simulation, name: str, questions: list[str]) -> list[InterviewAnswer]:
    """Ask one mind on a temporary copy of the simulation."""
    twin = simulation.fork()
    twin.calls.close()
    twin.calls = simulation.calls
    mind = twin.by_name[name]
    assert isinstance(mind, LLMAgent)
    step = simulation.world.clock.step
    return [
        InterviewAnswer(step, name, question, mind.ask(FRAME.format(question=quote(question))))
        for question in questions
    ]
