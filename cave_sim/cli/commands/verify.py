"""``cave-sim verify``: check a run's file, then run its cells again."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts

EPILOG = "Example: cave-sim verify runs/town_day-7"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run, or of a study")
    parser.add_argument("--file-only", action="store_true", help="check the file alone, and run no cell")
    consent.add_arguments(parser)
    hosts.add_arguments_of_reruns(parser)
    parser.add_argument("--json", action="store_true", help="print what was found as one JSON object")
