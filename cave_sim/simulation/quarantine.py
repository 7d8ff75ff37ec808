"""Quarantine: an agent whose own requests fail again and again is left alone for a while, longer each time.

What befalls everybody is no fault of an agent's (:mod:`cave_sim.simulation.outages`). What counts is that its requests
are refused, do not fit or are answered with nothing at all or but a refusal, while others are served.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim.capacity.stalls import outcome_of
from cave_sim.models.base import Kind, ModelError, Reply

QUARANTINE_AFTER = 5
"""Failed calls of one agent in a row after which it is left alone."""
FIRST_STEPS, MOST_STEPS = 5, 160
"""For how many steps at first, and at the most; each failure after that doubles them."""
NOT_ITS_OWN: frozenset[Kind] = frozenset({"rate_limited", "timeout", "late"})


class Quarantine:
    """Who is left alone, and until when."""

    def __init__(self) -> None:
        self._failures: dict[str, int] = {}
        self._until: dict[str, int] = {}

    def holds(self, agent: str, step: int) -> bool:
        """Say whether an agent is left alone in a step; the first step after that is its next chance."""
        return step < self._until.get(agent, 0)

    def agents(self, step: int) -> frozenset[str]:
        """Return who is left alone in a step."""
        return frozenset(agent for agent in self._until if self.holds(agent, step))

    def note(self, agent: str, answer: Reply | ModelError, step: int) -> dict[str, Any] | None:
        """Take in what came of a call; returns what to tell of an agent that is left alone from now on."""
        if isinstance(answer, Reply) and outcome_of(answer) not in ("withheld", "empty"):
            self._failures.pop(agent, None)
            self._until.pop(agent, None)
            return None
        if isinstance(answer, ModelError) and answer.kind in NOT_ITS_OWN:
            return None
        times = self._failures[agent] = self._failures.get(agent, 0) + 1
        if times < QUARANTINE_AFTER:
            return None
        steps = min(FIRST_STEPS * 2 ** min(times - QUARANTINE_AFTER, 30), MOST_STEPS)
        self._until[agent] = step + 1 + steps
        return {"agent": agent, "failures": times, "until": step + 1 + steps}

    def free(self) -> list[str]:
        """Let everybody be asked again; returns who was left alone."""
        freed = sorted(self._until)
        self._failures, self._until = {}, {}
        return freed

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"failures": dict(sorted(self._failures.items())), "silent_until": dict(sorted(self._until.items()))}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from what :meth:`to_data` returned."""
        self._failures, self._until = dict(data["failures"]), dict(data.get("silent_until", {}))
