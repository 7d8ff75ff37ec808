"""``cave-sim log``: read a run's turns, for people and for grep and jq."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim log runs/town_day-7 --agent mayor --changes"
STATUSES = ("committed", "failed", "blocked", "timeout", "conflict")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--agent", metavar="NAME", help="only turns of this agent")
    parser.add_argument("--entity", metavar="NAME", help="only turns that changed this entity")
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="only turns of this step")
    parser.add_argument("--from", type=at_least(0), metavar="STEP", dest="first", help="only turns from this step on")
    parser.add_argument("--to", type=at_least(0), metavar="STEP", dest="last", help="only turns up to this step")
    parser.add_argument("--status", choices=STATUSES, help="only turns that ended so")
    parser.add_argument("--last", type=at_least(1), metavar="N", dest="count", help="only the last N of these turns")
    parser.add_argument("--changes", action="store_true", help="print what each turn changed below it")
    parser.add_argument("--world", action="store_true", help="print the world's own turns (dynamics, events) too")
    parser.add_argument("--follow", action="store_true", help="go on printing turns until the run is over")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with code and changes")
