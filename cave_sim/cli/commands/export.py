"""``cave-sim export``: a run as files for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output

EPILOG = "Example: cave-sim export runs/town_day-7 --format parquet --out tables"
FORMATS = ("jsonl", "csv", "parquet", "graphml")
FRAMES = ("turns", "changes", "measures", "usage", "calls", "answers")
TABLES = ("turns", "changes", "measures", "usage")
"""What can be exported, and what is unless said otherwise; a test compares them with what `history` has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--format", choices=FORMATS, help="graphml holds the lineage of turns; --reward writes jsonl")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the files (default: export/ in the run's)")
    parser.add_argument(
        "--table", action="append", choices=FRAMES, help=f"may be repeated (default: {', '.join(TABLES)})"
    )
    parser.add_argument(
        "--reward",
        metavar="FIGURE",
        help="""write trajectories.jsonl instead: turns, each with what it brought, 'world["town"].turnover_cents'""",
    )
    json_output.add_argument(parser, "the files")
