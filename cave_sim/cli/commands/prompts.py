"""``cave-sim prompts``: which part of the prompts of a run costs what, and how stable it is."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
Examples:
  cave-sim prompts runs/town_day-7
  cave-sim prompts runs/town_day-7 mayor --json
  cave-sim prompts runs/week --growth"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("agent", nargs="?", help="only the prompts of this agent")
    parser.add_argument("--growth", action="store_true", help="say how long they were day by day, and the slope")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="with --growth: draw it, as .svg or .png")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
