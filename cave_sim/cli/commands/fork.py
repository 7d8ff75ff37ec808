"""``cave-sim fork``: what if? A branch of a run, in which something is changed at a step."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.commands import dash
from cave_sim.cli.options import consent, hosts, json_output, models, stopping
from cave_sim.cli.options.numbers import at_least
from cave_sim.cli.options.together import needs

EPILOG = "Example: cave-sim fork runs/town_day-7 --at 36 --set weather.kind=storm --out runs/storm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run to branch from; it is only read")
    parser.add_argument("--at", type=at_least(0), required=True, metavar="STEP", help="the step to branch after")
    parser.add_argument("--cell", metavar="CODE", help="a cell to run there")
    parser.add_argument("--agent", metavar="NAME", help="who runs it (default: operator)")
    needs(parser, ["--agent"], "--cell")
    parser.add_argument(
        "--set", action="append", default=[], metavar="ENTITY.FIELD=VALUE", dest="settings", help="a value to set there"
    )
    parser.add_argument("--seed", type=at_least(0), metavar="S", help="another seed for what is drawn from there on")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model")
    models.add_changes(parser)
    models.add_limits(parser)
    consent.add_arguments(parser)
    parser.add_argument("--steps", type=at_least(1), metavar="N", help="up to which step (default: the simulation's)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the branch (default: one under runs/)")
    json_output.add_arguments_of_a_run(parser)
    stopping.add_arguments(parser)
    dash.add_watch_arguments(parser)
    hosts.add_arguments(parser, ray=False)
