"""Asking minds on a temporary copy of their simulation: all at once, without side effects (Park et al. 2023, §6).

Nobody learns what others were asked or what they answered, and no cell runs. What asking costs is counted and recorded
with the run's other calls.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.llm_agent.feedback import quote
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.simulation.deliberation import Deliberation, Question, settle, together
from cave_sim.simulation.simulation import Simulation
from cave_sim.survey.items import Item, NotAnAnswer, Value
from cave_sim.survey.questionnaire import Questionnaire

FRAME = """\
Somebody from outside your world asks you: {question}
{how}"""
AGAIN = "That cannot be read as an answer. {how}"

TRIES = 3
"""How often an item is asked before it is left without a value."""


@dataclass(frozen=True, slots=True)
class SurveyAnswer:
    """One answer of one respondent.

    Attributes:
        survey: name of the questionnaire.
        step: of the world when the question was asked.
        agent: name of the respondent.
        item: name of the item.
        place: of the item in the order of asking, from 1.
        question: what was asked.
        value: the answer as its item reads it; None if it could not be read, or the model failed.
        text: the answer as it was given.
        tries: how often it was asked.
    """

    survey: str
    step: int
    agent: str
    item: str
    place: int
    question: str
    value: Value | None
    text: str
    tries: int


def ask(
    simulation: Simulation, questionnaire: Questionnaire | Mapping[str, Questionnaire], whom: Iterable[str] = ()
) -> list[SurveyAnswer]:
    """Put a questionnaire to minds, all at once, and return their answers; the simulation goes on as if never asked.

    A respondent remembers its earlier questions and answers. Orders are drawn from the world's seed, the step and the
    respondent's name.

    Args:
        simulation: at rest, between two steps.
        questionnaire: what to ask; or for each respondent by name, where each is asked something else.
        whom: names of the minds; all of them, or all for whom there is a questionnaire, if empty.

    Returns:
        One answer for each respondent and item, by respondent in the order of ``whom``, then in the order of asking.

    Raises:
        WorldError: nobody has a language model, or one of the names is unknown or of somebody without one.
    """
    expect_several("whom", whom)
    minds = respondents(simulation)
    by_name = questionnaire if isinstance(questionnaire, Mapping) else dict.fromkeys(minds, questionnaire)
    names = list(dict.fromkeys(whom)) or list(by_name)
    expect_minds(minds, names)
    twin = simulation.fork()
    twin.calls.close()
    answers: dict[str, list[SurveyAnswer]] = {name: [] for name in names}
    deliberations = [(name, _fill_in(twin.by_name[name], by_name[name], answers[name])) for name in names]
    settle(together(deliberations, _run_nothing), simulation.calls.ask)
    return [answer for name in names for answer in answers[name]]


def expect_several(argument: str, texts: Iterable[str]) -> None:
    """Refuse a text where several are taken: Python would take it for its letters. Raises WorldError."""
    if isinstance(texts, str):
        raise WorldError(f"{argument}={texts!r}: takes several, such as [{texts!r}]")


def respondents(simulation: Simulation) -> list[str]:
    """Return the names of those who can be asked: agents that ask a language model."""
    return [name for name, agent in sorted(simulation.by_name.items()) if isinstance(agent, LLMAgent)]


def expect_minds(minds: Sequence[str], names: Iterable[str]) -> None:
    """Refuse to ask where there is nobody to be asked, or somebody who cannot be.

    Args:
        minds: as :func:`respondents` gives them.
        names: whom to ask.

    Raises:
        WorldError: nobody has a language model, or one of the names is unknown or of somebody without one.
    """
    if not minds:
        raise WorldError("nobody here thinks with a language model, so that nobody can be asked; run it with --model")
    for name in names:
        if name not in minds:
            raise WorldError(f"{name!r} cannot be asked; minds here: {', '.join(minds)}.{did_you_mean(name, minds)}")


def _fill_in(agent: Any, questionnaire: Questionnaire, answers: list[SurveyAnswer]) -> Deliberation:
    """Let one respondent answer item after item; its answers are added to the list."""
    world = agent.model.world
    step, begun = world.clock.step, len(agent.session)
    items = questionnaire.for_respondent(questionnaire.name, world.seed, step, agent.name)
    for place, item in enumerate(items, start=1):
        value, text, tries = yield from _answer(agent, item, begun)
        about = questionnaire.name, step, agent.name, item.name, place, item.question
        answers.append(SurveyAnswer(*about, value, text, tries))


def _answer(agent: LLMAgent, item: Item, begun: int) -> Generator[Question, Any, tuple[Value | None, str, int]]:
    """Ask one item until the answer can be read; returns the value, the last words, and how often it was asked."""
    question, text = FRAME.format(question=quote(item.question), how=item.how()), ""
    for tries in range(1, TRIES + 1):
        reply = yield from agent.respond(question, about=item.question, since=begun)
        if reply is None:
            return None, text, tries
        text = reply
        try:
            return item.read(text), text, tries
        except NotAnAnswer as error:
            question = AGAIN.format(how=error)
    return None, text, TRIES


def _run_nothing(_cells: object) -> Any:
    raise AssertionError("who is asked answers in words; no cell runs")
