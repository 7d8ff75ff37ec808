"""``cave-sim survey``: put a questionnaire to the minds of a run at a past moment, or show what they answered."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim survey runs/interview-7 mood.toml --at 24 --beside people.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run; it is only read")
    parser.add_argument(
        "questionnaire", type=Path, nargs="?", help=".toml or .json file; without one, the answers that the run holds"
    )
    parser.add_argument("--question", action="append", metavar="TEXT", help="an open question in its place, or several")
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="ask after this step (default: the run's last)")
    parser.add_argument("--whom", metavar="NAMES", help="respondents, with commas (default: all minds)")
    parser.add_argument("--model", metavar="NAME", help="ask another language model than the run's own")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model")
    parser.add_argument("--beside", type=Path, metavar="CSV", help="answers of people: item,value,share,source")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object an answer")
    output.add_argument("--csv", action="store_true", help="print one line an answer, comma-separated")
    consent.add_arguments(parser)
