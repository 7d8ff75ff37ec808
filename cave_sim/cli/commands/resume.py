"""``cave-sim resume``: go on with a run that was stopped, killed or cut off."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.commands import dash
from cave_sim.cli.commands.run import play, watching
from cave_sim.cli.options import hosts, models, ray_run, stopping, trust
from cave_sim.cli.options.numbers import at_least
from cave_sim.replay.recipe import find
from cave_sim.replay.resume import resume

EPILOG = "Example: cave-sim resume runs/town_day-7 --steps 288"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--steps", type=at_least(1), metavar="N", help="up to which step (default: the simulation's)")
    trust.add_arguments(parser)
    parser.add_argument("--api-base", metavar="URL", help="ask the model behind this URL, where the run names one")
    parser.add_argument(
        "--print", action="store_true", dest="printing", help="print a line for each turn instead of a progress bar"
    )
    parser.add_argument("--quiet", action="store_true", help="print the state hash alone")
    parser.add_argument(
        "--retry", action="store_true", help="ask again who is left alone because their requests failed too often"
    )
    models.add_limits(parser)
    stopping.add_arguments(parser)
    dash.add_watch_arguments(parser)
    hosts.add_arguments(parser)


def call(options: argparse.Namespace) -> int:
    """Go on, summarise, report; the last line printed is the state hash."""
    recipe = models.limited_anew(trust.trusted(options, with_model=True), options)
    trust.expect_server(options.run, recipe, options.api_base)
    models.expect_answers(recipe.model)
    options.host = hosts.going_on(options.run, recipe, options)
    module = find(recipe.simulation)
    stopping.expect_possible(options)
    dash.expect_possible(options)
    if options.host == "ray":
        return ray_run.play(recipe, module, options.run, options.steps or module.STEPS, options, going_on=True)
    simulation = resume(options.run, recipe=recipe, observers=watching(options), retry=options.retry)
    stopping.watch(simulation, options)
    steps = options.steps or max(module.STEPS, simulation.world.clock.step)
    with hosts.hosted(simulation, recipe, options), dash.watched(simulation, options.run, options):
        return play(simulation, module, options.run, steps, quiet=options.quiet)
