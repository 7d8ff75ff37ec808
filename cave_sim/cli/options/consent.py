"""The options by which a command line says what a run's file may have used: its code, and what lies outside of it."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--module", metavar="NAME|FILE", help="run the code of this module or file, if it is the one that the run names"
    )
    parser.add_argument(
        "--outside", action="store_true", help="use the addresses and files outside of its folder that the run names"
    )
