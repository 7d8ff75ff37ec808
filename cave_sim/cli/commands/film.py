"""``cave-sim film``: a run as an animated picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = """\
Examples:
  cave-sim film runs/town_day-7 day.gif
  cave-sim film runs/town_day-7 small.gif --every 2 --width 480"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("out", type=Path, help="the film, a .gif, .webp or .mp4; the latter takes ffmpeg on the PATH")
    parser.add_argument("--from", dest="first", type=at_least(0), default=0, metavar="STEP", help="first step")
    parser.add_argument("--to", dest="last", type=at_least(0), metavar="STEP", help="last step (default: of the run)")
    parser.add_argument("--every", type=at_least(1), default=1, metavar="N", help="a frame for every N steps")
    parser.add_argument("--width", type=at_least(160), default=720, metavar="N", help="in pixels")
    parser.add_argument("--fps", type=at_least(1), default=12, metavar="N", help="frames a second")
