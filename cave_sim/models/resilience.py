"""Asking again: with growing pauses, or as long as the provider says, and only where it can help."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.wrapped import Wrapped, close, longest_output_for

Sleep = Callable[[float], Awaitable[object]]


class Retrying(Wrapped):
    """Retries what is rate limited, timed out or unavailable; what was refused or does not fit is not asked again.

    Pauses double from ``first_s`` to ``longest_s``, each longer by up to ``jitter`` of itself. The jitter follows from
    the seed and the request, so a run's pauses are the same each time and those of two agents are not. Where the
    provider names a time (Retry-After), that is the least.

    Args:
        model: the model to ask.
        retries: how often to ask again.
        timeouts: how often of these where no reply came in time; a simulation asks once more by itself.
        first_s: the first pause in seconds.
        longest_s: the longest in seconds. A provider that asks for more is not waited for.
        jitter: share of a pause in [0, 1].
        seed: seeds the jitter.
        sleep: how to wait, for tests.
    """

    def __init__(
        self,
        model: Model,
        *,
        retries: int = 5,
        timeouts: int = 0,
        first_s: float = 0.5,
        longest_s: float = 60.0,
        jitter: float = 0.25,
        seed: int = 0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        super().__init__(model)
        self.retries = retries
        self.timeouts = timeouts
        self.first_s = first_s
        self.longest_s = longest_s
        self.jitter = jitter
        self.seed = seed
        self._sleep = sleep

    async def reply(self, request: Request) -> Reply:
        timeouts = 0
        while True:
            try:
                return await self.model.reply(request)
            except ModelError as error:
                timeouts += error.kind == "timeout"
                if timeouts > self.timeouts:
                    raise self._given_up(request, error) from error
                pause_s = self._pause_s(request, error)
            await self._sleep(pause_s)
            request = request.again()

    def pause_s(self, request: Request, retry_after_s: float | None = None) -> float:
        """Return how many seconds a failed request waits before it is asked again."""
        key = request.key
        pause_s = min(self.first_s * 2.0**key.retry, self.longest_s)
        chance = RandomStream(self.seed, "retry", key.agent, key.step, key.attempt, key.retry, request.hash).random()
        return max(pause_s, retry_after_s or 0.0) * (1 + self.jitter * chance)

    def _pause_s(self, request: Request, error: ModelError) -> float:
        """Return the pause before the next retry; raises the error where there is to be none."""
        if not error.is_retried:
            raise error
        if request.key.retry >= self.retries:
            raise self._given_up(request, error) from error
        if error.retry_after_s is not None and error.retry_after_s > self.longest_s:
            raise ModelError(
                error.kind,
                f"{error}. {self.name} wants {error.retry_after_s:g} s, more than the {self.longest_s:g} s that are"
                " waited at most: ask less often, or raise longest_s",
                error.retry_after_s,
            ) from error
        return self.pause_s(request, error.retry_after_s)

    def _given_up(self, request: Request, error: ModelError) -> ModelError:
        return ModelError(error.kind, f"{error} (asked {request.key.retry + 1} times)", error.retry_after_s)


class Hedged(Wrapped):
    """Asks a second time where a reply takes long, and takes what comes first; both are paid for.

    Args:
        model: the model to ask.
        after_s: how long the first reply is waited for before it is asked again.
    """

    def __init__(self, model: Model, after_s: float) -> None:
        super().__init__(model)
        self.after_s = after_s

    async def reply(self, request: Request) -> Reply:
        tasks = {asyncio.ensure_future(self.model.reply(request))}
        try:
            done, waiting = await asyncio.wait(tasks, timeout=self.after_s)
            if done:
                return done.pop().result()
            tasks.add(asyncio.ensure_future(self.model.reply(request.again())))
            done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if waiting and all(task.exception() for task in done):
                done, _ = await asyncio.wait(waiting)
            best = min(done, key=lambda task: task.exception() is not None)
            return replace(best.result(), is_hedged=True)
        finally:
            for task in tasks:
                task.cancel()


class Fallback(Wrapped):
    """Asks models in order until one replies; the reply says which one it was.

    It goes by the first one's name and price; its window is the smallest, so that what fits one fits all. Put
    retries around each model rather than around this, or a short outage changes who answers.

    Args:
        first: the model that should answer.
        others: who answers in its place, best first.
    """

    def __init__(self, first: Model, *others: Model) -> None:
        super().__init__(first)
        self.models: tuple[Model, ...] = (first, *others)

    @property
    def window_tokens(self) -> int:
        return min(model.window_tokens for model in self.models)

    @property
    def longest_output_tokens(self) -> int | None:
        known = [longest_output_for(model, "") for model in self.models]
        return min((each for each in known if each is not None), default=None)

    async def reply(self, request: Request) -> Reply:
        errors = []
        for model in self.models:
            try:
                return await model.reply(request)
            except ModelError as error:
                errors.append((model.name, error))
        kind = errors[-1][1].kind
        raise ModelError(kind, "no model replied: " + "; ".join(f"{name}: {error}" for name, error in errors))

    async def close(self) -> None:
        for model in self.models:
            await close(model)

    def __repr__(self) -> str:
        return f"Fallback({', '.join(map(repr, self.models))})"
