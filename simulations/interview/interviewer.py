"""An observer that interviews the people of a town at intervals, on temporary copies."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cave_sim.llm_agent.interview import InterviewAnswer, interview
from cave_sim.simulation.observers import Observer


class Interviewer(Observer):
    """Asks every so many steps. The answers go into the manifest of the run, which no hash of its state covers.

    Args:
        questions: asked of each.
        whom: the names of those who are asked.
        every: how many steps lie between two interviews, 1 or more.

    Attributes:
        answers: all so far.
    """

    def __init__(self, questions: Sequence[str], whom: Sequence[str], every: int) -> None:
        self.questions, self.whom, self.every = tuple(questions), tuple(whom), every
        self.answers: list[InterviewAnswer] = []

    def on_step(self, simulation: Any) -> None:
        """Ask, if it is time."""
        step = simulation.world.clock.step
        if not step or step % self.every:
            return
        self.answers += interview(simulation, self.questions, self.whom)
        if simulation.journal is not None:
            simulation.journal.describe({"answers": [asdict(answer) for answer in self.answers]})
