"""What can be saved of a torn file: every step, from the first on, whose hash and seal still hold."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import manifest_seal
from cave_sim.journal.integrity import IN_ORDER, Steps
from cave_sim.journal.lock import lock
from cave_sim.journal.reader import open_run
from cave_sim.journal.tables import DATABASE, INDEXES, TABLES

TORN = "torn-"
BY_STEP = ("snapshots", "events", "measures", "sessions", "kept", "steps")


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair saved.

    Attributes:
        last_step: the last one that was saved; None if none was.
        torn: where the file lies as it was found.
    """

    last_step: int | None
    torn: Path


def repair(folder: Path) -> Repair:
    """Put a file with the steps that hold in the place of a torn one, which is kept beside it.

    Raises:
        JournalError: another process writes the run, there is none, or nothing can be read of it.
    """
    path = folder / DATABASE
    if not path.is_file():
        raise JournalError(f"{folder} holds no run: there is no {DATABASE} in it")
    workshop = folder / "repairing"
    with closing(lock(folder)):
        workshop.mkdir(exist_ok=True)
        new = workshop / DATABASE
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            target.executescript(TABLES)
            _copy(path, target)
            last_step = _cut(workshop, target)
        for leftover in folder.glob(f"{DATABASE}*"):
            leftover.replace(folder / f"{TORN}{leftover.name}")
        new.replace(path)
        workshop.rmdir()
    return Repair(last_step, folder / f"{TORN}{DATABASE}")


def _copy(path: Path, target: sqlite3.Connection) -> None:
    """Copy every row that can be read, table by table, each up to the first that cannot be."""
    with closing(sqlite3.connect(path)) as torn:
        for table, order in {"manifest": "key", "steps": "step", "cells": "hash", "texts": "hash", **IN_ORDER}.items():
            with suppress(sqlite3.Error):
                for row in torn.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                    marks = ", ".join("?" * len(row))
                    target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)


def _cut(workshop: Path, target: sqlite3.Connection) -> int | None:
    """Leave what belongs to steps that hold, and the model calls behind them, which are paid for."""
    last_step, last_turn = _last_that_holds(workshop)
    for table in ("turns", "changes"):
        target.execute(f"DELETE FROM {table} WHERE turn > ?", (last_turn,))
    for table in BY_STEP:
        target.execute(f"DELETE FROM {table} WHERE step > ?", (-1 if last_step is None else last_step,))
    target.execute("DELETE FROM cells WHERE hash NOT IN (SELECT cell FROM turns WHERE cell IS NOT NULL)")
    target.execute("DELETE FROM manifest WHERE key IN ('finished', 'steps', 'state_hash', 'seal')")
    seal = manifest_seal(target.execute("SELECT key, value FROM manifest").fetchall())
    target.execute("INSERT INTO manifest VALUES ('seal', ?)", (f'"{seal}"',))
    target.executescript(INDEXES)
    return last_step


def _last_that_holds(workshop: Path) -> tuple[int | None, int]:
    """Return the last step up to which all hashes and seals hold, and its last turn; None and 0 if none does.

    With this function end its queries: one that was broken off would keep the file locked.
    """
    last_step, last_turn = None, 0
    with open_run(workshop) as run:
        steps = Steps(run)
        with suppress(JournalError):
            for row in run.query("SELECT * FROM steps ORDER BY step"):
                if steps.check(row) is not None:
                    break
                last_step, last_turn = row[0], row[2]
    return last_step, last_turn
