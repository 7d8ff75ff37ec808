"""The trials of a search: an experiment as any, whose points are named by what they are, so that each is run once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.experiment.runner import TRIALS
from cave_sim.models.budget import Budgets
from cave_sim.scenario.plans import ScenarioTrial, TrialPlan, plan_of
from cave_sim.scenario.points import Point
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.trial import TrialResult, finished, run_trial, same_until

KIND = "search"


@dataclass(frozen=True)
class SearchTrials:
    """Some points of a scenario, each with all seeds.

    Attributes:
        scenario: with its goal among the measures.
        goal: the goal in words.
        condition: of the scenario.
        usual: the point at which nothing is changed; what others have in common with it is run once.
        points: those to be tried.
        seeds: of the worlds.
    """

    scenario: Scenario
    goal: str
    condition: str
    usual: Point
    points: tuple[Point, ...]
    seeds: tuple[int, ...]

    def trial(self, point: Point, seed: int) -> ScenarioTrial:
        """Return the trial of a point, which has the same name whenever it is tried."""
        digest = hashlib.sha256(json.dumps(point).encode()).hexdigest()
        return ScenarioTrial(self.condition, int(digest[:12], 16), point, seed)

    def about(self) -> dict[str, Any]:
        """Return what its folder is bound to."""
        described = {key: value for key, value in self.scenario.to_data().items() if key not in ("seed", "seeds")}
        return {
            "kind": KIND,
            "goal": self.goal,
            "scenario": described,
            "condition": self.condition,
            "seeds": list(self.seeds),
        }

    def blocks(self) -> Sequence[Sequence[ScenarioTrial]]:
        """Return the trials, each a block by itself."""
        return [[self.trial(point, seed)] for point in self.points for seed in self.seeds]

    def finished(self, trial: ScenarioTrial, out: Path) -> TrialResult | None:
        """Return the result that a trial's folder holds; None if it was not finished."""
        return finished(out / TRIALS / str(trial))

    def attempt(self, trial: ScenarioTrial, out: Path, budgets: Budgets) -> TrialResult | None:
        """Run a trial, or go on with it; from the steps that it has in common with the usual one."""
        plan, folder = plan_of(self.scenario, trial), out / TRIALS / str(trial)
        return run_trial(plan, folder, budgets, branch=self._branch(trial, plan, out))

    def _branch(self, trial: ScenarioTrial, plan: TrialPlan, out: Path) -> tuple[Path, int] | None:
        usual = self.trial(self.usual, trial.seed)
        folder = out / TRIALS / str(usual)
        if trial == usual or finished(folder) is None:
            return None
        other = plan_of(self.scenario, usual)
        differing = plan.differs_from(other)
        if differing is None:
            return None
        moments = [each.at for each in plan.recipe.interventions if each.key in differing]
        steps = [moment for moment in moments if isinstance(moment, int)]
        if len(steps) < len(moments):
            return None  # when a condition would have turned true is not known of a run that did not look
        common = min([same_until(folder, differing), *steps])
        return (folder, common) if common > 0 else None
