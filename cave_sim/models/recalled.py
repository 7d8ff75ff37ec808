"""Calls that need not be paid twice: a resumed run and a branch know what was answered before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.models.base import Model, ModelError, Reply, Request, Wrapped
from cave_sim.models.recorded import Cassette, stored_call


class Recalled(Wrapped):
    """A model that is only asked what a cassette does not know: same agent, step, attempt and request.

    Args:
        model: the model to ask for the rest.
        cassette: what was answered before.
        sink: takes each call that the cassette answered, such as a branch's journal; None where it is kept already.

    Attributes:
        reused: how many requests the cassette answered.
    """

    def __init__(
        self, model: Model, cassette: Cassette, sink: Callable[[dict[str, Any]], object] | None = None
    ) -> None:
        super().__init__(model)
        self.reused = 0
        self._cassette = cassette
        self._sink = sink

    async def reply(self, request: Request) -> Reply:
        found = self._cassette.answer(request.key, request.hash)
        if found is None or isinstance(found, ModelError):  # a failure may pass when it is tried again
            return await self.model.reply(request)
        self.reused += 1
        if self._sink is not None:
            self._sink(stored_call(self.model, request, found))
        return found
