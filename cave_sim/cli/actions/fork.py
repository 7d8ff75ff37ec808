"""``cave-sim fork``: what if? A branch of a run, in which something is changed at a step."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.changes.turn import OPERATOR
from cave_sim.cli.commands import dash
from cave_sim.cli.commands.run import free_folder, nothing_left_if_refused, play, watching
from cave_sim.cli.options import hosts, models, stopping, trust
from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.journal.tallies import paid_calls_by_agent, reused_call_count
from cave_sim.replay.fork import assignment, fork
from cave_sim.simulation.treatment import Intervention

ITEMS_SHOWN = 8


def call(options: argparse.Namespace) -> int:
    """Branch, run, summarise; the last line printed is the state hash."""
    recipe = models.limited_anew(trust.trusted(options, with_model=options.model is None), options)
    recipe, _ = models.changed(recipe, options, may_begin=True)
    options.host = hosts.going_on(options.run, recipe, options)
    trust.expect_server(options.run, recipe, options.api_base)
    models.expect_to_be_asked(recipe)
    stopping.expect_possible(options)
    dash.expect_possible(options)
    module = recipe.module()
    out = options.out or free_folder(f"{options.run.resolve().name}-at-{options.at}", 1)
    steps = options.steps or max(module.STEPS, options.at)
    if options.steps is not None and options.steps <= options.at:
        raise WorldError(f"--steps {options.steps}: the branch begins at step {options.at}; name a later one")
    is_new = not out.exists()
    with hosts.opened(recipe, options) as host, nothing_left_if_refused(out if is_new else None, options.at) as begun:
        simulation = fork(
            options.run,
            options.at,
            out,
            interventions=[*map(assignment, options.settings), *_cells(options)],
            seed=options.seed,
            recipe=recipe,
            host=host,
            observers=watching(options),
        )
        begun.append(simulation)
        hosts.announce(simulation, host, options)
        stopping.watch(simulation, options)
        with dash.watched(simulation, out, options):
            code = play(simulation, module, out, steps, options)
    if not options.quiet and not options.json:
        _print_calls(out)
    return code


def _cells(options: argparse.Namespace) -> list[Intervention]:
    return [] if options.cell is None else [Intervention(options.cell, options.agent or OPERATOR)]


def _print_calls(out: Path) -> None:
    """Say what the counterfactual cost: whom it made ask anew, and how many questions were answered before."""
    with open_run(out) as run:
        reused, paid = reused_call_count(run), paid_calls_by_agent(run)
    if paid or reused:
        print(f"model calls: {sum(paid.values()):,} asked, {reused:,} answered as in the parent")
    if paid:
        print(f"asked anew: {_listed([f'{agent} {count:,}' for agent, count in paid.items()])}")


def _listed(items: list[str]) -> str:
    """Return the first few items on one line, and how many there are besides."""
    more = [f"and {len(items) - ITEMS_SHOWN} more"] if len(items) > ITEMS_SHOWN else []
    return ", ".join(items[:ITEMS_SHOWN] + more)
