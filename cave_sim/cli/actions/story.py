"""``cave-sim story``: a run in ten lines, or the life of one entity in readable ones."""

from __future__ import annotations

import argparse
import json

from cave_sim.cli.commands.story import LINES
from cave_sim.errors import JournalError
from cave_sim.history.highlights import highlights, is_timed
from cave_sim.history.shards import open_shards
from cave_sim.history.story import Chapter, story
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting

CHANGES_SHOWN = 6


def call(options: argparse.Namespace) -> int:
    """Print the highlights of a run, or the chapters of a life, oldest first."""
    with open_run(options.run) as run, suspecting(run), open_shards(options.run) as shards:
        if options.entity is None:
            if options.at is not None:
                raise JournalError("--at goes with the name of an entity; a whole run is told to its end")
            for each in highlights(run, options.lines or LINES, shards):
                when = each.time.replace("T", " ") if is_timed(run) else f"step {each.step:,}"
                line = f"{when}  {each.text}"
                print(json.dumps(each.to_data(), ensure_ascii=False) if options.json else line)
            return 0
        if options.lines is not None:
            raise JournalError("--lines is of a whole run; a life is told up to a step: --at STEP")
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
