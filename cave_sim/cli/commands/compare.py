"""``cave-sim compare``: runs beside each other, those that differ by their seed alone as replicates."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "Example: cave-sim compare runs/town_day-7 runs/town_day-8 runs/storm-7 runs/storm-8 --html compare.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN", help="folder of a run; the first one's settings are the reference"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with sentences, tables and figures")
