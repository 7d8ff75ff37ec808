"""Silence: who does not act when. A run that has it is what would have been without what they did."""

from __future__ import annotations

from dataclasses import dataclass

WITHOUT = "without"
"""The entry of a manifest that says what a fork was lived without."""
Moment = tuple[str, int]
"""An agent, and the step that the clock shows as the agent would act."""


@dataclass(frozen=True)
class Silence:
    """Agents who are not asked to act, nor to react; the world, and everybody else, goes on.

    Attributes:
        agents: these never act.
        moments: these do not act then.
        only: nobody acts but these then; None where that is no matter.
    """

    agents: frozenset[str] = frozenset()
    moments: frozenset[Moment] = frozenset()
    only: frozenset[Moment] | None = None

    def holds(self, agent: str, step: int) -> bool:
        """Say whether an agent is silent in a step."""
        moment = (agent, step)
        return agent in self.agents or moment in self.moments or (self.only is not None and moment not in self.only)
