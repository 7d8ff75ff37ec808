"""``cave-sim search``: the least change of what a scenario declares that flips a condition."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output, models, workers
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim search levy.yaml 'town.treasury_cents < 0' --ever --max-forks 60"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("scenario", help="a scenario's file, .yaml or .toml, with parameters that have a usual value")
    parser.add_argument("goal", metavar="CONDITION", help="what is to flip; its measures may stand in it by name")
    parser.add_argument(
        "--ever", action="store_true", help="ask whether it held after any step, and not only at the end"
    )
    parser.add_argument("--under", metavar="CONDITION", help="which of the scenario's conditions (default: the first)")
    parser.add_argument("--max-forks", type=at_least(1), default=100, metavar="N", help="run at most so many trials")
    parser.add_argument("--seeds", type=at_least(1), metavar="N", help="flip it under so many seeds at once")
    folder_help = "folder of the search (default: runs/search-NAME, or the next one if that is of another goal)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=folder_help)
    json_output.add_argument(parser)
    models.add_limits(parser)
    workers.add_arguments(parser, "trial")
