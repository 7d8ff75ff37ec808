"""Different models for different agents, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from cave_sim.models.base import Model, Reply, Request
from cave_sim.models.wrapped import Wrapped, close, longest_output_for, window_for


class PerAgent(Wrapped):
    """Asks, for each agent, the model of the first pattern that its name fits, or else a default.

    Args:
        default: who answers all others; its name, window and price are what this one shows.
        models: patterns as in file names, such as ``mayor`` or ``clerk_*``, and models.
    """

    def __init__(self, default: Model, models: Mapping[str, Model]) -> None:
        super().__init__(default)
        self.models: dict[str, Model] = dict(models)
        self._by_name: dict[str, Model] = {}

    def of(self, agent: str) -> Model:
        """Return the model that an agent asks."""
        if agent not in self._by_name:
            fitting = (model for pattern, model in self.models.items() if fnmatchcase(agent, pattern))
            self._by_name[agent] = next(fitting, self.model)
        return self._by_name[agent]

    def window_for(self, agent: str) -> int:
        return window_for(self.of(agent), agent)

    def longest_output_for(self, agent: str) -> int | None:
        return longest_output_for(self.of(agent), agent)

    async def reply(self, request: Request) -> Reply:
        return await self.of(request.key.agent).reply(request)

    async def close(self) -> None:
        for model in (self.model, *self.models.values()):
            await close(model)

    def __repr__(self) -> str:
        return f"PerAgent({self.model!r}, {self.models!r})"


def model_of(model: Model, agent: str) -> Any:
    """Return the model that answers an agent, where models differ by agent; else the model itself."""
    return model.of(agent) if isinstance(model, PerAgent) else model
