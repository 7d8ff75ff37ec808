"""Deliberation: how agents get from what they observe to cells, as generators that the simulation drives.

An agent yields what it needs next, a reply to a :class:`Question` or the turn of a :class:`Cell`, and is sent it. So
agents are written top to bottom, everything that a batch asks is asked at once, and nothing runs on its own. A batch is
a generator in its turn, of what it asks: whether whoever drives it waits for the answers or awaits them is its affair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cave_sim.errors import WorldError
from cave_sim.models.base import Model, Request, Usage

Deliberation = Generator["Question | Cell | Others", Any, Any]
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


@dataclass(frozen=True, slots=True)
class Others:
    """Deliberations of other agents, who take part in this one; it is sent what each came to, by name.

    What they ask is asked at once, and their cells run under their own names. None of them may be at it already.
    """

    agents: Mapping[str, Deliberation]


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
        try:
            request = next(deliberation)
        except StopIteration:  # most let the moment pass
            continue
        except Exception as error:
            _note_agent(error, name)
            raise
        circle = _Circle({name: deliberation})
        yield from _rounds(circle, circle.taken(name, request), run)


def together(agents: Iterable[tuple[str, Deliberation]], run: Run) -> Asking:
    """Run all agents' generators at once, in rounds: what a round asks is asked together, what it runs is one batch.

    Whom a deliberation wants to take part joins the round.

    Args:
        agents: names and deliberations, in the order in which they act.
        run: runs one cell for each name, and asks what they need to know; comes to their turns.
    """
    circle = _Circle(dict(agents))
    yield from _rounds(circle, circle.begin(), run)


def _rounds(circle: _Circle, requests: dict[str, Question | Cell], run: Run) -> Asking:
    """Go from round to round, from what all ask for first to where nobody asks for anything."""
    while requests:
        questions = {name: request for name, request in requests.items() if isinstance(request, Question)}
        cells = {name: request for name, request in requests.items() if isinstance(request, Cell)}
        answers: dict[str, Any] = {}
        if questions:
            answers.update(zip(questions, (yield list(questions.values())), strict=True))
        if cells:
            answers.update((yield from _run(cells, run)))
        requests = circle.go_on({name: answers[name] for name in requests})


def _run(cells: Mapping[str, Cell], run: Run) -> AskingFor[Mapping[str, Any]]:
    """Run one cell for each name, and let their turns say what choosing them cost."""
    turns = yield from run({name: cell.code for name, cell in cells.items()})
    for name, cell in cells.items():
        turns[name].usage.update(cell.usage)
    return turns


class _Circle:
    """Those who deliberate at once, and who of them waits for whom.

    Args:
        deliberations: by name.
    """

    def __init__(self, deliberations: dict[str, Deliberation]) -> None:
        self._deliberations = deliberations
        self._waiting: dict[str, dict[str, Any]] = {}
        self._hosts: dict[str, str] = {}

    def begin(self) -> dict[str, Question | Cell]:
        """Return what all ask for first."""
        return self.go_on(dict.fromkeys(self._deliberations))

    def go_on(self, answers: Mapping[str, Any]) -> dict[str, Question | Cell]:
        """Send agents what they asked for; return what those who go on ask for next."""
        requests: dict[str, Question | Cell] = {}
        waiting = deque(answers.items())
        while waiting:
            name, answer = waiting.popleft()
            try:
                request = self._deliberations[name].send(answer)
            except StopIteration as end:
                del self._deliberations[name]
                waiting.extend(self._told_host(name, end.value))
                continue
            except Exception as error:
                _note_agent(error, name)
                raise
            if isinstance(request, Others):
                waiting.extend(self._joined(name, request))
            else:
                requests[name] = _expected(name, request)
        return requests

    def taken(self, name: str, request: Question | Cell | Others) -> dict[str, Question | Cell]:
        """Return what is asked for first where one has begun already, with this request."""
        return (
            self.go_on(dict(self._joined(name, request)))
            if isinstance(request, Others)
            else {name: _expected(name, request)}
        )

    def _joined(self, host: str, others: Others) -> Iterator[tuple[str, Any]]:
        """Take in whom a deliberation waits for, and yield who goes on, and with what."""
        if busy := sorted(self._deliberations.keys() & others.agents.keys()):
            raise WorldError(
                f"{', '.join(busy)}: deliberates already, and cannot take part in what {host} does;"
                f" leave the steps to {host}: scheduler=Only(({host!r},))"
            )
        if not others.agents:
            yield host, {}
            return
        self._waiting[host] = dict.fromkeys(others.agents)
        self._deliberations |= others.agents
        for name in others.agents:
            self._hosts[name] = host
            yield name, None

    def _told_host(self, name: str, came: Any) -> Iterator[tuple[str, Any]]:
        """Note what a deliberation came to; yield what the one that waits for it is sent, if it was the last."""
        host = self._hosts.pop(name, None)
        if host is None:
            return
        self._waiting[host][name] = came
        if host not in self._hosts.values():
            yield host, self._waiting.pop(host)


def _expected(name: str, request: Any) -> Question | Cell:
    """Return what an agent asks for; raises WorldError if it is nothing that it may yield."""
    if isinstance(request, Cell | Question):
        return request
    raise WorldError(f"{name}: deliberate yielded {request!r}: it yields Cell('me.wait()') or a Question")


def _note_agent(error: Exception, name: str) -> None:
    error.add_note(f"as {name} chose what to do")
