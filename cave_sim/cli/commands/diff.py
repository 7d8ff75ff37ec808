"""``cave-sim diff``: where two runs part, and what differs."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim diff runs/town_day-7 runs/town_day-8 --at 60 --html difference.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("one", type=Path, help="folder of a run")
    parser.add_argument("other", type=Path, help="folder of another")
    parser.add_argument(
        "--at", type=at_least(0), metavar="STEP", help="compare states after it (default: the last of both)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object with everything that differs")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with both timelines")
