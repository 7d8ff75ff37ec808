"""``cave-sim resume``: go on with a run that was stopped, killed or cut off."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.commands import dash
from cave_sim.cli.options import consent, hosts, json_output, models, stopping
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim resume runs/town_day-7 --steps 288"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument(
        "--steps", type=at_least(1), metavar="N", help="up to which step (default: as far as it was to go)"
    )
    consent.add_arguments(parser)
    parser.add_argument("--api-base", metavar="URL", help="ask the model behind this URL, where the run names one")
    json_output.add_arguments_of_a_run(parser)
    parser.add_argument(
        "--retry",
        action="store_true",
        help="ask again who is left alone because their requests failed too often, and workflows that failed",
    )
    models.add_changes(parser)
    models.add_limits(parser)
    stopping.add_arguments(parser)
    dash.add_watch_arguments(parser)
    hosts.add_arguments(parser)
