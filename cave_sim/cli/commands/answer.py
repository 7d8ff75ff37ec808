"""``cave-sim answer``: people decide about what agents asked for."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
Examples:
  cave-sim answer runs/shop
  cave-sim answer runs/shop ann-3 reject --text 'too dear'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run, which nobody writes meanwhile")
    parser.add_argument("ticket", nargs="?", help="which request (default: show what waits)")
    parser.add_argument("decision", nargs="?", choices=("approve", "edit", "reject", "respond"), help="what to do")
    parser.add_argument("--arguments", metavar="JSON", help="with edit: an object with all arguments")
    parser.add_argument("--text", default="", help="with reject why, with respond what stands for the result")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
