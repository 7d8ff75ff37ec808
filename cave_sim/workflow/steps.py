"""The plain steps: ask an agent, run a cell, compress, remember, recall."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cave_sim.errors import WorldError
from cave_sim.session.compression import compress
from cave_sim.session.memory import MOST_IMPORTANT, Memory, recalled
from cave_sim.session.session import Session
from cave_sim.session.summaries import by_rules
from cave_sim.session.transcript import Transcript
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Cell, Others
from cave_sim.workflow.step import Passage, StepFailed, WorkflowSetting

Text = str | Callable[[Session], str]
"""A text, or what makes one of the session so far."""


def last_words(session: Session, agent: str | None = None) -> str:
    """Return what was last said by a model, that of an agent if one is named; "" if nothing was."""
    rows = (row for row in reversed(session.rows) if row.kind == "assistant" and agent in (None, row.agent))
    return next((row.text for row in rows), "")


@dataclass(frozen=True)
class AskAgent:
    """Hands the session to an agent, which goes on with it until it has nothing more to do.

    Args:
        agent: its name.
        text: what it is told first.
    """

    agent: str
    text: Text = ""

    @property
    def name(self) -> str:
        return f"ask {self.agent}"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        given = session.handed_to(self.agent)
        if text := _made(self.text, session):
            setting.heard(given, text)
        came = yield Others({self.agent: setting.taking_part(self.agent, setting.agent(self.agent).through(given))})
        passed: Session = came[self.agent]
        if passed.rows and passed[-1].kind == "model_error":
            raise StepFailed(f"{self.agent} gave no answer: {passed[-1].text}")
        return passed.handed_to(setting.owner)

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        nobody = list(setting.nobody(self.agent))
        yield from nobody
        yield from _no_text(self.text)
        if not nobody:
            kind = type(setting.agent(self.agent))
            if kind.forward is not Agent.forward and kind.through is Agent.through:
                yield f"{kind.__name__}.forward is never called by a workflow: let it be through, which yields cells"
            try:
                getattr(setting.agent(self.agent), "llm", None)
            except WorldError as error:
                yield str(error)

    def agents(self) -> frozenset[str]:
        return frozenset({self.agent})


@dataclass(frozen=True)
class RunCell:
    """Runs a cell as the agent whose workflow it is: a method of an entity, a function, a tool with effects.

    The cell is a turn as any other: checked, landed whole or not at all, journaled. What it prints becomes a row.

    Args:
        code: the cell.
    """

    code: Text

    @property
    def name(self) -> str:
        lines = self.code.strip().splitlines() if isinstance(self.code, str) else []
        return f"act {lines[0][:40]}" if lines else "act"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        session, code = session.fork(), _made(self.code, session)
        turn = yield Cell(code)
        setting.heard(session, turn.code, "cell", data={"turn": turn.id, "status": turn.status})
        if not turn.committed:
            raise StepFailed(f"the cell {turn.status}: {turn.error.strip()}")
        setting.heard(session, turn.output, "output")
        return session

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        yield from _no_text(self.code, "code")
        if isinstance(self.code, str):
            try:
                ast.parse(self.code)
            except (SyntaxError, ValueError) as error:
                yield f"its cell is no Python: {error}"

    def agents(self) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Compress:
    """Puts a summary by rule in the place of all but the last rows. They stay in the session, and in the journal.

    Args:
        keep: how many rows are shown as they are.
        most_tokens: of the summary.
    """

    keep: int = 2
    most_tokens: int = 600
    name = "compress"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        yield from ()
        session = session.fork()
        shown = [each for each in Transcript().since(session, 0) if each.message is not None]
        older = shown[: len(shown) - self.keep]
        if len(older) > 1:
            text = by_rules([each.row for each in older], self.most_tokens)
            compress(session, older, text, "workflow")
        return session

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        if self.keep < 1 or self.most_tokens < 1:
            yield f"keep={self.keep} and most_tokens={self.most_tokens}: both are 1 or more"

    def agents(self) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Remember:
    """Commits a memory to the session.

    Args:
        text: what to remember; what was last said unless given.
        importance: 0 to 10.
    """

    text: Text = last_words
    importance: float = 5.0
    name = "remember"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        yield from ()
        session, clock = session.fork(), setting.simulation.world.clock
        text = _made(self.text, session)
        Memory().commit(session, text, importance=self.importance, step=clock.step, time_s=clock.time_s)
        return session

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        yield from _no_text(self.text)
        if not 0 <= self.importance <= MOST_IMPORTANT:
            yield f"importance={self.importance}: it lies between 0 and {MOST_IMPORTANT:g}"

    def agents(self) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Recall:
    """Brings memories of the session to mind, as a row that models are shown.

    Args:
        query: what they are to be about.
        count: at most so many.
    """

    query: Text
    count: int = 5
    name = "recall"

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        yield from ()
        session, query = session.fork(), _made(self.query, session)
        rows = Memory().recall(session, query, now_s=setting.simulation.world.clock.time_s, count=self.count)
        lines = [f"- step {row.step}: {row.text}" for row in rows] or ["- nothing"]
        setting.heard(session, "\n".join(["What comes to mind:", *lines]), "recall", data=recalled(rows, query))
        return session

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        yield from _no_text(self.query, "query")
        if self.count < 1:
            yield f"count={self.count}: it is 1 or more"

    def agents(self) -> frozenset[str]:
        return frozenset()


def _made(text: Text, session: Session) -> str:
    if isinstance(text, str):
        return text
    value: object = text(session)
    if not isinstance(value, str):
        raise StepFailed(f"{getattr(text, '__name__', text)} returned {repr(value)[:80]}; it returns a text")
    return value


def _no_text(text: object, what: str = "text") -> Iterator[str]:
    if not isinstance(text, str) and not callable(text):
        yield f"its {what} is {text!r}: give a text, or a function of the session that returns one"
    elif what != "text" and isinstance(text, str) and not text.strip():
        yield f"its {what} is empty"
