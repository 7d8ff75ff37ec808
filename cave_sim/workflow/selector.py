"""Selector: which of several workflows goes on with a session, and why, as a row of the session."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cave_sim.diagnostics.plurals import counted
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Deliberation, Others
from cave_sim.workflow.step import Passage, StepFailed, WorkflowSetting
from cave_sim.workflow.workflow import Workflow

Rule = Callable[[Session, Sequence[Workflow]], tuple[str, str]]
"""Returns the name of a candidate, and the reason."""
TO_CHOOSE = "Who goes on with this?"
"""How the question begins by which an agent is asked for its choice."""
NONE_NAMED = "the answer names none of them"


@dataclass(frozen=True)
class Selector:
    """Chooses the workflow that goes on with a session: by rule, or by asking an agent, who is told what each is about.

    The choice is a row of kind ``route``; its data has ``decision``, ``reason``, ``candidates`` and ``by``.

    Args:
        candidates: of which one is chosen.
        by: the name of an agent with a model; or a function of the session and the candidates that returns the name
            of one of them and the reason. Where an answer names none, the first candidate is taken.
        name: what it is called.
    """

    candidates: tuple[Workflow, ...]
    by: str | Rule
    name: str = "select"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        if isinstance(self.by, str):
            given = session.handed_to(self.by)
            choosing = _choosing(setting.agent(self.by), given, self.question())
            came = yield Others({self.by: setting.taking_part(self.by, choosing)})
            passed, answer = came[self.by]
            if answer is None:
                raise StepFailed(f"{self.by} gave no answer: {passed[-1].text}")
            session, (chosen, reason) = passed.handed_to(setting.owner), self.read(answer)
        else:
            choice = self.by(session, self.candidates)
            if not isinstance(choice, tuple) or len(choice) != 2 or not all(isinstance(each, str) for each in choice):
                raise StepFailed(f"the rule returned {repr(choice)[:80]}; it returns a name and a reason")
            (chosen, reason), session = choice, session.fork()
        by_name = {each.name: each for each in self.candidates}
        if chosen not in by_name:
            raise StepFailed(f"the rule chose {chosen!r}; there are {', '.join(by_name)}")
        data = {
            "decision": chosen,
            "reason": reason,
            "candidates": [{"name": each.name, "about": each.about} for each in self.candidates],
            "by": self.by if isinstance(self.by, str) else "rule",
        }
        setting.heard(session, f"{chosen}: {reason}", "route", data=data)
        return (yield from by_name[chosen].run(session, setting))

    def question(self) -> str:
        """Return what an agent is asked."""
        lines = [f"- {each.name}: {each.about}" for each in self.candidates]
        instruction = f"{TO_CHOOSE} Answer in one line, with a name and the reason, as in `name: reason`."
        return "\n".join([instruction, *lines])

    def read(self, answer: str) -> tuple[str, str]:
        """Return what an answer chose: the candidate that a line of it begins with, else the only one that it names."""
        names = [each.name for each in self.candidates]
        either = "|".join(sorted(names, key=len, reverse=True))
        if match := re.search(rf"^[\W_]*({either})\b[`*\s]*[:,-]\s*(.*\S)", answer, re.MULTILINE):
            return match[1], match[2]
        named = [name for name in names if re.search(rf"\b{name}\b", answer)]
        return (named[0], answer.strip()) if len(named) == 1 else (names[0], NONE_NAMED)

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        if len(self.candidates) < 2:
            yield f"it has {counted(len(self.candidates), 'candidate')}: there is a choice from 2 on"
        given: tuple[object, ...] = self.candidates  # whatever the annotation says
        strangers = [each for each in given if not isinstance(each, Workflow)]
        yield from (f"{each!r} is no workflow, and says nothing about itself" for each in strangers)
        workflows = [each for each in given if isinstance(each, Workflow)]
        for name, times in Counter(each.name for each in workflows).items():
            if times > 1:
                yield f"{times} candidates are called {name!r}"
        for each in workflows:
            yield from (f"{each.name}: {problem}" for problem in each.problems(setting))
        if callable(self.by):
            return
        nobody = list(setting.nobody(self.by))
        yield from nobody
        if not nobody and not isinstance(setting.agent(self.by), LLMAgent):
            yield f"{self.by} chooses its cells by rules, and cannot be asked: give a function, or one with a model"

    def agents(self) -> frozenset[str]:
        asked = frozenset({self.by}) if isinstance(self.by, str) else frozenset()
        return asked.union(*(each.agents() for each in self.candidates if isinstance(each, Workflow)))


def _choosing(agent: LLMAgent, session: Session, question: str) -> Deliberation:
    """Ask an agent for words; it comes to the session and the answer."""
    agent.session = session
    answer = yield from agent.respond(question, since=0)
    return agent.session, answer
