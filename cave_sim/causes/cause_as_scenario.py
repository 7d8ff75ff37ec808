"""A shortest cause as a scenario, which is run again, also under other seeds, and measures whether it holds."""

from __future__ import annotations

from collections.abc import Iterable

from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.removal import Removal
from cave_sim.errors import WorldError
from cave_sim.scenario.pauses import pauses
from cave_sim.scenario.saving import scenario_of_run
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.silence import Silence

HELD = "condition_held"
"""The measure that a scenario of a cause has: 1 where the condition of the question holds."""


def scenario_of_cause(counterfactuals: Counterfactuals, turns: Iterable[Candidate], *, sufficient: bool) -> Scenario:
    """Return the scenario of a run in which some turns are not done, or nothing but these; it ends where it holds.

    Args:
        counterfactuals: of the run, checked, of a condition that is asked for with ``ever``.
        turns: those that are left out, or all that is done.
        sufficient: whether they are all that is done.

    Raises:
        WorldError: a scenario cannot say how the run was made, or a fork with these pauses does not come to the same:
            somebody acts who is no entity, or comes later.
    """
    moments = frozenset((each.agent, each.step) for each in turns)
    silence = Silence(only=moments) if sufficient else Silence(moments=moments)
    planned = pauses(silence, counterfactuals.first)
    data = scenario_of_run(counterfactuals.folder).to_data()
    result = counterfactuals.outcome(Removal(pauses=planned), counterfactuals.first)
    if result.value is not sufficient:
        raise WorldError(f"with agents paused it does not come to the same{result.why and f': {result.why}'}")
    text = counterfactuals.question.text
    acts = [{"at": each.at, "cell": each.code} for each in planned]
    data |= {"interventions": [*acts, *data.get("interventions", ())], "steps": max(1, counterfactuals.at)}
    data |= {"measures": {**data.get("measures", {}), HELD: f"1 if {text} else 0"}, "stop": text}
    return Scenario.model_validate(data)
