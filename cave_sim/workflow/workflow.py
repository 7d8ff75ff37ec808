"""Workflow: steps one after another, with a name and a sentence about it; a step itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cave_sim.session.session import Session
from cave_sim.workflow.step import Passage, Step, WorkflowError, WorkflowSetting, agents_of

_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


@dataclass(frozen=True)
class Workflow:
    """Steps that a session goes through one after another.

    Args:
        name: lower-case letters, digits and _.
        about: what it does, in a sentence: by this a :class:`~cave_sim.workflow.selector.Selector` chooses it.
        steps: what it consists of; child workflows among them.
    """

    name: str
    about: str
    steps: tuple[Step, ...]

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        """Let a session pass all steps."""
        for step in self.steps:
            session = yield from step.run(session, setting)
        return session

    def plain_steps(self) -> Iterator[Step]:
        """Yield its steps and those of its child workflows, in order, each of which can be journaled by itself."""
        for step in self.steps:
            if isinstance(step, Workflow):
                yield from step.plain_steps()
            else:
                yield step

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        """Yield what is wrong with it."""
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            yield f"its name is {self.name!r}: take lower-case letters, digits and _, a letter first"
        if not self.about.strip():
            yield "it says nothing about itself: give it a sentence, about="
        if not self.steps:
            yield "it has no steps"
        given: tuple[object, ...] = self.steps  # whatever the annotation says
        for number, step in enumerate(given, 1):
            if isinstance(step, Step):
                yield from (f"step {number}, {step.name}: {problem}" for problem in step.problems(setting))
            else:
                yield f"step {number}: {step!r} is no step; ask an agent with AskAgent, run a cell with RunCell"

    def agents(self) -> frozenset[str]:
        """Return the names of those who may take part."""
        return agents_of(self.steps)

    def validate(self, setting: WorkflowSetting) -> None:
        """Raise WorkflowError, which names every mistake, if there is one. Asks no model and runs no cell."""
        problems = list(self.problems(setting))
        if problems:
            lines = "\n".join(f"- {problem}" for problem in problems)
            raise WorkflowError(f"workflow {self.name!r} cannot work ({len(problems)}):\n{lines}")
