"""A model that plays a script: no key, no network, no chance. The default, and the one that tests are written with."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence

from cave_sim.diagnostics.plurals import counted
from cave_sim.models.base import ModelError, Reply, Request, Usage
from cave_sim.models.prices import FREE, Price
from cave_sim.models.tokens import TokenCounter, offline_counter

Script = Callable[[Request], str] | Sequence[str] | Sequence[tuple[str, str]]
"""A function; the replies of each agent in order; or rules (pattern, reply) of which the first that matches answers."""


class Untold(ValueError):
    """A prompt does not say what a script has to know; raised in a script, its words are the reply."""


class ScriptedModel:
    r"""Answers from a script.

    A list is played to each agent from its start: its n-th request gets the n-th reply, whoever else asks in
    between. A resumed run starts its lists anew: where that matters, use rules or a function. Rules are regular
    expressions that are searched in the last message; a reply may use its groups (``\1``). A function that is not told
    what it has to know raises :class:`Untold`, and the model says so, as one that reads would.

    Args:
        script: see :data:`Script`.
        latency_s: how long it thinks, in seconds; 0 answers at once.
        counter: counts tokens. The default depends on what is installed; ``tokens.ESTIMATE`` is the same everywhere.
        window_tokens: the window it claims to have.
        longest_output_tokens: the longest output it claims to have; None for no such limit.
        name: the name it goes by.

    Attributes:
        in_flight: requests being answered now.
        peak_in_flight: the most of them there ever were.
        calls: requests answered.
    """

    is_scripted = True

    def __init__(
        self,
        script: Script,
        *,
        latency_s: float = 0.0,
        counter: TokenCounter | None = None,
        window_tokens: int = 128_000,
        longest_output_tokens: int | None = None,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.window_tokens = window_tokens
        self.longest_output_tokens = longest_output_tokens
        self.latency_s = latency_s
        self.counter: TokenCounter = counter or offline_counter()
        self.in_flight: int = 0
        self.peak_in_flight: int = 0
        self.calls: int = 0
        self._answer = _player(script)

    @property
    def price(self) -> Price | None:
        """Nothing: it is free."""
        return FREE

    async def reply(self, request: Request) -> Reply:
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        try:
            text = self._words(request)  # before any wait: a list is played in the order of asking
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
        finally:
            self.in_flight -= 1
        self.calls += 1
        return self._shaped(request, text)

    def _words(self, request: Request) -> str:
        try:
            return self._answer(request)
        except Untold as error:
            return str(error)

    def _shaped(self, request: Request, text: str) -> Reply:
        ends = [place for stop in request.stop if (place := text.find(stop)) >= 0]
        text = text[: min(ends)] if ends else text
        tokens = self.counter(text)
        usage = Usage(self.counter.of_request(request), tokens, is_estimate=self.counter.is_estimate)
        return Reply(text, usage, cost_usd=0.0, latency_s=self.latency_s, model=self.name)

    def __repr__(self) -> str:
        return f"ScriptedModel(name={self.name!r})"


def _player(script: Script) -> Callable[[Request], str]:
    if callable(script):
        return script
    if not isinstance(script, Sequence) or isinstance(script, str):
        raise TypeError(f"ScriptedModel({script!r}): {SCRIPTS}; who asks is request.key.agent")
    if all(isinstance(line, str) for line in script):
        return _from_list([line for line in script if isinstance(line, str)])
    if all(isinstance(line, tuple) and len(line) == 2 for line in script):
        return _from_rules([line for line in script if isinstance(line, tuple)])
    raise TypeError(f"{SCRIPTS}: not a mixture")


SCRIPTS = "a script is a function of the request, a list of replies, or a list of (pattern, reply)"


def _from_list(replies: list[str]) -> Callable[[Request], str]:
    asked: dict[str, int] = {}

    def answer(request: Request) -> str:
        agent = request.key.agent
        number = asked.get(agent, 0)
        if number >= len(replies):
            script = counted(len(replies), "reply", "replies")
            raise ModelError("refused", f"the script of {script} is over, and {agent or 'someone'} asks on")
        asked[agent] = number + 1
        return replies[number]

    return answer


def _from_rules(rules: list[tuple[str, str]]) -> Callable[[Request], str]:
    compiled = [(re.compile(pattern, re.DOTALL), reply) for pattern, reply in rules]

    def answer(request: Request) -> str:
        question = request.messages[-1].text if request.messages else ""
        for pattern, reply in compiled:
            if match := pattern.search(question):
                return match.expand(reply) if pattern.groups else reply
        patterns = ", ".join(repr(pattern.pattern) for pattern, _ in compiled)
        raise ModelError(
            "refused", f"no rule fits {question[-80:]!r}; there are {patterns}. A last rule ('', ...) fits all"
        )

    return answer
