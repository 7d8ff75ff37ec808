"""``cave-sim sessions``: what agents said, saw and ran, as a graph of sessions or row by row."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = """\
Examples:
  cave-sim sessions runs/town_day-7
  cave-sim sessions runs/town_day-7 mayor --rows --json > mayor.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("session", nargs="?", help="id of one, or an agent (default: all)")
    parser.add_argument("--rows", action="store_true", help="print their rows, each where it was written")
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="as they were after a step (default: the last)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
