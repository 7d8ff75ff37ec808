"""``cave-sim check``: what is wrong with a scenario, and what its study will take, before anything is spent."""

from __future__ import annotations

import argparse

from cave_sim.cli.options import models
from cave_sim.cli.options.numbers import at_least

EPILOG = """\
Examples:
  cave-sim check epidemic.yaml --seeds 30
  cave-sim check town_day --residents 50 --model openai/NAME"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("scenario", help="a scenario's file, .yaml or .toml; or the name of a simulation")
    parser.add_argument("--seeds", type=at_least(1), metavar="N", help="how many seeds its study will have")
    parser.add_argument("--residents", type=at_least(1), metavar="N", help="of a simulation: how many people")
    parser.add_argument("--steps", type=at_least(1), metavar="N", help="of a simulation: how many steps")
    parser.add_argument(
        "--stop-when", metavar="CONDITION", help="of a simulation: a run ends after the step in which this holds"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option of it"
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    models.add_arguments(parser)
