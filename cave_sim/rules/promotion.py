"""Promotion: a rule that emerged becomes one that is watched, or that the world demands."""

from __future__ import annotations

from cave_sim.history.condition import Condition
from cave_sim.scenario.schema import Scenario

KEPT = "rule_is_kept"
"""The measure that a scenario of a rule has: 1 while it is kept."""


def invariant_of(sentence: str, condition: str) -> str:
    """Return the line of Python that makes a world demand a condition; ``Condition`` is of ``history.condition``."""
    return f"world.invariant({sentence!r}, Condition({condition!r}).holds)"


def scenario_of_rule(scenario: Scenario, condition: str) -> Scenario:
    """Return a scenario that ends where a condition does not hold; one of a single state is measured as well."""
    data = {**scenario.to_data(), "stop": f"not ({condition})"}
    if not Condition(condition).looks_back:
        data["measures"] = {**scenario.to_data().get("measures", {}), KEPT: f"1 if {condition} else 0"}
    return Scenario.model_validate(data)
