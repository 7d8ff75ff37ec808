"""``cave-sim doctor``: how large a run is, whether its file is whole; without a run, what is installed here."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output

EPILOG = "Example: cave-sim doctor runs/town_day-7 --repair"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, nargs="?", help="folder of the run; none for what is installed here")
    parser.add_argument("--compact", action="store_true", help="make the file smaller, if it is whole")
    json_output.add_argument(parser, "what was found")
    parser.add_argument("--repair", action="store_true", help="save every step that holds, if the file is torn")
