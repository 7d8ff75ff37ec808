"""``cave-sim scenario``: a run, with all that was done to it, as the file of a scenario."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "Example: cave-sim scenario runs/town_day-7 > storm.yaml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
