"""``cave-sim rules``: what held in runs although nothing demanded it, and which other runs break it."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim rules runs/town_day-7 --on runs/storm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("runs", nargs="+", metavar="RUN", type=Path, help="folder of a run; rules hold in all of them")
    parser.add_argument(
        "--on", nargs="+", default=[], type=Path, metavar="RUN", help="say which rules these runs break, and when"
    )
    parser.add_argument("--most", type=at_least(1), default=3, metavar="N", help="show at most so many rules of a kind")
    parser.add_argument(
        "--promote", type=at_least(1), metavar="NUMBER", help="print a rule as a condition, a watch point, an invariant"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write --promote's rule into a scenario that ends where it is broken"
    )
    json_output.add_argument(parser, "all rules")
