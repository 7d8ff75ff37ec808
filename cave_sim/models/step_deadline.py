"""A deadline for each step: whoever thinks longer is not waited for, and acts in the next step on the reply that comes.

What an agent got is what is recorded, inside of which all of this happens: in the step of the question a failure that
says ``late``, in the next one the reply, which says how late it is. So a replay, a resumed run and a branch do the same
without any clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import monotonic

from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.wrapped import Wrapped


class StepClock:
    """How long a step has waited for models; what its cells take does not count.

    Args:
        clock: seconds on a clock that never goes back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._is_in_step = False
        self._waited_s = self._since_s = 0.0
        self._waiting = 0

    def begin(self) -> None:
        """Start anew with a step."""
        self._is_in_step, self._waited_s = True, 0.0

    def end(self) -> None:
        """Between two steps there is no deadline."""
        self._is_in_step = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time in here; what is waited for at once counts once."""
        if not self._waiting:
            self._since_s = self._clock()
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._waited_s += self._clock() - self._since_s

    def left_s(self, deadline_s: float) -> float | None:
        """Return how much of a deadline is left, asked while waiting; None between two steps."""
        if not self._is_in_step:
            return None
        return max(0.0, deadline_s - self._waited_s - (self._clock() - self._since_s))


@dataclass(frozen=True, slots=True)
class _Open:
    """A question whose reply has not come: when it was asked, and in which step it was last waited for."""

    task: asyncio.Task[Reply]
    asked: int
    waited: int


class Punctual(Wrapped):
    """A model whose replies are waited for until the deadline of a step, and no longer.

    An agent has one question open at a time. Its first question in the next step is not asked: the late reply answers
    it, when it comes. An agent that asks nothing in the next step has lost it.

    Args:
        model: the model to ask.
        deadline_s: seconds that a step waits for models, all in all.
        clock: of the steps.
    """

    def __init__(self, model: Model, deadline_s: float, clock: StepClock) -> None:
        super().__init__(model)
        self.deadline_s = deadline_s
        self._clock = clock
        self._open: dict[str, _Open] = {}

    async def reply(self, request: Request) -> Reply:
        agent, step = request.key.agent, request.key.step
        late = self._open.pop(agent, None)
        if late is not None and late.waited == step:
            self._open[agent] = late
            raise self._late()
        if late is not None and late.waited < step - 1:
            late.task.cancel()
            late = None
        task = asyncio.ensure_future(self.model.reply(request)) if late is None else late.task
        asked = step if late is None else late.asked
        with self._clock.waiting():
            try:
                done, _ = await asyncio.wait({task}, timeout=self._clock.left_s(self.deadline_s))
            except asyncio.CancelledError:
                task.cancel()
                raise
        if not done:
            self._open[agent] = _Open(task, asked, step)
            raise self._late()
        reply = task.result()
        return replace(reply, late_by=step - asked) if step > asked else reply

    async def close(self) -> None:
        """Give up what is open, and close the model's connections."""
        for late in self._open.values():
            late.task.cancel()
        self._open = {}
        await super().close()

    def _late(self) -> ModelError:
        return ModelError(
            "late", f"{self.name}: no reply within the {self.deadline_s:g} s of this step; it acts when it has come"
        )
