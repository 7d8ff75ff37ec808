"""``cave-sim replay``: run the recorded cells of a run again and compare turn by turn."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts, json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim replay runs/town_day-7 --steps 72"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--steps", type=at_least(0), metavar="N", help="up to which step (default: the run's last)")
    consent.add_arguments(parser)
    hosts.add_arguments_of_reruns(parser)
    json_output.add_argument(parser)
