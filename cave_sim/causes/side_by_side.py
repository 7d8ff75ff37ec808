"""Models side by side without drift: at each decision point of a run another model is asked, and effects are compared.

Two runs of two models part at their first different reply, and say little of each other from there on. Here the other
model, or the same one without a part of its prompt, is asked what was asked in the run; both replies land for one turn
on the same state, as the step began, and what they do to the state is compared. That takes one reply a point.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.causes.candidate import WHOLE_TALK
from cave_sim.causes.kept_lines import KeptLines
from cave_sim.causes.replies import KeptCall, first_answers
from cave_sim.causes.request import asked_without, request_of
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.journal.reader import open_run
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.models.base import Model, Reply, Request
from cave_sim.models.budget import Budget, BudgetReached, Budgets
from cave_sim.models.cassette import Cassette
from cave_sim.models.code_blocks import read_reply
from cave_sim.replay.fork import fork, one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.model_calls import ModelCalls
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.host_protocol import MovableHost
from cave_sim.world.world import World

NOTHING = "nothing"


@dataclass(frozen=True)
class Side:
    """What one reply came to.

    Attributes:
        cell: its code; "" for none.
        status: of its turn, as in a journal; ``nothing`` where there was no code.
        effects: what the turn changed: entity, field and what came of it, sorted.
        outcome: what a figure came to after it; None where none was asked for.
        prompt_tokens, completion_tokens: of the reply.
    """

    cell: str
    status: str
    effects: tuple[tuple[str, str, str], ...]
    outcome: float | None
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class Point:
    """One decision point: an agent's first question of a step, with what both sides made of it."""

    agent: str
    step: int
    one: Side
    other: Side

    @property
    def is_same(self) -> bool:
        """Whether both did the same to the state."""
        return self.one.effects == self.other.effects


@dataclass(frozen=True)
class Passed:
    """A decision point that was passed over, and why."""

    agent: str
    step: int
    why: str


class SideBySide:
    """Decision points of one run, with another model beside it.

    Args:
        folder: of the run; it is only read.
        maker: how its simulation is made; or what makes one just as it was, with no ``out``.
        model: who is asked.
        without: the part of the prompt that is left out; "" for none.
        outcome: a figure or condition that is read after each turn; "" for none.
        max_calls: how many replies may be paid for; None for one each.
        host: gives what cells run on; this process runs them unless given.
        file: where replies are kept, so that none is paid for twice; nowhere unless given.

    Attributes:
        paid: how many replies were paid for.

    Raises:
        JournalError: there is no such run.
        WorldError: nobody asked a model in it, or no prompt of it has the part that is to be left out.
    """

    def __init__(
        self,
        folder: str | Path,
        maker: Recipe | Callable[[], Runnable],
        model: Model,
        *,
        without: str = "",
        outcome: str = "",
        max_calls: int | None = None,
        host: Callable[[], AbstractContextManager[MovableHost | None]] = nullcontext,
        file: Path | None = None,
    ) -> None:
        self.folder: Path = Path(folder)
        self.paid: int = 0
        self._maker, self._model, self._without, self._host = maker, model, without, host
        self._asked_calls = KeptLines(file, KeptCall)
        self._outcome = Condition(outcome) if outcome else None
        self._budgets = Budgets(run=Budget(calls=max_calls))
        first = decision_points(folder)
        if without:
            _expect_part(first, without)
        self._points: dict[int, dict[str, Mapping[str, Any]]] = {}
        for call in first:
            self._points.setdefault(call["step"], {})[call["agent"]] = call

    def __len__(self) -> int:
        return sum(map(len, self._points.values()))

    def points(self) -> Iterator[Point | Passed]:
        """Yield one decision point after the other, until there is none left or no reply may be paid for any more."""
        calls = ModelCalls(self._budgets, lambda kind, data: None, self._keep)
        calls.inherited = Cassette(first_answers(self._asked_calls))
        calls.begin_step()
        try:
            for step, asked in sorted(self._points.items()):
                yield from self._of_step(step, asked, calls)
        except BudgetReached:
            return
        finally:
            calls.close()

    def _of_step(
        self, step: int, asked: Mapping[str, Mapping[str, Any]], calls: ModelCalls
    ) -> Iterator[Point | Passed]:
        with self._host() as host:
            branch = self._at(step)
            try:
                self._read(branch.world)  # what is wrong with an outcome is told before a reply is paid for
                if self._outcome is not None:
                    expect_heard(self._outcome.text, branch.world)
                questions: dict[str, Question] = {}
                for agent, call in asked.items():
                    request = self._request(branch, agent, call)
                    if isinstance(request, str):
                        yield Passed(agent, step, request)
                    else:
                        questions[agent] = Question(self._model, request)
                replies = self._replies(calls, questions)
                for agent, reply in zip(questions, replies, strict=True):
                    if not isinstance(reply, Reply):
                        yield Passed(agent, step, f"no reply: {reply}")
                        continue
                    sides = [self._side(branch, agent, each, host) for each in (_reply(asked[agent]), reply)]
                    yield Point(agent, step, *sides)
            finally:
                branch.close()

    def _request(self, branch: Simulation, agent: str, call: Mapping[str, Any]) -> Request | str:
        """Return what the other model is asked in the place of a call; or why it is not."""
        if agent not in branch.by_name:
            return "it came in the course of the step"
        request = request_of(call)
        return asked_without(branch, agent, self._without, request) if self._without else request

    def _replies(self, calls: ModelCalls, questions: Mapping[str, Question]) -> Sequence[Any]:
        try:
            return calls.ask(questions.values())
        except (ValueError, LookupError) as error:
            if not self._without:
                raise
            raise WorldError(
                f"the script of the model fails on a prompt without {self._without!r}, as a language model would not:"
                f" name one with --model ({type(error).__name__}: {error})"
            ) from None

    def _at(self, step: int) -> Simulation:
        if isinstance(self._maker, Recipe):
            return fork(self.folder, step, None, recipe=self._maker)
        return fork(self.folder, step, None, simulation=one_simulation(self._maker()))

    def _side(self, branch: Simulation, agent: str, reply: Reply, host: MovableHost | None) -> Side:
        """Land a reply for one turn on a copy of the world."""
        habits = getattr(branch.by_name[agent], "habits", None)
        only_first = bool(getattr(habits, "only_first", False))
        cell = "" if reply.is_withheld else read_reply(reply.text).cell(only_first=only_first)
        twin = branch.world.fork()
        status = NOTHING
        effects: tuple[tuple[str, str, str], ...] = ()
        if cell:
            if host is not None:
                host.attach(twin)
            turn = twin.execute(cell, agent)
            status, effects = turn.status, _effects(turn.changes)
        usage = reply.usage
        return Side(cell, status, effects, self._read(twin), usage.prompt_tokens, usage.completion_tokens)

    def _read(self, world: World) -> float | None:
        if self._outcome is None:
            return None
        value = self._outcome.value(world)
        if not isinstance(value, bool | int | float):
            raise WorldError(f"{self._outcome.text!r} comes to {type(value).__name__}: it is to be a number or a truth")
        return float(value)

    def _keep(self, call: Mapping[str, Any], *, reused: bool = False) -> None:
        """Take a call as it ends: what was paid for is counted, and kept if there is a reply."""
        if not reused:
            self.paid += 1
            if call["reply"] is not None:
                self._asked_calls.add(call)


def decision_points(folder: str | Path) -> list[dict[str, Any]]:
    """Return each agent's first question of each step of a run that was answered.

    Raises:
        JournalError: there is no such run.
        WorldError: nobody asked a model in it.
    """
    with open_run(folder) as run:
        expect_prompts(run.folder, run.manifest.get(REDACTED))
        first = [call for call in run.calls() if not call["attempt"] and not call["retry"] and call["reply"]]
    if not first:
        raise WorldError(f"{folder}: no model was asked in it, so there is no decision point")
    return first


def _expect_part(calls: Iterable[Mapping[str, Any]], name: str) -> None:
    """Refuse a part that no prompt of the run has, where prompts say of which parts they are."""
    known = sorted({part for call in calls for part in call.get("parts") or ()} - WHOLE_TALK)
    if known and name not in known:
        near = did_you_mean(name, known)
        raise WorldError(f"no prompt of this run has a part {name!r}.{near} There are {', '.join(known)}")


def _reply(call: Mapping[str, Any]) -> Reply:
    return Reply.from_data(call["reply"])


def _effects(changes: Sequence[Any]) -> tuple[tuple[str, str, str], ...]:
    texts = ((each, json.dumps(each.new, sort_keys=True, default=str)) for each in changes)
    return tuple(
        sorted((each.entity, ".".join(map(str, each.path[:1])), f"{each.path} {each.op} {new}") for each, new in texts)
    )
