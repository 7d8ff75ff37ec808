"""Conditions of a scenario that say the same: their runs are alike, and a difference between them is never found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cave_sim.replay.settings import defaults_of
from cave_sim.replay.simulation_names import find
from cave_sim.scenario.findings import Findings
from cave_sim.scenario.plans import ScenarioTrial, TrialPlan, plan_of
from cave_sim.scenario.points import telling_points
from cave_sim.scenario.schema import Scenario


def tell_alike(scenario: Scenario, findings: Findings) -> None:
    """Note each condition under which the same is run as under an earlier one, whatever the parameters' values."""
    points, seed = list(enumerate(telling_points(scenario))), scenario.all_seeds()[0]
    usual = defaults_of(find(scenario.simulation))
    earlier: dict[str, list[TrialPlan]] = {}
    for name in scenario.conditions:
        plans = [_in_full(plan_of(scenario, ScenarioTrial(name, *at, seed)), usual) for at in points]
        if (same := next((other for other, theirs in earlier.items() if theirs == plans), None)) is None:
            earlier[name] = plans
        else:
            message = f"this says the same as {same}, so that no run will differ: take it out, or say what is different"
            findings.warning(("conditions", name), message)


def _in_full(plan: TrialPlan, usual: Mapping[str, Any]) -> TrialPlan:
    """Return a plan with what is usual written out: an option that is given at its default makes no difference."""
    return replace(plan, recipe=replace(plan.recipe, create={**usual, **plan.recipe.create}))
