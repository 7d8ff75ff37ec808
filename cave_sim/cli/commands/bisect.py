"""``cave-sim bisect``: the first turn that broke a condition."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """Example: cave-sim bisect runs/town_day-7 'world["town"].treasury_cents >= 50000000'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument(
        "condition", help="""true at the start, such as 'weather.kind != "rain"', or 'mood > 0.5' of a measure"""
    )
    parser.add_argument("--scan", action="store_true", help="look after every turn: it may break, mend and break again")
    parser.add_argument("--json", action="store_true", help="print one JSON object; null if nothing broke it")
