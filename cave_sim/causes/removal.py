"""What is taken out of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from cave_sim.causes.announcement import Span, without
from cave_sim.causes.candidate import Candidate
from cave_sim.simulation.omission import Omission, Unsaid
from cave_sim.simulation.silence import Silence
from cave_sim.simulation.treatment import Intervention


@dataclass(frozen=True)
class Removal:
    """What is not done in a counterfactual.

    Attributes:
        silence: who does not act when.
        turns: cells that were submitted live and are not, by the turns that they were.
        plans: planned interventions that are not done, by their keys.
        omission: what is left out of what agents do and are asked.
        pauses: cells that are planned beside, which pause agents: the same as silence, as a scenario can say it.
    """

    silence: Silence = field(default_factory=Silence)
    turns: frozenset[int] = frozenset()
    plans: frozenset[str] = frozenset()
    omission: Omission = field(default_factory=Omission)
    pauses: tuple[Intervention, ...] = ()

    @classmethod
    def of(cls, taken: Iterable[Candidate]) -> Self:
        """Return the removal of all of some candidates."""
        taken = list(taken)
        live = (turn for each in taken if each.kind == "interventions" and not each.plan for turn in each.turns)
        silence = Silence(
            frozenset(each.agent for each in taken if each.kind == "agents"),
            frozenset((each.agent, each.step) for each in taken if each.kind == "turns"),
        )
        plans = frozenset(each.plan for each in taken if each.plan)
        parts = frozenset(each.part for each in taken if each.part)
        return cls(silence, frozenset(live), plans, Omission(_unsaid(taken), parts))

    @classmethod
    def of_all_but(cls, those: Iterable[Candidate]) -> Self:
        """Return the removal of whatever agents do, at any time, but for some turns."""
        return cls(Silence(only=frozenset((each.agent, each.step) for each in those)))

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data: the same for the same removal."""
        silence = self.silence
        return {
            "agents": sorted(silence.agents),
            "moments": [list(moment) for moment in sorted(silence.moments)],
            "all_but": None if silence.only is None else [list(moment) for moment in sorted(silence.only)],
            "turns": sorted(self.turns),
            "plans": sorted(self.plans),
            **({"prompt_parts": sorted(self.omission.parts)} if self.omission.parts else {}),
            **({"unsaid": _listed(self.omission.statements)} if self.omission.statements else {}),
            **({"pauses": [each.to_data() for each in self.pauses]} if self.pauses else {}),
        }


def _unsaid(taken: Iterable[Candidate]) -> frozenset[Unsaid]:
    """Return the cells without all that is taken out of each."""
    spans: dict[tuple[str, int, str], list[Span]] = {}
    for each in taken:
        if each.span is not None:
            spans.setdefault((each.agent, each.step, each.code), []).append(each.span)
    return frozenset(Unsaid(*cell, without(cell[2], own_spans)) for cell, own_spans in spans.items())


def _listed(statements: Iterable[Unsaid]) -> list[list[Any]]:
    return sorted([each.agent, each.step, each.code, each.instead] for each in statements)
