"""``cave-sim distil``: which answers of minds are habits, and can be scripted? A replay proves it."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts, json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim distil runs/town_day-7 --until 144 --out habits.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run; it is only read")
    parser.add_argument("--least", type=at_least(2), default=3, metavar="N", help="a habit was shown at least so often")
    parser.add_argument(
        "--until",
        type=at_least(1),
        metavar="STEP",
        help="learn from what was asked before this step, and say what that spares from there on, as on a second day",
    )
    parser.add_argument(
        "--check", type=Path, action="append", default=[], metavar="RUN", help="say what habits would spare there"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the habits there, as JSON")
    consent.add_arguments(parser)
    json_output.add_argument(parser)
    hosts.add_arguments(parser, ray=False)
