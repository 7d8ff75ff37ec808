"""What is taken out of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from cave_sim.causes.candidate import Candidate
from cave_sim.simulation.silence import Silence


@dataclass(frozen=True)
class Removal:
    """What is not done in a counterfactual.

    Attributes:
        silence: who does not act when.
        turns: cells that were submitted live and are not, by the turns that they were.
        plans: planned interventions that are not done, by their keys.
    """

    silence: Silence = field(default_factory=Silence)
    turns: frozenset[int] = frozenset()
    plans: frozenset[str] = frozenset()

    @classmethod
    def of(cls, taken: Iterable[Candidate]) -> Self:
        """Return the removal of all of some candidates."""
        taken = list(taken)
        live = (turn for each in taken if each.kind == "interventions" and not each.plan for turn in each.turns)
        silence = Silence(
            frozenset(each.agent for each in taken if each.kind == "agents"),
            frozenset((each.agent, each.step) for each in taken if each.kind == "turns"),
        )
        return cls(silence, frozenset(live), frozenset(each.plan for each in taken if each.plan))

    @classmethod
    def of_all_but(cls, kept: Iterable[Candidate]) -> Self:
        """Return the removal of whatever agents do, at any time, but for some turns."""
        return cls(Silence(only=frozenset((each.agent, each.step) for each in kept)))

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data: the same for the same removal."""
        silence = self.silence
        return {
            "agents": sorted(silence.agents),
            "moments": [list(moment) for moment in sorted(silence.moments)],
            "all_but": None if silence.only is None else [list(moment) for moment in sorted(silence.only)],
            "turns": sorted(self.turns),
            "plans": sorted(self.plans),
        }
