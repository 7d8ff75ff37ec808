"""``cave-sim evidence``: show what is claimed, and keep what showed it."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output

EPILOG = """\
Example: cave-sim evidence docs/claims/kills.toml
A packet is run like a script: read those of others before."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "packets", type=Path, nargs="*", metavar="PACKET", help="its file, or a folder of them (default: docs/claims)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("evidence"), metavar="DIR", help="where evidence is kept (default: evidence)"
    )
    parser.add_argument(
        "--again", action="store_true", help="build what held before, too, by the same text and the same code"
    )
    parser.add_argument("--list", action="store_true", help="say what is claimed and what shows it, and run nothing")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write all claims as a page, in Markdown")
    json_output.add_argument(parser)
