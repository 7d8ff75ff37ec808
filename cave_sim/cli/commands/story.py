"""``cave-sim story``: a run in ten lines, or the life of one entity."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = """\
Examples:
  cave-sim story runs/town_day-7
  cave-sim story runs/town_day-7 mayor"""
LINES = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("entity", nargs="?", help="tell the life of this entity (default: what stands out in the run)")
    parser.add_argument(
        "--lines", type=at_least(1), metavar="N", help=f"tell a whole run in at most so many (default: {LINES})"
    )
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="only up to this step of a life")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with every change")
