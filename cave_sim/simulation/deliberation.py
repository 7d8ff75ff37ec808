"""Deliberation: how agents get from what they observe to cells, as generators that the simulation drives.

An agent yields what it needs next, a reply to a :class:`Question` or the turn of a :class:`Cell`, and is sent it. So
agents are written top to bottom, everything that a batch asks is asked at once, and nothing runs on its own. A batch is
a generator in its turn, of what it asks: whether whoever drives it waits for the answers or awaits them is its affair.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cave_sim.models.base import Model, Request, Usage

Deliberation = Generator["Question | Cell", Any, None]
Came = TypeVar("Came")
AskingFor = Generator["list[Question]", list[Any], Came]
"""Yields questions that are to be asked at once; is sent what came of each, and comes to something."""
Asking = AskingFor[None]
Ask = Callable[[list["Question"]], list[Any]]
AskOnLoop = Callable[[list["Question"]], Awaitable[list[Any]]]
Run = Callable[[Mapping[str, str]], AskingFor[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Question:
    """A request to a model; the agent is sent the reply, or the error that came instead."""

    model: Model
    request: Request


@dataclass(frozen=True, slots=True)
class Cell:
    """Code to run as the agent; it is sent the turn.

    Attributes:
        code: the cell.
        usage: what choosing it cost, for :attr:`Turn.usage`.
    """

    code: str
    usage: Mapping[str, Any] = field(default_factory=dict)


def costs_of(model: str, usage: Usage, cost_usd: float) -> dict[str, Any]:
    """Return what replies of a model cost, as :attr:`Cell.usage` tells it: tokens, and US dollars."""
    return {
        "model": model,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "cost_usd": cost_usd,
    }


def settle(asking: AskingFor[Came], ask: Ask) -> Came:
    """Go through with what asks, wait for the answers, and return what it comes to.

    Args:
        asking: yields the questions.
        ask: asks models; returns what came of each question, in their order.
    """
    answers: Any = None
    with closing(asking):
        while True:
            try:
                questions = asking.send(answers)
            except StopIteration as end:
                came: Came = end.value
                return came
            answers = ask(questions)


async def settle_on_loop(asking: Asking, ask: AskOnLoop) -> None:
    """Go through with what asks as :func:`settle` does, and await the answers."""
    answers: Any = None
    with closing(asking):
        while True:
            try:
                questions = asking.send(answers)
            except StopIteration:
                return
            answers = await ask(questions)


def one_after_another(agents: Iterable[tuple[str, Deliberation]], run: Run) -> Asking:
    """Let each agent finish before the next one begins; the iterable may look at the world only then."""
    for name, deliberation in agents:
        yield from together([(name, deliberation)], run)


def together(agents: Iterable[tuple[str, Deliberation]], run: Run) -> Asking:
    """Run all agents' generators at once, in rounds: what a round asks is asked together, what it runs is one batch.

    Args:
        agents: names and deliberations, in the order in which they act.
        run: runs one cell for each name, and asks what they need to know; comes to their turns.
    """
    deliberations = dict(agents)
    requests = _next(deliberations, dict.fromkeys(deliberations))
    while requests:
        questions = {name: request for name, request in requests.items() if isinstance(request, Question)}
        cells = {name: request for name, request in requests.items() if isinstance(request, Cell)}
        answers: dict[str, Any] = {}
        if questions:
            answers.update(zip(questions, (yield list(questions.values())), strict=True))
        if cells:
            answers.update((yield from _run(cells, run)))
        requests = _next(deliberations, {name: answers[name] for name in requests})


def _run(cells: Mapping[str, Cell], run: Run) -> AskingFor[Mapping[str, Any]]:
    """Run one cell for each name, and let their turns say what choosing them cost."""
    turns = yield from run({name: cell.code for name, cell in cells.items()})
    for name, cell in cells.items():
        turns[name].usage.update(cell.usage)
    return turns


def _next(deliberations: Mapping[str, Deliberation], answers: Mapping[str, Any]) -> dict[str, Question | Cell]:
    """Send all agents what they asked for; return what those who go on ask for next."""
    requests: dict[str, Question | Cell] = {}
    for name, answer in answers.items():
        try:
            requests[name] = deliberations[name].send(answer)
        except StopIteration:
            continue
    return requests
