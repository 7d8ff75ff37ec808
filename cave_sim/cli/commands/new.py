"""``cave-sim new``: something small of one's own that works, with its test."""

from __future__ import annotations

import argparse

from cave_sim.cli.options import json_output

EPILOG = """\
Examples:
  cave-sim new simulation news
  cave-sim new scenario news  # studies news.py
  cave-sim new scenario storms --simulation storm_warning"""
KINDS = ("simulation", "world", "agent", "scenario")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", choices=KINDS, metavar="|".join(KINDS), help="what is to be made")
    parser.add_argument("name", help="of the file, which is written here: letters, digits and _")
    parser.add_argument(
        "--simulation", metavar="NAME|FILE", help="what a scenario is about (default: NAME.py, if that lies here)"
    )
    json_output.add_argument(parser, "the files")
