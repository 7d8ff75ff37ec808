"""Wrappers: models around another, that add one thing each, and what a model may say beside its replies."""

from __future__ import annotations

from inspect import isawaitable
from typing import Any

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.models.base import Model, ModelError, Reply, Request, Sampling
from cave_sim.models.prices import Price

LEFT_TO_AGENTS = Sampling()


class Wrapped:
    """A model around another, whose name, window and price it has: the base of retries, limits, budgets, chaos.

    Args:
        model: the other.

    Raises:
        TypeError: it is no model.
    """

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model | Wrapped):
            raise TypeError(f"{type(self).__name__}({model!r}): wraps a model of cave_sim.models, or one of your own")
        self.model = model

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def window_tokens(self) -> int:
        return self.model.window_tokens

    @property
    def longest_output_tokens(self) -> int | None:
        return longest_output_for(self.model, "")

    @property
    def price(self) -> Price | None:
        return self.model.price

    def sampling_for(self, agent: str) -> Sampling:
        """Return how replies to an agent are to be drawn."""
        return sampling_for(self.model, agent)

    def window_for(self, agent: str) -> int:
        """Return the window of the model that an agent asks."""
        return window_for(self.model, agent)

    def longest_output_for(self, agent: str) -> int | None:
        """Return the longest output of the model that an agent asks; None if nobody knows."""
        return longest_output_for(self.model, agent)

    @property
    def step_deadline_s(self) -> float | None:
        """How long a step waits for its replies; None for as long as they take."""
        return step_deadline_of(self.model)

    async def close(self) -> None:
        """Close the model's connections on the running event loop."""
        await close(self.model)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"


class Tuned(Wrapped):
    """A model with how it is to be asked, whatever agents would ask for.

    Args:
        model: the model to ask.
        sampling: how its replies are to be drawn.
        step_deadline_s: how long a step waits for its replies; None for as long as they take.
    """

    def __init__(self, model: Model, sampling: Sampling, step_deadline_s: float | None = None) -> None:
        super().__init__(model)
        self.sampling = sampling
        self._step_deadline_s = step_deadline_s

    @property
    def step_deadline_s(self) -> float | None:
        return self._step_deadline_s

    def sampling_for(self, agent: str) -> Sampling:
        return self.sampling

    async def reply(self, request: Request) -> Reply:
        return await self.model.reply(self.sampling.applied_to(request))


class Windowed(Wrapped):
    """A model with a smaller window than its own, which refuses what does not fit as a provider does.

    So a script, which has no window, shows what becomes of agents in a small one.

    Args:
        model: the model to ask.
        window_tokens: of a request and its reply together, as the model counts.
    """

    def __init__(self, model: Model, window_tokens: int) -> None:
        super().__init__(model)
        self._window_tokens = window_tokens

    @property
    def window_tokens(self) -> int:
        return self._window_tokens

    def window_for(self, agent: str) -> int:
        return self._window_tokens

    async def reply(self, request: Request) -> Reply:
        reply = await self.model.reply(request)
        read, wanted = reply.usage.prompt_tokens, request.max_tokens or 0
        if read + wanted > self._window_tokens:
            said = f"{read:,} tokens, and {wanted:,} for the reply, exceed a window of {self._window_tokens:,} tokens"
            raise ModelError("too_long", said)
        return reply


def sampling_for(model: Model, agent: str) -> Sampling:
    """Return how a model's replies to an agent are to be drawn, if it says so at all."""
    of = getattr(model, "sampling_for", None)
    sampling: Sampling = of(agent) if of else LEFT_TO_AGENTS
    return sampling


def window_for(model: Model, agent: str) -> int:
    """Return the window of the model that an agent asks; 0 if nobody knows."""
    of = getattr(model, "window_for", None)
    window: int = of(agent) if of else getattr(model, "window_tokens", 0)
    return window


def longest_output_for(model: Model, agent: str) -> int | None:
    """Return the longest output of the model that an agent asks, in tokens; None if nobody knows."""
    of = getattr(model, "longest_output_for", None)
    longest: int | None = of(agent) if of else getattr(model, "longest_output_tokens", None)
    return longest


def step_deadline_of(model: Model) -> float | None:
    """Return how long a step waits for a model's replies; None for as long as they take."""
    seconds: float | None = getattr(model, "step_deadline_s", None)
    return seconds


async def reply_of(model: Model, request: Request) -> Reply:
    """Return what a model replies, which may be one of a user's own; raises TypeError if that is no Reply."""
    coming: Any = model.reply(request)
    is_async = isawaitable(coming)
    reply: Any = await coming if is_async else coming
    if is_async and isinstance(reply, Reply):
        return reply
    way_out = "return Reply(text), from cave_sim.models" if is_async else "write it as `async def reply(self, request)`"
    raise TypeError(f"{type(model).__name__}.reply(request) returned {shortened(repr(reply), 80)}: {way_out}")


async def close(model: Model) -> None:
    """Let a model close its connections on the running event loop, if it has a ``close`` at all."""
    if closing := getattr(model, "close", None):
        await closing()
