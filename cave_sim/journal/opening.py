"""Opening a file to read it, whoever wrote it: nothing beside it is written, deleted or followed, no query goes on.

SQLite takes back what a killed process left in a rollback journal, and deletes the "super-journal" that this one names:
any file at all. So what was left beside a file is looked at in a private copy, unless a process is writing the run.
"""

from __future__ import annotations

import sqlite3
import stat
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.errors import JournalError
from cave_sim.journal.confinement import confine
from cave_sim.journal.copying import copy_database
from cave_sim.journal.lock import is_locked
from cave_sim.journal.sidecars import expect_harmless
from cave_sim.journal.tables import FORMAT, INDEXES, TABLES, statements

LONGEST_S = 60.0
"""How long one row may take to find; more only where the file is large."""
BYTES_A_SECOND = 1_000_000
LARGEST_VALUE = 100_000_000
"""Bytes of one value that a query may make or read, or as many as the file has: none in it is larger."""
LARGEST_ANSWER = 1_000_000_000
"""Bytes of all texts that one answer may hold, or four times as many as the file has: beyond, a machine may be full."""
SQLITES_LARGEST_VALUE = 1_000_000_000
OPERATIONS_A_LOOK = 100_000
HEADER_BYTES = 20
WRITES_AHEAD = 2  # at byte 18 of a file that is in WAL mode


class Patience:
    """Breaks off a query of a connection that takes too long to its next row.

    Args:
        connection: whose queries.
        longest_s: how long a row may take.
    """

    def __init__(self, connection: sqlite3.Connection, longest_s: float) -> None:
        self.longest_s = longest_s
        self.begin()
        connection.set_progress_handler(self._is_over, OPERATIONS_A_LOOK)

    def begin(self) -> None:
        """Count from now."""
        self._until_s = time.monotonic() + self.longest_s

    def _is_over(self) -> bool:
        return time.monotonic() > self._until_s


@dataclass(frozen=True)
class Opened:
    """A file that is open for reading.

    Attributes:
        connection: to it, or to a copy of it.
        patience: how long its queries may take.
        follows: whether what is written from now on can be read; if not, it is as it was when it was opened.
        most_bytes: how many the texts of one answer may come to.
    """

    connection: sqlite3.Connection
    patience: Patience
    follows: bool
    most_bytes: int


def open_to_read(path: Path, longest_s: float = LONGEST_S) -> Opened:
    """Open a run's file.

    Args:
        path: of the file.
        longest_s: how long a query may take to its next row, and a second more for each megabyte.

    Raises:
        JournalError: it is no run's file, or something beside it names files of others.
        sqlite3.Error: it cannot be opened.
        OSError: it cannot be read.
    """
    connection, follows = _connected(path)
    try:
        file_bytes = path.stat().st_size
        patience = Patience(connection, longest_s + file_bytes / BYTES_A_SECOND)
        expect_our_tables(connection)
        confine(connection)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(max(LARGEST_VALUE, file_bytes), SQLITES_LARGEST_VALUE))
    except BaseException:
        connection.close()
        raise
    return Opened(connection, patience, follows, max(LARGEST_ANSWER, 4 * file_bytes))


class NotBegun(JournalError):
    """A run's file in which nothing is yet: whoever made it was stopped right then, or is about to write."""


def expect_our_tables(connection: sqlite3.Connection) -> None:
    """Refuse a file with anything in it that acts when it is read: views, triggers, tables made by modules.

    Raises:
        JournalError: it has such.
        NotBegun: there is nothing at all in it.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    theirs = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    ours = {_as_stored(statement) for statement in statements(TABLES + INDEXES)}
    if not theirs:
        raise NotBegun(
            "it is empty: the run begins this very moment, so try again; or it was stopped before it began:"
            " run it again, with this folder as --out"
        )
    if strange := {_as_stored(sql) for sql in theirs} - ours:
        raise JournalError(f"it holds {min(strange)[:60]!r}, which this version (format {FORMAT}) does not write")


def expect_our_format(folder: Path, format_: object) -> None:
    """Refuse to check or go on with a run whose hashes were made otherwise; it can be read all the same.

    Args:
        folder: of the run.
        format_: as its manifest has it.

    Raises:
        JournalError: it is not ours.
    """
    if str(format_) != str(FORMAT):
        raise JournalError(
            f"{folder} has format {format_}, whose hashes were made otherwise: this version reads it, and checks, "
            f"continues and branches runs of format {FORMAT}"
        )


def _connected(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Return a connection, and whether it sees what is written from now on."""
    if not stat.S_ISREG(path.stat().st_mode):  # whoever opens a pipe waits for its other end, for ever
        raise JournalError("it is no file")
    if is_locked(path.parent):
        return _read_only(path, immutable=False), True
    expect_harmless(path)
    if any(_has_bytes(path.with_name(path.name + suffix)) for suffix in ("-journal", "-wal")):
        return _private_copy(path), False
    # In WAL mode, SQLite would make files beside it even to read.
    writes_ahead = _header(path)[18:19] == bytes([WRITES_AHEAD])
    return _read_only(path, immutable=writes_ahead), not writes_ahead


def _private_copy(path: Path) -> sqlite3.Connection:
    """Return a connection to a copy, in which what a killed process left beside the file was taken in, or back."""
    with TemporaryDirectory(prefix="cave-sim-", ignore_cleanup_errors=True) as workshop:
        copied = Path(workshop) / path.name
        copy_database(path, copied.parent)
        expect_harmless(copied)
        with closing(sqlite3.connect(copied)) as writer:
            writer.execute("SELECT count(*) FROM sqlite_master").fetchall()
        connection = _read_only(copied, immutable=True)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    return connection


def _read_only(path: Path, *, immutable: bool) -> sqlite3.Connection:
    options = "?mode=ro&immutable=1" if immutable else "?mode=ro"
    return sqlite3.connect(path.resolve().as_uri() + options, uri=True)


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEADER_BYTES)


def _has_bytes(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _as_stored(statement: str) -> str:
    return " ".join(str(statement).split()).replace(" IF NOT EXISTS", "")
