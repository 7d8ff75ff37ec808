"""The lock on a run's folder: one process writes it at a time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cave_sim.errors import JournalError

LOCK = "run.lock"


def lock(folder: Path) -> sqlite3.Connection:
    """Return the lock on a run's folder; closing it lets go.

    It is SQLite's own lock on an empty file: the same on every system, and no process leaves a stale one behind.

    Raises:
        JournalError: another process holds it, or the folder cannot be written.
    """
    connection = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0.0)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise JournalError(f"{folder} is being written by another process; wait for it, or stop it") from None
        raise JournalError(f"{folder} cannot be written: {error}. Choose a folder with --out") from None
    return connection
