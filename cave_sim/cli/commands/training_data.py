"""``cave-sim training-data``: what finished runs teach an executor and a tracker, as files for fine-tuning."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output
from cave_sim.cli.options.numbers import at_least
from cave_sim.cli.options.shares import between, percent, shares

EPILOG = """\
Examples:
  cave-sim training-data studies/multi studies/cloud --out training --license mit
  cave-sim training-data --check training"""
MIX, KINDS = "multi=40,mixed=20,conversational=10,single=15,cloud=15", "trouble=15,no_update=10"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="folders of runs, or of many, as of studies")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to; it must not be there yet")
    parser.add_argument("--check", type=Path, metavar="DIR", help="say what is wrong with a folder, line by line")
    parser.add_argument(
        "--chats", type=Path, metavar="DIR", help="write the examples of this folder to --out as messages with weights"
    )
    parser.add_argument("--seed", type=at_least(0), default=7, metavar="S", help="every choice follows from it")
    parser.add_argument(
        "--examples", type=at_least(1), metavar="N", help="so many of the executor, and of the tracker (default: all)"
    )
    parser.add_argument(
        "--mix",
        type=shares(100.0, all_of_it=True),
        default=MIX,
        metavar="A=40,B=60",
        help=f"category=percent (default: {MIX})",
    )
    parser.add_argument(
        "--tracker-kinds",
        type=shares(90.0, names=("trouble", "no_update")),
        default=KINDS,
        metavar="A=15,B=10",
        help=f"of the tracker's examples at most (default: {KINDS})",
    )
    parser.add_argument(
        "--tools", type=between, default=(10, 14), metavar="A-B", help="how many an example shows (default: 10-14)"
    )
    parser.add_argument(
        "--validation", type=percent, default=0.1, metavar="P", help="percent of the scenarios (default: 10)"
    )
    parser.add_argument(
        "--most-tokens", type=at_least(1), default=4_096, metavar="N", help="of an example (default: 4096)"
    )
    parser.add_argument(
        "--least-rating",
        type=int,
        choices=range(1, 6),
        metavar="N",
        help="leave out runs that a judge rated lower, 1 to 5, or that nobody rated",
    )
    parser.add_argument(
        "--private", action="append", default=[], metavar="PATTERN", help="leave out what holds it; may be repeated"
    )
    parser.add_argument("--license", metavar="NAME", help="under which it is given, as data hubs name it")
    json_output.add_argument(parser)
