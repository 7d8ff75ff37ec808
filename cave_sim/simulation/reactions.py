"""Reactions: who deliberates again within a step, because cells of others have changed their entity in it.

So a talk happens within one step, line by line: whoever was spoken to answers, whoever was answered may answer in turn.
Every line is a cell and a turn as any other. It goes in rounds, and ends by itself: when a round has left nobody
something to react to, or when all whom it has have reacted as often as they may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cave_sim.changes.turn import Turn
from cave_sim.simulation.agents import Agent


class Reactions:
    """Those who are to react in the step under way, and how often they have."""

    def __init__(self) -> None:
        self._by: dict[str, dict[str, None]] = {}
        self._had: Counter[str] = Counter()

    def begin_step(self) -> None:
        """Forget the last step."""
        self._by.clear()
        self._had.clear()

    def hear(self, turn: Turn) -> None:
        """Take in a turn: whose entities another agent's cell changed."""
        if turn.kind == "cell":
            for change in turn.changes:
                if change.entity != turn.agent:
                    self._by.setdefault(change.entity, {})[turn.agent] = None

    def next_round(self, agents: Mapping[str, Agent]) -> dict[str, tuple[str, ...]]:
        """Return who reacts next, and to whom, both in the order of the turns that they react to."""
        changed, self._by = self._by, {}
        due = {
            name: tuple(by)
            for name, by in changed.items()
            if name in agents and self._had[name] < agents[name].reactions
        }
        self._had.update(due.keys())
        return due
