"""``cave-sim log``: read a run's turns, for people and for grep and jq."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.history.known_names import expect_agent, expect_entity
from cave_sim.history.shards import shard_folders
from cave_sim.history.wording import value_text
from cave_sim.journal.queries import changes_of_turn, first_step, newest_turn
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rows import TurnRow
from cave_sim.journal.tallies import cell_count
from cave_sim.simulation.observers import turn_line

FOLLOW_EVERY_S = 0.3
CHANGE_CHARS = 70
"""Of a value that a change shows."""


def call(options: argparse.Namespace) -> int:
    """Print the turns that fit; exit code 0 even if none does, and 1 if one is asked for that nobody can have."""
    last, printed = 0, False
    if not options.follow:
        _expect_there(options)
    while True:
        with open_run(options.run) as run:
            over = run.manifest.get("finished") or not options.follow
            newest = newest_turn(run)
            turns = _fitting(run, options, (last, newest))
            for turn in deque(turns, options.count) if options.count and not printed else turns:
                _print(run, turn, options)
                printed = True
            last = newest
        if over:
            if not printed:
                print(f"cave-sim: {_none(options)}", file=sys.stderr)
            _point_to_districts(options.run)
            return 0
        sys.stdout.flush()
        time.sleep(FOLLOW_EVERY_S)


def _fitting(run: Run, options: argparse.Namespace, between: tuple[int, int]) -> Iterator[TurnRow]:
    """Yield those turns of a stretch that are asked for; those of the world by option, by name, for scripts."""
    for turn in run.turns(options.agent, options.status, options.at, options.entity, between):
        is_between = (options.first or 0) <= turn.step and (options.last is None or turn.step <= options.last)
        if is_between and (turn.kind == "cell" or options.world or options.agent or options.json):
            yield turn


def _expect_there(options: argparse.Namespace) -> None:
    """Raise JournalError if a run has no such agent, entity or step, with what comes nearest."""
    with open_run(options.run) as run:
        if options.agent is not None:
            expect_agent(run, options.agent)
        if options.entity is not None:
            expect_entity(run, options.entity)
        if None not in (options.first, options.last) and options.first > options.last:
            raise JournalError(f"--from {options.first} lies behind --to {options.last}: no turn is between them")
        first = first_step(run)
        if options.at is not None and not (first or 0) <= options.at <= run.last_step:
            raise JournalError(
                f"{options.run} has no step {options.at}; it has the steps from {first} to {run.last_step}"
            )


def _none(options: argparse.Namespace) -> str:
    """Say that no turn fits, and whether there is any that another filter would show."""
    with open_run(options.run) as run:
        cells, steps = cell_count(run), run.last_step
    if cells:
        return f"none of {counted(cells, 'cell')} of this run fits what was asked for"
    return f"no cell was run in this run, which has come to step {steps}; --world shows what the world did by itself"


def _point_to_districts(folder: Path) -> None:
    """Say where the turns of a city are."""
    parts = [each.name for each in shard_folders(folder)]
    if parts:
        advice = f"cave-sim: what residents of this city did is with its districts: cave-sim log {folder / parts[0]}"
        print(f"{advice}, ... {parts[-1]}", file=sys.stderr)


def _on_the_clock(when: str) -> str:
    """Return a moment as short as a line has room for; what a repaired run no longer says stays untold."""
    try:
        return f"{dt.datetime.fromisoformat(when):%d %b %H:%M}"
    except ValueError:
        return "?"


def _print(run: Run, turn: TurnRow, options: argparse.Namespace) -> None:
    changes = (
        [change._asdict() for change in changes_of_turn(run, turn.turn)] if options.changes or options.json else []
    )
    if options.json:
        print(json.dumps({**asdict(turn), "changes": changes}, ensure_ascii=False))
        return
    when = f"{turn.step:>5} {_on_the_clock(run.time_at(turn.step))}"
    print(turn_line(when, turn.agent, turn.status, turn.code or f"({turn.kind})", turn.error))
    for change in changes:
        path = ".".join(map(str, (change["entity"], *change["path"])))
        was, now = value_text(change["old"], CHANGE_CHARS), value_text(change["new"], CHANGE_CHARS)
        print(f"{'':13}{change['op']:>8} {path}: {was} -> {now}")
