"""``cave-sim branches``: the tree of runs that were forked from each other."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "Example: cave-sim branches runs/town_day-7"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of a run, beside which its branches are looked for; or of runs")
    parser.add_argument("--all", action="store_true", help="draw every tree in the folder, not only this run's")
    parser.add_argument("--json", action="store_true", help="print one JSON array")
