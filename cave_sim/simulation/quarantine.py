"""Quarantine: an agent whose own requests fail again and again is left alone for a while, longer each time.

What befalls everybody is no fault of an agent's (:mod:`cave_sim.simulation.outages`). What counts is that its requests
are refused, do not fit or are answered with nothing at all, but a refusal, or what is cut off before there is a cell,
while others are served.
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
        outcome = outcome_of(answer) if isinstance(answer, Reply) else ""
        if outcome == "complete":
            self._served(agent)
        if outcome in ("complete", "truncated") or (isinstance(answer, ModelError) and answer.kind in NOT_ITS_OWN):
            return None  # what came of a reply that was cut off, its agent says
        return self._failed(agent, step)

    def note_cut(self, agent: str, step: int, *, has_cell: bool) -> dict[str, Any] | None:
        """Take in what came of replies that were cut off to the last: a cell all the same, or nothing at all."""
        if not has_cell:
            return self._failed(agent, step)
        self._served(agent)
        return None

    def _served(self, agent: str) -> None:
        self._failures.pop(agent, None)
        self._until.pop(agent, None)

    def _failed(self, agent: str, step: int) -> dict[str, Any] | None:
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
