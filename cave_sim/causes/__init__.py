"""Why: what a run would have come to without something that was done in it. Causes, not correlations."""

from cave_sim.causes.candidate import Candidate, candidates
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.question import Asked
from cave_sim.causes.ranking import Effect, effects, ranked
from cave_sim.causes.removal import Removal
from cave_sim.causes.shapley import Shares, shapley
from cave_sim.causes.shortest import Shortest, shortest_cause

__all__ = [
    "Asked",
    "Candidate",
    "Counterfactuals",
    "Effect",
    "Removal",
    "Shares",
    "Shortest",
    "candidates",
    "effects",
    "ranked",
    "shapley",
    "shortest_cause",
]  # fmt: skip
