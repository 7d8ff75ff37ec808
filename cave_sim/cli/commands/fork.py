"""``cave-sim fork``: what if? A branch of a run, in which something is changed at a step."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from cave_sim.changes.turn import OPERATOR
from cave_sim.cli.commands.run import free_folder, play, watching
from cave_sim.cli.options import hosts, models, trust
from cave_sim.cli.options.numbers import at_least
from cave_sim.journal.reader import open_run
from cave_sim.journal.tallies import paid_calls_by_agent, reused_call_count
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import Intervention, assignment, fork
from cave_sim.replay.recipe import find

EPILOG = "Example: cave-sim fork runs/town_day-7 --at 36 --set weather.kind=storm --out runs/storm"
ITEMS_SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run to branch from; it is only read")
    parser.add_argument("--at", type=at_least(0), required=True, metavar="STEP", help="the step to branch after")
    parser.add_argument("--cell", metavar="CODE", help="a cell to run there")
    parser.add_argument("--agent", default=OPERATOR, metavar="NAME", help="who runs it (default: operator)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="ENTITY.FIELD=VALUE", dest="settings", help="a value to set there"
    )
    parser.add_argument("--seed", type=at_least(0), metavar="S", help="another seed for what is drawn from there on")
    parser.add_argument("--model", metavar="NAME", help="another language model from there on")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model")
    trust.add_arguments(parser)
    parser.add_argument("--steps", type=at_least(1), metavar="N", help="up to which step (default: the simulation's)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the branch (default: one under runs/)")
    parser.add_argument(
        "--print", action="store_true", dest="printing", help="print a line for each turn instead of a progress bar"
    )
    parser.add_argument("--quiet", action="store_true", help="print the state hash alone")
    hosts.add_arguments(parser, ray=False)


def call(options: argparse.Namespace) -> int:
    """Branch, run, summarise; the last line printed is the state hash."""
    recipe = trust.trusted(options, with_model=options.model is None)
    options.host = hosts.going_on(options.run, recipe, options)
    if options.model is not None:
        recipe = dataclasses.replace(recipe, model=ModelChoice(options.model, options.api_base))
    trust.expect_server(options.run, recipe, options.api_base)
    models.expect_answers(recipe.model)
    module = find(recipe.simulation)
    out = options.out or free_folder(f"{options.run.resolve().name}-at-{options.at}", 1)
    steps = options.steps or max(module.STEPS, options.at)
    with hosts.opened(recipe, options) as host:
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
        hosts.announce(simulation, host, options)
        code = play(simulation, module, out, steps, quiet=options.quiet)
    if not options.quiet:
        _print_calls(out)
    return code


def _cells(options: argparse.Namespace) -> list[Intervention]:
    return [] if options.cell is None else [Intervention(options.cell, options.agent)]


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
