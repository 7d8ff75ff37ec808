"""``cave-sim export``: a run as files for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.commands.export import FORMATS
from cave_sim.cli.options import json_output
from cave_sim.errors import JournalError, reason
from cave_sim.history.export import TABLES, export, made_folder
from cave_sim.history.rewards import write_trajectories
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.suspicion import suspecting


def call(options: argparse.Namespace) -> int:
    """Write the files and print their names."""
    with open_run(options.run) as run, suspecting(run):
        try:
            written = list(map(str, _written(run, options)))
        except OSError as error:
            raise JournalError(f"{options.run} could not be exported: {reason(error)}") from None
    if options.json:
        json_output.show({"files": written})
    else:
        print(*written, sep="\n")
    return 0


def _written(run: Run, options: argparse.Namespace) -> list[Path]:
    if options.reward is None and options.format is None:
        raise JournalError(f"say in which --format: {', '.join(FORMATS)}")
    if options.format == "graphml" and options.table:
        raise JournalError("--table is of the other formats; graphml holds who acted on what, and no table")
    if options.reward is None:
        return export(run, options.format, options.out, list(dict.fromkeys(options.table or TABLES)))
    if options.format not in (None, "jsonl") or options.table:
        raise JournalError("--reward writes trajectories, as jsonl and without --table")
    path = made_folder(options.out or run.folder / "export") / "trajectories.jsonl"
    write_trajectories(run, options.reward, path)
    return [path]
