"""``cave-sim blame``: who gave a field its values, by which line of which cell; or who else has read it."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim blame runs/town_day-7 weather.kind --at 60"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument(
        "target",
        help="a field, or a part of one: weather.kind, ann.plan['18:00'], town.announcements[0], ties.edges.ann.bob; "
        "or a variable of an agent's cells: ann:total, ann:plan.stalls[0]",
    )
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="only what was written up to this step")
    parser.add_argument("--last", type=at_least(0), default=5, metavar="N", help="so many values, the latest; 0: all")
    parser.add_argument("--readers", action="store_true", help="instead: who else read it, where not everybody may")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with everything known")
