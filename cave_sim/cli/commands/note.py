"""``cave-sim note``: what a person says of a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cave_sim.cli.options import json_output
from cave_sim.cli.options.numbers import at_least
from cave_sim.errors import WorldError

EPILOG = 'Example: cave-sim note runs/town_day-7 "the mayor closed the parks too late #weather" --at 36'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("text", nargs="?", help="the note to add; none shows those that there are")
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="what it is about (default: all of the run)")
    json_output.add_argument(parser, "the run's notes")


def call(options: argparse.Namespace) -> int:
    """Print the notes that the run has then, the latest last."""
    from cave_sim.journal.annotations import annotate  # help waits for none of what writing a run needs
    from cave_sim.journal.reader import open_run

    if options.at is not None and options.text is None:
        raise WorldError(f"--at {options.at}: write the note as well; without one, all that there are are shown")
    if options.text is not None:
        notes = annotate(options.run, note=options.text, step=options.at)["notes"]
    else:
        with open_run(options.run) as run:
            notes = list(run.manifest.get("notes") or ())
    if options.json:
        json_output.show({"run": str(options.run), "notes": notes})
    else:
        print(*map(_line, notes) if notes else ["no notes"], sep="\n")
    return 0


def _line(note: dict[str, Any]) -> str:
    about = f"step {note['step']}: " if "step" in note else ""
    return f"{note['on']}  {about}{note['text']}"
