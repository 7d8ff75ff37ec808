"""How fast and how much at once a provider may be asked: what it allows, and what turns out to work."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.prices import provider_of
from cave_sim.models.tokens import TokenCounter, offline_counter
from cave_sim.models.wrapped import Wrapped

LOG = logging.getLogger(__name__)
SHOWN_FROM_S = 5.0
"""Pauses that are shorter are not worth a line."""


@dataclass(frozen=True)
class Rate:
    """What a provider allows, and how much of it to try at once.

    Attributes:
        requests_per_minute: None for no limit.
        tokens_per_minute: read and written, as estimated before the call; None for no limit.
        start_in_flight: requests at once to begin with.
        most_in_flight: requests at once at the most.
        cut: what is left of the number at once when the provider is overloaded, in (0, 1).
        longest_pause_s: how long nobody asks at the most, however long a pause the provider wants.
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    start_in_flight: int = 16
    most_in_flight: int = 1_024
    cut: float = 0.5
    longest_pause_s: float = 60.0

    def __post_init__(self) -> None:
        if not 1 <= self.start_in_flight <= self.most_in_flight:
            raise ValueError(f"start_in_flight={self.start_in_flight} is not in 1..{self.most_in_flight}")
        if not 0 < self.cut < 1:
            raise ValueError(f"cut={self.cut} is not between 0 and 1")
        if any(limit is not None and limit <= 0 for limit in (self.requests_per_minute, self.tokens_per_minute)):
            raise ValueError(f"{self}: a limit a minute is more than 0, or None for no limit")


class Throttle:
    """Lets requests through to one provider: ``async with throttle.slot(tokens)`` around each.

    How many may be in flight is found out as TCP does: the number doubles with each round of successes until the
    provider is overloaded for the first time, is cut then and at each overload, and grows by one a round after that
    (additive increase, multiplicative decrease). A burst of failures counts as one overload: only requests that
    began after the last cut can cause another. First come, first served.

    Args:
        rate: what the provider allows.
        clock: seconds on a clock that never goes back, for tests.
        sleep: how to wait, for tests.

    Attributes:
        limit: how many requests may be in flight now; a fraction counts towards the next.
        in_flight: how many are.
        peak_in_flight: how many ever were.
    """

    def __init__(
        self,
        rate: Rate | None = None,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.rate: Rate = rate or Rate()
        self.limit: float = float(self.rate.start_in_flight)
        self.in_flight: int = 0
        self.peak_in_flight: int = 0
        self._clock = clock
        self._sleep = sleep
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._started = self._last_cut = 0
        self._requests_due_s = self._tokens_due_s = self._closed_until_s = float("-inf")

    @asynccontextmanager
    async def slot(self, tokens: int = 0) -> AsyncIterator[None]:
        """Wait for a place and for the rate; on leaving, learn from how it went.

        Args:
            tokens: how many the request will take, read and written.
        """
        await self._enter()
        try:
            await self._pace(tokens)
            self._started += 1
            number = self._started
            try:
                yield
            except ModelError as error:
                self._failed(error, number)
                raise
            self._succeeded()
        finally:
            self.in_flight -= 1
            self._admit()

    async def _enter(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it had been let in, and leaves again
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
                place.set_result(None)

    async def _pace(self, tokens: int) -> None:
        """Wait until the rate allows this request; each books its share of time after those before it."""
        now_s = self._clock()
        start_s = max(now_s, self._requests_due_s, self._tokens_due_s)
        self._requests_due_s = start_s + _minutes_of(1, self.rate.requests_per_minute) * 60
        self._tokens_due_s = start_s + _minutes_of(tokens, self.rate.tokens_per_minute) * 60
        while (wait_s := max(start_s, self._closed_until_s) - now_s) > 0:
            await self._sleep(wait_s)
            now_s = self._clock()

    def _succeeded(self) -> None:
        if self.in_flight * 2 < self.limit:
            return  # a success among few says nothing about many
        growth = 1 / self.limit if self._last_cut else 1.0
        self.limit = min(self.limit + growth, self.rate.most_in_flight)

    def _failed(self, error: ModelError, number: int) -> None:
        if not error.is_retried:
            return
        if error.retry_after_s:
            self._pause(error.retry_after_s)
        if number > self._last_cut:
            self._last_cut = self._started
            self.limit = max(1.0, self.limit * self.rate.cut)

    def _pause(self, wanted_s: float) -> None:
        """Let nobody ask for a while, and say so if it is long; a provider may name an hour, or the year 2099."""
        pause_s = min(wanted_s, self.rate.longest_pause_s)
        until_s = self._clock() + pause_s
        if pause_s >= SHOWN_FROM_S and until_s > self._closed_until_s + SHOWN_FROM_S:
            LOG.warning("the model's provider wants a pause of %.0f s; nobody is asked for %.0f s", wanted_s, pause_s)
        self._closed_until_s = max(self._closed_until_s, until_s)


class Throttles:
    """One throttle for each provider, made when it is first asked for.

    Args:
        rates: provider -> rate.
        default: the rate of all others.
    """

    def __init__(self, rates: dict[str, Rate] | None = None, default: Rate | None = None) -> None:
        self._rates = rates or {}
        self._default = default or Rate()
        self._throttles: dict[str, Throttle] = {}

    def __getitem__(self, provider: str) -> Throttle:
        if provider not in self._throttles:
            self._throttles[provider] = Throttle(self._rates.get(provider, self._default))
        return self._throttles[provider]

    def line(self, server: str, rate: Rate) -> Throttle:
        """Return the throttle of a server, with a rate of its own when it is first asked for."""
        return self._throttles.setdefault(server, Throttle(rate))


class Throttled(Wrapped):
    """A model that is asked no faster than its provider's throttle lets it be.

    Args:
        model: the model to ask.
        throttle: its own, or one it shares with other models of its provider.
        counter: estimates the tokens of a request.
    """

    def __init__(
        self, model: Model, throttle: Throttle | Throttles | None = None, *, counter: TokenCounter | None = None
    ) -> None:
        super().__init__(model)
        own = throttle[provider_of(model.name)] if isinstance(throttle, Throttles) else throttle
        self.throttle: Throttle = own or Throttle()
        self.counter: TokenCounter = counter or offline_counter()

    async def reply(self, request: Request) -> Reply:
        counts = self.throttle.rate.tokens_per_minute is not None
        tokens = self.counter.of_request(request) + (request.max_tokens or 0) if counts else 0
        async with self.throttle.slot(tokens):
            return await self.model.reply(request)


def _minutes_of(amount: float, per_minute: float | None) -> float:
    return 0.0 if per_minute is None else amount / per_minute
