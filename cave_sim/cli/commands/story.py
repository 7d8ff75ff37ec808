"""``cave-sim story``: the life of one entity in readable lines."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cave_sim.cli.options.numbers import at_least
from cave_sim.history.story import Chapter, story
from cave_sim.journal.integrity import suspecting
from cave_sim.journal.reader import open_run

EPILOG = "Example: cave-sim story runs/town_day-7 mayor"
CHANGES_SHOWN = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("entity", help="name of the entity")
    parser.add_argument("--at", type=at_least(0), metavar="STEP", help="only up to this step")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with every change")


def call(options: argparse.Namespace) -> int:
    """Print the chapters, oldest first."""
    with open_run(options.run) as run, suspecting(run):
        for chapter in story(run, options.entity, at=options.at):
            print(json.dumps(chapter.to_data(), ensure_ascii=False) if options.json else "\n".join(lines(chapter)))
    return 0


def lines(chapter: Chapter) -> list[str]:
    """Return a chapter in two lines: when, who and what they ran; what it changed."""
    until = f" to {chapter.until[11:]}" if chapter.until != chapter.time else ""
    cell = "; ".join(line.strip() for line in chapter.code.splitlines() if line.strip())
    who = "by itself" if chapter.agent == "world" else chapter.agent
    more = len(chapter.changes) - CHANGES_SHOWN
    changes = ", ".join(chapter.changes[:CHANGES_SHOWN]) + (f", and {more} more" if more > 0 else "")
    head = f"{chapter.time.replace('T', ' ')}{until}  {who}"
    return [f"{head}: {cell[:100]}" if cell else head, f"    {changes or 'nothing in the end'}"]
