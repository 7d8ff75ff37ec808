"""``cave-sim check``: what is wrong with a scenario, and what its study will take, before anything is spent."""

from __future__ import annotations

import argparse
import json
import sys

from cave_sim.cli.options.scenario_study import (
    is_scenario,
    refuse_what_is_of_simulations,
    scenario_file,
    scenario_of_simulation,
    with_model,
)
from cave_sim.diagnostics.durations import duration
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.history.measures_by_name import as_named
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.estimate import Outlay, estimate
from cave_sim.scenario.marks import MarkedText
from cave_sim.scenario.reading import load_marked


def call(options: argparse.Namespace) -> int:
    """Check, estimate, and say so; 1 if something cannot work."""
    if is_scenario(options.scenario):
        refuse_what_is_of_simulations(options)
        scenario, text = load_marked(scenario_file(options.scenario))
    else:
        scenario = scenario_of_simulation(options.scenario, options)
        text = MarkedText(options.scenario, scenario.to_data(), {})
    scenario = with_model(scenario, options)
    findings = check_scenario(scenario, text)
    outlay = None
    if not findings.problems:
        try:
            outlay = estimate(scenario, scenario.all_seeds(options.seeds))
        except WorldError as error:  # in one of the steps that are run for it
            findings.failure(error)
    if options.json:
        lists = {"problems": findings.problems, "warnings": findings.warnings}
        print(json.dumps({**lists, "estimate": None if outlay is None else outlay.to_data()}, indent=2))
        return 1 if findings.problems else 0
    for line in findings.problems:
        print(f"cave-sim: {line}", file=sys.stderr)
    for line in findings.warnings:
        print(f"warning: {line}")
    if outlay is not None:
        minds = scenario.model or any(condition.model for condition in scenario.conditions.values())
        print("\n".join(_lines(outlay, shares=not scenario.outcomes, minds=bool(minds))))
    if not is_scenario(options.scenario):
        measured = ", ".join(map(as_named, findings.measures)) or "nothing"
        print(f"it measures {measured}; what else a scenario can name: cave-sim list {options.scenario}")
    return 1 if findings.problems else 0


def _lines(outlay: Outlay, *, shares: bool, minds: bool) -> list[str]:
    """Return the estimate in words."""
    shared = "; those that conditions share are run once" if shares else ""
    lines = [
        "nothing is wrong",
        f"trials: {outlay.trials:,}, with {counted(outlay.steps, 'step')} at most{shared}",
        f"time: about {duration(outlay.seconds)} of one processor",
    ]
    if outlay.calls is None:
        lines.append("model: a script, which costs nothing" if minds else "model: none is asked")
    else:
        tokens = f"{outlay.prompt_tokens or 0:,} tokens read and {outlay.completion_tokens or 0:,} written"
        money = "nobody knows its price" if outlay.money_usd is None else f"about {outlay.money_usd:,.2f} US dollars"
        lines.append(f"model: about {counted(outlay.calls, 'call')}, {tokens}; {money}; waiting for it comes on top")
    return [*lines, f"this rests on {outlay.rests_on}"]
