"""A shortest cause as a scenario: whoever is to be silent in a step is paused then, which any run can be told."""

from __future__ import annotations

from collections.abc import Iterable

from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.removal import Removal
from cave_sim.errors import WorldError
from cave_sim.scenario.saving import scenario_of_run
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.treatment import Intervention

HELD = "condition_held"
"""The measure that a scenario of a cause has: 1 where the condition of the question holds."""
PAUSE_ALL = "for name in team:\n    team[name].pause()\n"


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
    planned = pauses(turns, counterfactuals.first, sufficient=sufficient)
    data = scenario_of_run(counterfactuals.folder).to_data()
    found = counterfactuals.outcome(Removal(pauses=planned), counterfactuals.first)
    if found.value is not sufficient:
        raise WorldError(f"with agents paused it does not come to the same{found.why and f': {found.why}'}")
    text = counterfactuals.question.text
    acts = [{"at": each.at, "cell": each.code} for each in planned]
    data |= {"interventions": [*acts, *data.get("interventions", ())], "steps": max(1, counterfactuals.at)}
    data |= {"measures": {**data.get("measures", {}), HELD: f"1 if {text} else 0"}, "stop": text}
    return Scenario.model_validate(data)


def pauses(turns: Iterable[Candidate], first: int, *, sufficient: bool) -> tuple[Intervention, ...]:
    """Return what pauses those who are to be silent and lets them go on, a cell for each moment at which that changes.

    Args:
        turns: who is silent when, or who alone is not.
        first: the step at which the run begins.
        sufficient: whether nobody else acts.
    """
    chosen: dict[int, set[str]] = {}
    for each in turns:
        chosen.setdefault(each.step, set()).add(each.agent)
    begins, ends = ("resume", "pause") if sufficient else ("pause", "resume")
    cells = {first: PAUSE_ALL} if sufficient else {}
    for step in sorted({*chosen, *(step + 1 for step in chosen)}):
        now, before = chosen.get(step, set()), chosen.get(step - 1, set())
        deeds = [(who, begins) for who in sorted(now - before)] + [(who, ends) for who in sorted(before - now)]
        lines = "".join(f"team[{who!r}].{deed}()\n" for who, deed in deeds)
        cells[step] = cells.get(step, "") + lines
    return tuple(Intervention(code, at=step) for step, code in sorted(cells.items()) if code)
