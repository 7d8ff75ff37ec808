"""``cave-sim prompts``: which part of the prompts of a run costs what, and how stable it is."""

from __future__ import annotations

import argparse

from cave_sim.cli.options import json_output, output_file
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.history.prompts import PromptCosts, prompt_costs
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting


def call(options: argparse.Namespace) -> int:
    """Print a line for each agent, and one for each part of its prompts, in the order in which they are sent."""
    if options.growth:
        return _show_growth(options)
    if options.plot is not None:
        raise JournalError("--plot draws how prompts grow: give --growth as well")
    with open_run(options.run) as run, suspecting(run):
        costs = prompt_costs(run, options.agent)
    if options.json:
        json_output.show([each.to_data() for each in costs])
    else:
        print("\n".join(line for each in costs for line in lines(each)))
    return 0


def _show_growth(options: argparse.Namespace) -> int:
    """Print how long prompts were day by day, and draw that if asked to."""
    from cave_sim.analysis import prompt_growth as growth

    if options.plot is not None and options.plot.suffix not in growth.DRAWN:
        raise JournalError(f"{options.plot}: a plot is a file that ends in {' or '.join(growth.DRAWN)}")
    output_file.expect_place("--plot", options.plot)
    with open_run(options.run) as run, suspecting(run):
        prompt_growth = growth.prompt_growth(run, options.agent)
    if options.json:
        json_output.show(prompt_growth.to_data())
    else:
        print("\n".join(growth.lines(prompt_growth)))
    if options.plot is not None:
        growth.plot(prompt_growth, options.plot)
    return 0


def lines(costs: PromptCosts) -> list[str]:
    """Return the prompts of one agent in lines; medians, in tokens."""
    stable = "" if costs.front_stable is None else f", front the same in {costs.front_stable:.0%}"
    calls = counted(costs.calls, "call")
    tokens = f"{costs.tokens:,.0f} tokens each, {costs.step_tokens:,.0f} in a step"
    head = f"{costs.agent}: {calls}, {tokens}{stable}, cached {costs.cached:.0%}"
    return [head, *(f"  {name:14} {tokens:8,.0f}" for name, tokens in costs.parts.items())]
