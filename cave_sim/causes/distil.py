"""Habits compiled: what minds of a run always answer alike becomes a scripted policy, which spares their model.

A situation is the front and the latest message of what an agent is asked, or all of it, with numbers and days masked,
or all to the letter. Where a run has one and the same answer to a situation, several times, and its cell landed every
time, that answer is a habit. A replay proves it: the run is lived again with habits in the place of those calls, and
must have the same state after every step.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from cave_sim.causes.request import request_of
from cave_sim.errors import WorldError
from cave_sim.files.given_files import given_bytes, why_unread
from cave_sim.files.whole_files import write_whole
from cave_sim.journal.queries import state_hashes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.models.base import Model, Reply, Request, Usage
from cave_sim.models.cassette import Cassette, RecordedModel
from cave_sim.models.code_blocks import read_reply
from cave_sim.models.wrapped import Wrapped
from cave_sim.replay.fork import fork, one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.clock import DAYS, MONTHS
from cave_sim.world.host_protocol import MovableHost

Level = Literal["latest", "masked", "exact"]
LEVELS: tuple[Level, ...] = ("latest", "masked", "exact")
"""What is looked at: the front and the latest message, or all, both with numbers and days masked; or all as it is."""
PASSING = re.compile(rf"\d+(?:\.\d+)?|\b(?:{'|'.join((*DAYS, *MONTHS))})\b")
"""What is masked: numbers, and the days and months of the clock, of which no two days are alike."""


@dataclass(frozen=True)
class Habit:
    """One answer to one situation.

    Attributes:
        situation: digest of what is asked.
        level: how much of what is asked it is.
        agent: whose habit it is.
        text: the reply.
        cell: its code; "" for a reply that does nothing.
        times: how often the run has it.
        tokens: what these calls took, read and written.
    """

    situation: str
    level: Level
    agent: str
    text: str
    cell: str
    times: int
    tokens: int


def situation(request: Request, level: Level) -> str:
    """Return the digest of a situation: the same wherever as much of what the agent is asked is the same."""
    asked = request.messages if level != "latest" else (*request.messages[:1], *request.messages[-1:])
    messages = [(each.role, each.text) for each in asked]
    if level != "exact":
        messages = [(role, PASSING.sub("#", text)) for role, text in messages]
    tools = [str(tool) for tool in request.tools]
    text = json.dumps([level, request.key.agent, messages, tools], ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def habits(run: Run, least: int = 3, until: int | None = None) -> list[Habit]:
    """Return the habits of a run, those of most calls first.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        least: how often a situation must have had the answer.
        until: learn from what was asked before this step; from all of the run unless given.
    """
    expect_prompts(run.folder, run.manifest.get(REDACTED))
    landed: dict[tuple[str, int], list[tuple[str, bool]]] = {}
    for turn in run.turns():
        if turn.kind == "cell" and turn.parent is None:
            landed.setdefault((turn.agent, turn.step), []).append((turn.code.strip(), turn.status == "committed"))
    groups: dict[Level, dict[str, list[_Answer]]] = {level: {} for level in LEVELS}
    for call in run.calls():
        if until is not None and call["step"] >= until:
            continue
        answer = _Answer.of(call, landed.get((call["agent"], call["step"]), ()))
        for level in LEVELS:
            groups[level].setdefault(situation(request_of(call), level), []).append(answer)
    known: list[Habit] = []
    covered: set[int] = set()
    for level in LEVELS:
        for name, answers in groups[level].items():
            fresh = [each for each in answers if id(each) not in covered]
            if (
                len(fresh) >= least
                and len({each.text for each in answers}) == 1
                and all(each.lands for each in answers)
            ):
                covered |= {id(each) for each in fresh}
                one, tokens = answers[0], sum(each.tokens for each in answers)
                known.append(Habit(name, level, one.agent, one.text, one.cell, len(answers), tokens))
    return sorted(known, key=lambda each: (-each.times, each.agent, each.situation))


@dataclass(frozen=True, eq=False)
class _Answer:
    """What came of one call, and whether its cell landed."""

    agent: str
    text: str
    cell: str
    lands: bool
    tokens: int

    @classmethod
    def of(cls, call: Mapping[str, Any], turns: Iterable[tuple[str, bool]]) -> _Answer:
        if not call["reply"]:
            return cls(call["agent"], "", "", lands=False, tokens=0)
        reply = Reply.from_data(call["reply"])
        cell = read_reply(reply.text).cell().strip()
        own = [committed for code, committed in turns if code == cell]
        tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens
        return cls(call["agent"], reply.text, cell, lands=not cell or (bool(own) and all(own)), tokens=tokens)


class Distilled(Wrapped):
    """A model that is asked only where there is no habit.

    Args:
        model: who is asked then.
        known: the habits.

    Attributes:
        spared: how many calls habits answered.
        asked: how many the model did.
    """

    def __init__(self, model: Model, known: Iterable[Habit]) -> None:
        super().__init__(model)
        self._known = {each.situation: each for each in known}
        self.spared: int = 0
        self.asked: int = 0

    def habit(self, request: Request) -> Habit | None:
        """Return the habit that answers a request; None where the model has to."""
        return next((one for level in LEVELS if (one := self._known.get(situation(request, level)))), None)

    async def reply(self, request: Request) -> Reply:
        known = self.habit(request)
        if known is None:
            self.asked += 1
            return await self.model.reply(request)
        self.spared += 1
        return Reply(known.text, model="habit", usage=Usage(is_estimate=True), finish_reason="stop", cost_usd=0.0)


@dataclass(frozen=True)
class Proof:
    """What a replay with habits came to.

    Attributes:
        spared, asked: calls that habits answered, and that the recording did.
        parted: the first step with another state; None where all are the same.
    """

    spared: int
    asked: int
    parted: int | None


def proven(
    folder: str | Path,
    maker: Recipe | Callable[[], Runnable],
    known: Iterable[Habit],
    *,
    until: int | None = None,
    host: MovableHost | None = None,
) -> Proof:
    """Live a run again with habits in the place of calls, and compare its state after every step.

    Args:
        folder: of the run; it is only read.
        maker: how its simulation is made; or what makes one just as it was, with no ``out``.
        known: the habits. What they do not answer is answered as in the run.
        until: up to this step; to the run's last one unless given.
        host: runs the cells; this process does unless given.

    Raises:
        WorldError: the simulation asks no model, or something is asked that the run has no reply to.
    """
    with open_run(folder) as run:
        hashes = state_hashes(run)
        cassette = Cassette(run.calls)
    first = min(hashes)
    how: dict[str, Any] = {"recipe": maker} if isinstance(maker, Recipe) else {"simulation": one_simulation(maker())}
    branch = fork(folder, first, None, host=host, **how)
    try:
        if branch.llm is None:
            raise WorldError(f"{folder}: its simulation asks no model")
        model = Distilled(RecordedModel(cassette), known)
        branch.calls.inherited = None
        branch.llm = model
        for step in [each for each in sorted(hashes)[1:] if until is None or each <= until]:
            branch.step()
            if branch.state_hash != hashes[step]:
                return Proof(model.spared, model.asked, step)
        return Proof(model.spared, model.asked, None)
    finally:
        branch.close()


@dataclass(frozen=True)
class Elsewhere:
    """What habits would have done where they were not learned: calls that they answer, and those of them alike.

    Attributes:
        calls: that were asked there.
        spared: calls that habits would have answered.
        alike: those of them with the reply that was given.
    """

    calls: int
    spared: int
    alike: int


def elsewhere(run: Run, known: Iterable[Habit], since: int = 0) -> Elsewhere:
    """Return how far habits reach where they were not learned, as recorded calls tell: a second day, or another run.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        known: the habits.
        since: look at what was asked from this step on.
    """
    expect_prompts(run.folder, run.manifest.get(REDACTED))
    by_situation = {each.situation: each for each in known}
    calls = spared = alike = 0
    for call in run.calls():
        if call["step"] < since:
            continue
        calls += 1
        request = request_of(call)
        habit = next((one for level in LEVELS if (one := by_situation.get(situation(request, level)))), None)
        if habit is not None:
            spared += 1
            alike += bool(call["reply"]) and call["reply"]["text"] == habit.text
    return Elsewhere(calls, spared, alike)


def write_habits(path: Path, known: Iterable[Habit]) -> None:
    """Write habits as JSON, which :func:`read_habits` reads."""
    write_whole(path, json.dumps([asdict(each) for each in known], ensure_ascii=False, indent=1) + "\n")


def read_habits(path: Path) -> list[Habit]:
    """Return the habits of a file; raises WorldError if it is none."""
    try:
        return _HABITS.validate_json(given_bytes(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in first["loc"])
        raise WorldError(f"{path} cannot be read as habits: {place}{': ' if place else ''}{first['msg']}") from None
    except OSError as error:
        raise WorldError(f"{path} cannot be read as habits: {why_unread(error)}") from None


_HABITS = TypeAdapter(list[Habit], config=ConfigDict(strict=True, extra="forbid"))
