"""Outcomes: what is read from the journal of a trial once it has ended, as who was told by whom, or what was paid."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.errors import WorldError
from cave_sim.journal.reader import Run, open_run
from cave_sim.replay import own_code
from cave_sim.scenario.findings import Findings
from cave_sim.scenario.over_steps import OverSteps
from cave_sim.scenario.parts import TrialOutcome
from cave_sim.scenario.plans import plan_of, trials_of
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.measuring import function_of
from cave_sim.simulation.runnable import number_of


def outcomes_of(run: Run, outcomes: Mapping[str, TrialOutcome], measures: Collection[str]) -> dict[str, float]:
    """Return what came of a run: a number by each name.

    Args:
        run: of a trial.
        outcomes: by name.
        measures: the names of all that is measured in it.

    Raises:
        WorldError: there is no such function or measure, it raised, or what it returned is no number.
    """
    values = {}
    for name, outcome in outcomes.items():
        if (over := OverSteps.read(outcome.value)) is not None:
            value = over.of(run, measures)
            values[name] = float("nan") if value is None else value
            continue
        own_code.reach(outcome.value)
        function = function_of(outcome.value, what="outcome")
        try:
            value = function(run)
        except (Exception, SystemExit) as error:  # a function of one's own may raise anything at all
            raised = f"{outcome.value} raised {type(error).__name__}: {error}{own_code.told_place(error)}"
            raise WorldError(f"outcome {name!r}: {raised}") from error
        values[name] = float("nan") if value is None else number_of(name, value, "outcome")
    return values


def check_outcomes(scenario: Scenario, findings: Findings) -> None:
    """Note outcomes that there are not, and what they come to for a run that has no step yet."""
    if not scenario.outcomes or findings.problems:  # a world that cannot be made leaves no journal
        return
    (first, *_), *_ = trials_of(scenario, scenario.all_seeds()[:1])
    with TemporaryDirectory() as base:
        folder = Path(base) / "run"
        simulation = plan_of(scenario, first).recipe.without_model().make(folder)
        simulation.close()
        for name, outcome in scenario.outcomes.items():
            try:
                with open_run(folder) as run:
                    outcomes_of(run, {name: outcome}, {**simulation.measures, **scenario.measures})
            except (Exception, SystemExit) as error:  # so may the module that it is of
                message = str(error).removeprefix(f"outcome {name!r}: ") or type(error).__name__
                if error.__cause__:
                    findings.warning(("outcomes", name), f"of a run without steps: {message}")
                else:
                    findings.problem(("outcomes", name), message)
