"""``cave-sim bundle``: a run as one file, to hand on."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
Examples:
  cave-sim bundle runs/town_day-7 --out town.cave
  cave-sim bundle runs/town_day-7 --redact"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file (default: the folder's name, with .cave)")
    parser.add_argument(
        "--redact", action="store_true", help="leave out what models were asked; hashes stand in for it"
    )
