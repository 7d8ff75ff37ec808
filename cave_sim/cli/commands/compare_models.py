"""``cave-sim compare-models``: another model, asked at every decision point of a run; what would it have done?"""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts, json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim compare-models runs/town_day-7 --model gemini/gemini-2.5-flash --max-calls 50"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run; it is only read")
    parser.add_argument("--model", metavar="NAME", help="who is asked (default: the run's own model)")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model")
    parser.add_argument(
        "--without", default="", metavar="PART", help="leave out this part of the prompt, such as clock"
    )
    parser.add_argument(
        "--outcome", default="", metavar="EXPRESSION", help="a figure that is read after each turn, and compared"
    )
    parser.add_argument("--max-calls", type=at_least(0), metavar="N", help="pay for at most so many replies")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="keep replies here (default: RUN-models beside the run)"
    )
    consent.add_arguments(parser)
    json_output.add_argument(parser)
    hosts.add_arguments(parser, ray=False)
