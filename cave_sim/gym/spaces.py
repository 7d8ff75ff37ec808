"""What both environments share: cells as actions, plain data as observations, and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.loading.extras import extra
from cave_sim.policy.syntax import MAX_CELL_CHARS

with extra("gym", "an environment"):
    from gymnasium import Space
    from pettingzoo import ParallelEnv

HARMLESS = ("", "print(clock.text)")
PerAgent = dict[str, Any]
StepResult = tuple[PerAgent, dict[str, float], dict[str, bool], dict[str, bool], dict[str, PerAgent]]


class CellSpace(Space[str]):  # type: ignore[misc]
    """Cells: texts that are short enough to run. What is drawn from it are a few given ones.

    Args:
        samples: what :meth:`sample` draws from.
    """

    def __init__(self, samples: Sequence[str] = HARMLESS) -> None:
        super().__init__(dtype=str)
        self.samples: tuple[str, ...] = tuple(samples)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return one of the samples."""
        return self.samples[int(self.np_random.integers(len(self.samples)))]

    def contains(self, x: Any) -> bool:
        """Say whether it is a text of a cell's length."""
        return isinstance(x, str) and len(x) <= MAX_CELL_CHARS


class DataSpace(Space[dict[str, Any]]):  # type: ignore[misc]
    """Observations: dicts of plain data. It cannot be drawn from: what a world shows is for the world to say."""

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """Return an observation of nothing."""
        return {}

    def contains(self, x: Any) -> bool:
        """Say whether it is a dict."""
        return isinstance(x, dict)


class WorldEnv(ParallelEnv):  # type: ignore[misc]
    """What both kinds share: names, spaces, and no pictures."""

    def __init__(self, agents: Sequence[str], samples: Sequence[str]) -> None:
        self.possible_agents: list[str] = list(agents)
        self.agents: list[str] = []
        self.render_mode: str | None = None
        self._samples = samples
        self._observations: dict[str, DataSpace] = {}
        self._actions: dict[str, CellSpace] = {}

    def observation_space(self, agent: str) -> DataSpace:
        """Return the space of an agent's observations."""
        return self._observations.setdefault(agent, DataSpace())

    def action_space(self, agent: str) -> CellSpace:
        """Return the space of an agent's cells."""
        return self._actions.setdefault(agent, CellSpace(self._samples))

    def expect_begun(self) -> None:
        """Refuse a step where nobody is to act: before the first reset, and once everybody is done."""
        if not self.agents:
            raise WorldError(f"{type(self).__name__}.step: nobody is to act, as before reset() and at the end")

    def render(self) -> None:
        """Draw nothing; a live page is in the package dashboards."""
