"""Branches: several steps that begin with the same session, go on beside each other, and are merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Cell, Others
from cave_sim.workflow.step import Passage, Step, StepFailed, WorkflowSetting, agents_of


@dataclass(frozen=True)
class Branches:
    """Lets several steps begin with the same session, beside each other, and merges what they come to, in their order.

    Whom they ask is asked at once. Cells run one after another. Rows that they share, and what those cost, are there
    once. Where one fails the others end what they do, and then it has failed.

    Args:
        steps: each a step, mostly a :class:`~cave_sim.workflow.workflow.Workflow`; no agent is in two of them.
    """

    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return f"branches {', '.join(step.name for step in self.steps)}"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        ended = yield from _beside([step.run(session, setting) for step in self.steps])
        merged: Session = ended[0]
        for other in ended[1:]:
            merged = merged.merge(other)
        return merged

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        if len(self.steps) < 2:
            yield f"it has {counted(len(self.steps), 'branch', 'branches')}: there is something to merge from 2 on"
        given: tuple[object, ...] = self.steps  # whatever the annotation says
        yield from (f"{step!r} is no step" for step in given if not isinstance(step, Step))
        steps = [step for step in given if isinstance(step, Step)]
        for agent, times in sorted(Counter(name for step in steps for name in step.agents()).items()):
            if times > 1:
                yield f"{agent} takes part in {times} branches, and cannot do so at once"
        for step in steps:
            yield from (f"{step.name}: {problem}" for problem in step.problems(setting))

    def agents(self) -> frozenset[str]:
        return agents_of(self.steps)


def _beside(passages: Sequence[Passage]) -> Any:
    """Go through with all passages at once, and come to their sessions; yields what they ask for together."""
    outcomes: dict[int, Any] = dict.fromkeys(range(len(passages)))
    ended: dict[int, Session | StepFailed] = {}
    while outcomes:
        asked: dict[int, Others] = {}
        acting: dict[int, Cell] = {}
        for number, answer in outcomes.items():
            try:
                request = passages[number].send(answer)
            except StopIteration as end:
                ended[number] = end.value
            except StepFailed as failed:
                ended[number] = failed
            else:
                if isinstance(request, Others):
                    asked[number] = request
                else:
                    acting[number] = request
        outcomes = {}
        for number, cell in acting.items():
            outcomes[number] = yield cell
        if asked:
            came = yield Others({name: each for others in asked.values() for name, each in others.agents.items()})
            outcomes |= {number: {name: came[name] for name in others.agents} for number, others in asked.items()}
        outcomes = dict(sorted(outcomes.items()))
    for session in (ended[number] for number in range(len(passages))):
        if isinstance(session, StepFailed):
            raise session
    return [ended[number] for number in range(len(passages))]
