"""A study of a scenario as an experiment: its conditions at each point with each seed, the same seeds for all.

The conditions of one seed are the same run until an intervention tells them apart. That prefix is run once: a trial
branches from the earlier one that it has most steps in common with.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.experiment.runner import TRIALS
from cave_sim.models.budget import Budgets
from cave_sim.replay.settings import settings
from cave_sim.replay.simulation_names import find
from cave_sim.scenario.plans import ScenarioTrial, TrialPlan, plan_of, trials_of, unused_parameters
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.trial import TrialResult, finished, run_trial, same_until
from cave_sim.simulation.treatment import Intervention

KIND = "scenario"


class ScenarioStudy:
    """A scenario, and with which seeds it is run. It is an :class:`~cave_sim.experiment.runner.Experiment`.

    Args:
        scenario: the scenario.
        seeds: of every condition; the scenario's unless given.
        shares_prefixes: whether steps that conditions have in common are run once; the results are the same. Where
            there are outcomes, each trial has all its steps in a journal of its own, to be read from it.
    """

    def __init__(self, scenario: Scenario, seeds: Sequence[int] | None = None, *, shares_prefixes: bool = True) -> None:
        self.scenario = scenario
        self.seeds: tuple[int, ...] = tuple(seeds or scenario.all_seeds())
        self.shares_prefixes: bool = shares_prefixes and not scenario.outcomes
        self._plans: dict[tuple[str, int], TrialPlan] = {}

    @classmethod
    def of_data(cls, text: str, seeds: Sequence[int], shares_prefixes: bool) -> Self:
        """Return the study of a scenario that was written down as JSON."""
        return cls(Scenario.model_validate(json.loads(text)), seeds, shares_prefixes=shares_prefixes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).of_data, (json.dumps(self.scenario.to_data()), self.seeds, self.shares_prefixes)

    def about(self) -> dict[str, Any]:
        """Return what its folder is bound to."""
        scenario = self.scenario
        return {
            "kind": KIND,
            "name": scenario.name,
            "question": scenario.question,
            "scenario": {key: value for key, value in scenario.to_data().items() if key not in ("seed", "seeds")},
            "conditions": list(scenario.conditions),
            "parameters": list(scenario.parameters),
            "seeds": list(self.seeds),
        }

    def blocks(self) -> Sequence[Sequence[ScenarioTrial]]:
        """Return the trials: all conditions at one point with one seed are a block.

        Raises:
            WorldError: there is no such simulation, an option does not fit, or a parameter changes nothing.
        """
        if unused := unused_parameters(self.scenario):
            near = did_you_mean(unused[0], settings(find(self.scenario.simulation)))
            raise WorldError(
                f"parameters.{unused[0]}: {self.scenario.simulation} has no such option, and nothing has a place"
                f" for ${{{unused[0]}}}.{near}"
            )
        blocks = trials_of(self.scenario, self.seeds)
        for trial in {(each.condition, each.number): each for block in blocks for each in block}.values():
            self.plan(trial)
        return blocks

    def finished(self, trial: ScenarioTrial, out: Path) -> TrialResult | None:
        """Return the result that a trial's folder holds; None if it was not finished."""
        return finished(out / TRIALS / str(trial))

    def attempt(self, trial: ScenarioTrial, out: Path, budgets: Budgets) -> TrialResult | None:
        """Run a trial, or go on with it; from the steps that it has in common with an earlier one of its block."""
        return run_trial(
            self.plan(trial),
            out / TRIALS / str(trial),
            budgets,
            branch=self._branch(trial, out) if self.shares_prefixes else None,
            probes=self._probes(trial) if self.shares_prefixes else (),
            surveys=self.scenario.surveys,
            outcomes=self.scenario.outcomes,
        )

    def plan(self, trial: ScenarioTrial) -> TrialPlan:
        """Return what a trial runs."""
        arm = trial.condition, trial.number
        if arm not in self._plans:
            self._plans[arm] = plan_of(self.scenario, trial)
        return self._plans[arm].at_seed(trial.seed)

    def _block(self, trial: ScenarioTrial) -> list[ScenarioTrial]:
        return [
            ScenarioTrial(condition, trial.number, trial.point, trial.seed) for condition in self.scenario.conditions
        ]

    def _branch(self, trial: ScenarioTrial, out: Path) -> tuple[Path, int] | None:
        """Return the earlier trial of the block that has most steps in common, and how many."""
        best: tuple[Path, int] | None = None
        for other in self._block(trial):
            if other == trial:
                break
            differing = self.plan(trial).differs_from(self.plan(other))
            folder = out / TRIALS / str(other)
            if differing is None or finished(folder) is None:
                continue
            common = same_until(folder, differing)
            if common > (best[1] if best else 0):
                best = folder, common
        return best

    def _probes(self, trial: ScenarioTrial) -> list[Intervention]:
        """Return the interventions of the block's other trials: when they would come tells what can be shared."""
        others = [each for other in self._block(trial) for each in self.plan(other).recipe.interventions]
        own = self.plan(trial).recipe.interventions
        return list({each.key: each for each in others if each not in own}.values())
