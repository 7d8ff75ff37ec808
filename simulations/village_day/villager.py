"""Scripted residents with habits: they do what their plan says, and between times live as anyone does."""

from collections.abc import Mapping
from typing import Any

from cave_sim.agents.errands import due, keep, meetings
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.world.glance import with_parts


class Villager(ScriptedResident):
    """A scripted resident who keeps the habits in their plan."""

    def act(self, observation: Mapping[str, Any]) -> str:
        """Return the cell to run: a habit whose hour has come, or else what any scripted resident would do."""
        errand = due(observation)
        if errand:
            return keep(errand, observation)
        return super().act(with_parts(observation, {"plan": meetings(observation)}))


class VillageMayor(ScriptedMayor, Villager):
    """The mayor of a village, who has habits too: duty first."""
