"""``cave-sim doctor``: how large a run is, whether its file is whole; without a run, what is installed here."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path
from typing import Any

from cave_sim.cli.actions.installation import installation, lines
from cave_sim.cli.options import json_output
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.journal.compaction import compact
from cave_sim.journal.integrity import problems
from cave_sim.journal.reader import WAY_OUT, Run, open_run
from cave_sim.journal.repair import Repair, repair
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.tallies import bytes_by_table, cell_count, change_count, step_range


def call(options: argparse.Namespace) -> int:
    """Report, and repair if asked to; exit code 0 if the file is whole in the end."""
    if options.run is None:
        parts = installation()
        if options.json:
            json_output.show(parts)
        else:
            print(*lines(parts), sep="\n")
        return 0
    about = examine(options.run)
    words, whole = _treated(options, about)
    if options.json:
        json_output.show({"whole": whole, **{key: value for key, value in about.items() if key != "told"}})
    else:
        print(*about["told"], *about["problems"], *words, sep="\n")
    return 0 if whole else 1


def _treated(options: argparse.Namespace, about: dict[str, Any]) -> tuple[list[str], bool]:
    """Make a whole file smaller or repair a torn one, if asked to; returns what to say, and whether it is whole."""
    folder, whole = options.run, not about["problems"]
    if whole and options.compact:
        saved = compact(folder)
        about["compacted"] = {"before_bytes": saved.before_bytes, "after_bytes": saved.after_bytes}
        after = examine(folder)["told"][1]
        return [f"compacted: {1 - saved.after_bytes / saved.before_bytes:.0%} less; {after}"], True
    if whole:
        return [], True
    if not options.repair:
        return [f"what is whole of it can be saved: cave-sim doctor {folder} --repair"], False
    rescue = repair(folder)
    about["repaired"] = {
        "last_step": rescue.last_step,
        "torn": None if rescue.last_step is None else str(rescue.torn),
        "last_known": rescue.last_known,
        "unread": list(rescue.unread),
    }
    if rescue.last_step is None:
        again = f"To begin again: remove {folder}, and run it anew"
        return [f"no step could be saved; the file is as it was. {again}", *_unread(rescue)], False
    was = f"the file as it was is {rescue.torn}. To go on: cave-sim resume {folder}"
    words = [f"saved everything up to step {rescue.last_step}; {was}", *_unread(rescue)]
    if rescue.last_known is not None and rescue.last_known > rescue.last_step:
        first = rescue.last_step + 1
        lost = f"step {first} is" if first == rescue.last_known else f"steps {first} to {rescue.last_known} are"
        words.append(f"{lost} lost, of those that the file tells of: they will be lived again")
    if rescue.asked_again:
        about["repaired"]["asked_again"] = rescue.asked_again
        what = counted(rescue.asked_again, "approved request")
        words.append(f"{what} may have been changed, and will wait for people again: cave-sim answer {folder}")
    return words, True


def _unread(rescue: Repair) -> list[str]:
    """Return, as a line or none, which tables were damaged."""
    return [f"not read as a whole: {', '.join(rescue.unread)}"] if rescue.unread else []


def examine(folder: Path) -> dict[str, Any]:
    """Return how large a run is and what is wrong with its file, as data and in words.

    Raises:
        JournalError: there is no run.
    """
    try:
        with open_run(folder) as run:
            return {**measured(run), "told": report(run), "problems": [str(each) for each in islice(problems(run), 5)]}
    except JournalError as error:
        if not (folder / DATABASE).is_file():
            raise
        return {"run": str(folder), "told": [], "problems": [str(error).partition(WAY_OUT)[0]]}


def measured(run: Run) -> dict[str, Any]:
    """Return how large a run is."""
    size = sum(path.stat().st_size for path in run.folder.glob(f"{DATABASE}*"))
    counts = {"last_step": run.last_step, "cells": cell_count(run), "changes": change_count(run)}
    return {"run": str(run.folder), "size_bytes": size, **counts, "bytes_by_table": bytes_by_table(run)}


def report(run: Run) -> list[str]:
    """Return how large a run is and what takes the room, in lines."""
    size = sum(path.stat().st_size for path in run.folder.glob(f"{DATABASE}*"))
    turns, changes = cell_count(run), change_count(run)
    lines = [f"{run.folder}: {step_range(run)}, {counted(turns, 'cell')}, {counted(changes, 'change')}"]
    each = f", {size / turns:,.0f} bytes a cell" if turns else ""
    lines.append(f"size: {size:,} bytes{each}")
    return [*lines, *(f"  {share:4.0%} {name}" for name, share in _shares(run, size))]


def _shares(run: Run, size: int) -> list[tuple[str, float]]:
    """Return what takes more than a hundredth of the room, where this SQLite can say."""
    return [(name, taken / size) for name, taken in bytes_by_table(run).items() if taken * 100 > size]
