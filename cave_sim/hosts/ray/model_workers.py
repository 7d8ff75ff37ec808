"""Language models on Ray: a batch's questions spread over actors, on as many machines as there are.

A model behind an HTTP server needs none of this, the simulation asks it a thousand things at once by itself. It pays
where answering takes processors: models in the process, and tokenisers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.hosts.ray.cluster import library, start
from cave_sim.models.base import Model, Reply, Request
from cave_sim.models.client import Answer
from cave_sim.models.prices import Price
from cave_sim.models.wrapped import close, longest_output_for


class _ModelActor:
    """Answers with a model of its own; Ray makes actors of this class."""

    def __init__(self, make: Callable[[], Model]) -> None:
        self._model = make()

    async def about(self) -> tuple[str, int, Price | None, int | None]:
        model = self._model
        return model.name, model.window_tokens, model.price, longest_output_for(model, "")

    async def reply(self, request: Request) -> Answer:
        try:
            return await self._model.reply(request)
        except Exception as error:  # it must arrive as what it is, not as Ray's account of it
            return error  # type: ignore[return-value]

    async def close(self) -> None:
        await close(self._model)


class PooledModel:
    """A model that answers in a pool of actors, each with its own copy; a request goes to the one with least to do."""

    def __init__(self, actors: list[Any]) -> None:
        self.name: str
        self.window_tokens: int
        self.price: Price | None
        self.longest_output_tokens: int | None
        about = library().get(actors[0].about.remote())
        self.name, self.window_tokens, self.price, self.longest_output_tokens = about
        self._actors = actors
        self._busy = [0] * len(actors)

    async def reply(self, request: Request) -> Reply:
        place = min(range(len(self._busy)), key=self._busy.__getitem__)
        self._busy[place] += 1
        try:
            answer = await self._actors[place].reply.remote(request)
        finally:
            self._busy[place] -= 1
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    async def close(self) -> None:
        """End the actors."""
        ray = library()
        for actor in self._actors:
            await actor.close.remote()
            ray.kill(actor)
        self._actors = []


def pool_of(make: Callable[[], Model], actors: int = 2, *, address: str | None = None) -> PooledModel:
    """Return a model that runs in so many actors; replies, and so every hash, are those of the model itself.

    Args:
        make: makes the model, once in each actor, such as ``ModelChoice("local", gguf=...).open``.
        actors: how many.
        address: of a Ray cluster; None for one on this machine.
    """
    start(address)
    actor_class = library().remote(_ModelActor).options(num_cpus=0, max_restarts=-1)
    return PooledModel([actor_class.remote(make) for _ in range(actors)])
