"""A panel: the same questionnaire put to the same respondents again and again, while they live on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from cave_sim.simulation.observers import Observer
from cave_sim.survey.asking import SurveyAnswer, ask
from cave_sim.survey.questionnaire import Questionnaire


class Panel(Observer):
    """Asks every so many steps. The answers go into the table `answers` of the run; no hash of its state covers them.

    Args:
        questionnaire: what is asked.
        whom: names of the respondents; all minds if empty.
        every: how many steps lie between two waves, 1 or more.

    Attributes:
        answers: of all waves so far.
    """

    def __init__(self, questionnaire: Questionnaire, whom: Iterable[str] = (), *, every: int) -> None:
        if every < 1:
            raise ValueError(f"every={every}: at least 1 step lies between two waves of a panel")
        self.questionnaire: Questionnaire = questionnaire
        self.whom: tuple[str, ...] = tuple(whom)
        self.every: int = every
        self.answers: list[SurveyAnswer] = []

    def on_step(self, simulation: Any) -> None:
        """Ask, if it is time."""
        step = simulation.world.clock.step
        if not step or step % self.every:
            return
        answers = ask(simulation, self.questionnaire, self.whom)
        self.answers += answers
        if simulation.journal is not None:
            simulation.journal.add_answers(map(asdict, answers))
