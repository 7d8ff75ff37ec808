"""``cave-sim mcp``: a world to live in, or a run to look at, for clients of the Model Context Protocol."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import hosts, models
from cave_sim.cli.options.numbers import at_least, port

EPILOG = """\
Examples:
  cave-sim mcp town_day --as mayor
  cave-sim mcp runs/town_day-7
  cave-sim mcp runs/town_day-7 --http 8090"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "what", metavar="RUN|SIMULATION", help="folder of a run, to look at; or a simulation, to live in"
    )
    parser.add_argument("--as", dest="name", metavar="NAME", help="who the client is, in a simulation")
    parser.add_argument(
        "--http", type=port, metavar="PORT", help="serve HTTP on this machine, with a token (default: stdio)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the run, or of one to go on with (default: a free one)"
    )
    parser.add_argument("--seed", type=at_least(0), default=7, metavar="S", help="every random draw follows from it")
    parser.add_argument("--residents", type=at_least(1), metavar="N", help="how many people live there")
    models.add_arguments(parser)
    hosts.add_arguments(parser, ray=False)
