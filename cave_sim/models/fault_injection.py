"""A model that fails on purpose, at given rates, the same way every time: to see what a run makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from random import Random

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.wrapped import Wrapped

WRONG_CELLS = (
    "nobody_by_this_name.walk_to('nowhere')",
    "me.no_such_field = 1",
    "1 / 0",
    "import os\nos.remove('world')",
    "def act(:\n    pass",
)
"""Cells that must not land: an unknown name, an unknown field, an error, a forbidden import, bad syntax."""


@dataclass(frozen=True)
class Faults:
    """How often what goes wrong, as shares of all requests in [0, 1]; together at most 1.

    Attributes:
        rate_limited: the provider says 429 and when to come back.
        unavailable: the provider says 500.
        broken: the provider says 500, however often this request is retried.
        truncated: the answer ends in the middle, and says so.
        empty: the answer is empty.
        malformed: the fences around its code are wrong.
        wrong: the code in it is wrong.
    """

    rate_limited: float = 0.0
    unavailable: float = 0.0
    broken: float = 0.0
    truncated: float = 0.0
    empty: float = 0.0
    malformed: float = 0.0
    wrong: float = 0.0

    def __post_init__(self) -> None:
        rates = self.rates()
        if any(not 0 <= rate <= 1 for _, rate in rates) or sum(rate for _, rate in rates) > 1 + 1e-9:
            raise ValueError(f"{self}: rates lie in [0, 1] and are at most 1 together")

    def rates(self) -> list[tuple[str, float]]:
        """Return (fault, rate) in a fixed order."""
        return [(each.name, getattr(self, each.name)) for each in fields(self)]

    def pick(self, number: float) -> str | None:
        """Return the fault that a number in [0, 1) falls on; None if on none."""
        for fault, rate in self.rates():
            if number < rate:
                return fault
            number -= rate
        return None


class Chaotic(Wrapped):
    """A model whose requests meet faults and delays.

    What happens to a request follows from the seed and from what it is: its agent, step, attempt, retry and text.
    When it comes, what came before it, and how the run is called make no difference.

    Args:
        model: the model that answers where nothing goes wrong.
        faults: how often what goes wrong.
        seed: another seed, other victims.
        latency_s: seconds that each request takes on top: a number, or a function of a random stream, such as
            ``lambda rng: rng.expovariate(2.0)``.
        retry_after_s: seconds that a 429 asks to wait.
    """

    def __init__(
        self,
        model: Model,
        faults: Faults | None = None,
        *,
        seed: int = 0,
        latency_s: float | Callable[[Random], float] = 0.0,
        retry_after_s: float = 1.0,
    ) -> None:
        super().__init__(model)
        self.faults: Faults = faults or Faults()
        self.seed = seed
        self.latency_s = latency_s
        self.retry_after_s = retry_after_s
        self.happened: dict[str, int] = dict.fromkeys((fault for fault, _ in self.faults.rates()), 0)

    async def reply(self, request: Request) -> Reply:
        latency_s = self._latency_s(request)
        if latency_s > 0:
            await asyncio.sleep(latency_s)
        fault = self.fault_of(request)
        if fault is None:
            reply = await self.model.reply(request)
        else:
            self.happened[fault] += 1
            reply = await self._faulty(fault, request)
        return replace(reply, latency_s=reply.latency_s + latency_s)

    def fault_of(self, request: Request) -> str | None:
        """Return what will go wrong with a request; None if nothing."""
        if self._stream(request, "fault").random() < self.faults.broken:
            return "broken"  # drawn without the retry, so that it stays broken
        rest = 1 - self.faults.broken
        number = self._stream(request, "fault", request.key.retry).random() * rest
        return replace(self.faults, broken=0.0).pick(number)

    async def _faulty(self, fault: str, request: Request) -> Reply:
        if fault == "rate_limited":
            raise ModelError("rate_limited", f"429 from {self.name}, on purpose", self.retry_after_s)
        if fault in ("unavailable", "broken"):
            raise ModelError("unavailable", f"500 from {self.name}, on purpose")
        return _SPOIL[fault](await self.model.reply(request), self._stream(request, fault))

    def _latency_s(self, request: Request) -> float:
        if callable(self.latency_s):
            return self.latency_s(self._stream(request, "latency", request.key.retry))
        return self.latency_s

    def _stream(self, request: Request, *purpose: object) -> RandomStream:
        key = request.key
        return RandomStream(self.seed, "chaos", key.agent, key.step, key.attempt, request.hash, *purpose)


def _truncate(reply: Reply, rng: Random) -> Reply:
    return replace(reply, text=reply.text[: int(len(reply.text) * rng.random())], finish_reason="length")


def _empty(reply: Reply, _rng: Random) -> Reply:
    return replace(reply, text="")


def _malform(reply: Reply, rng: Random) -> Reply:
    """Spoil the fences; a reply that has none gets one that never closes."""
    text = reply.text
    if "```" not in text:
        return replace(reply, text=f"```pyhton\n{text}")
    return replace(reply, text=text.replace("```", "``") if rng.random() < 0.5 else text[: text.rindex("```")])


def _make_wrong(reply: Reply, rng: Random) -> Reply:
    return replace(reply, text=f"```python\n{rng.choice(WRONG_CELLS)}\n```")


_SPOIL: dict[str, Callable[[Reply, Random], Reply]] = {
    "truncated": _truncate,
    "empty": _empty,
    "malformed": _malform,
    "wrong": _make_wrong,
}
