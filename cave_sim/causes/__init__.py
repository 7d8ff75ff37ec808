"""Why: what a run would have come to without a turn, an agent or an intervention. Causes, not correlations."""

from cave_sim.causes.candidate import Candidate, candidates
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.question import Asked
from cave_sim.causes.ranking import Effect, effects, ranked
from cave_sim.causes.removal import Removal
from cave_sim.causes.shortest import Shortest, shortest_cause

__all__ = [
    "Asked",
    "Candidate",
    "Counterfactuals",
    "Effect",
    "Removal",
    "Shortest",
    "candidates",
    "effects",
    "ranked",
    "shortest_cause",
]  # fmt: skip
