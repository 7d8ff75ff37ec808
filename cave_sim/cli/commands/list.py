"""``cave-sim list``: which simulations and studies there are, whoever brings them; or which runs a folder holds."""

from __future__ import annotations

import argparse

EPILOG = """\
Examples:
  cave-sim list
  cave-sim list town_day  # what it takes, and what a scenario of it can name
  cave-sim list town_day Resident  # each field and act of that class
  cave-sim list runs --sort turns"""
SORTED_BY = ("run", "simulation", "seed", "status", "steps", "turns", "size_bytes", "calls", "tokens", "cost_usd")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "name",
        nargs="?",
        help="a simulation: its steps and options, its measures, and the entities, fields and acts that a scenario can"
        " name, with examples; a study: its options; or a folder: its runs",
    )
    parser.add_argument("kind", nargs="?", metavar="class", help="of a simulation: what each field of that class means")
    parser.add_argument(
        "--sort", choices=SORTED_BY, metavar="COLUMN", help=f"of runs: {', '.join(SORTED_BY)} (default: run)"
    )
    parser.add_argument("--tag", metavar="WORD", help="of runs: only those with this tag")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
