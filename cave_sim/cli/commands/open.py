"""``cave-sim open``: check somebody's bundle by running its cells again, here."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts

EPILOG = """\
Examples:
  cave-sim open town.cave
  cave-sim open town.cave --out runs/theirs --file-only"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("bundle", type=Path, metavar="FILE", help="the bundle")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the run in this folder (default: keep nothing)")
    parser.add_argument("--file-only", action="store_true", help="check the file alone, and run no cell")
    consent.add_arguments(parser)
    hosts.add_arguments_of_reruns(parser)
    parser.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
