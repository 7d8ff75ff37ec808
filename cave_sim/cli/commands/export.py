"""``cave-sim export``: a run as files for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.history.dataframes import FRAMES
from cave_sim.history.export import FORMATS, TABLES, export, made
from cave_sim.history.rewards import write_trajectories
from cave_sim.journal.integrity import suspecting
from cave_sim.journal.reader import Run, open_run

EPILOG = "Example: cave-sim export runs/town_day-7 --format parquet --out tables"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--format", choices=list(FORMATS), required=True, help="graphml holds the lineage of turns")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the files (default: export/ in the run's)")
    parser.add_argument(
        "--table", action="append", choices=list(FRAMES), help=f"may be repeated (default: {', '.join(TABLES)})"
    )
    parser.add_argument(
        "--reward",
        metavar="FIGURE",
        help="""write trajectories.jsonl instead: turns, each with what it brought, 'world["town"].turnover_cents'""",
    )


def call(options: argparse.Namespace) -> int:
    """Write the files and print their names."""
    with open_run(options.run) as run, suspecting(run):
        try:
            print(*_written(run, options), sep="\n")
        except OSError as error:
            raise JournalError(f"{options.run} could not be exported: {error}") from None
    return 0


def _written(run: Run, options: argparse.Namespace) -> list[Path]:
    if options.reward is None:
        return export(run, options.format, options.out, options.table or TABLES)
    if options.format != "jsonl" or options.table:
        raise JournalError("--reward writes trajectories, as jsonl and without --table")
    path = made(options.out or run.folder / "export") / "trajectories.jsonl"
    write_trajectories(run, options.reward, path)
    return [path]
