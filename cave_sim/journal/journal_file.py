"""The file of a run, open for writing: lock, transactions, manifest. Errors name the file and the way out."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import ESCAPING, from_json
from cave_sim.diagnostics.system_limits import file_size_limit
from cave_sim.errors import JournalError, reason
from cave_sim.files.whole_files import write_whole
from cave_sim.journal.hash_chain import manifest_seal
from cave_sim.journal.lock import LOCK, UNWRITABLE, Held, lock
from cave_sim.journal.rows import EFFECT_COLUMNS, EFFECT_KEY, Row, row_of_effect
from cave_sim.journal.sidecars import expect_harmless
from cave_sim.journal.table_seals import resealed
from cave_sim.journal.tables import ADDED, DATABASE, FORMAT, INDEXES, MANIFEST, TABLES, statements

SHOWN_CHARS = 10_000
"""Entries of the manifest that are longer stay in the file alone."""


OWN_FILES = tuple(f"{DATABASE}{beside}" for beside in ("", "-wal", "-shm", "-journal"))
AT_ONCE, MANY = 40, 200
"""So many rows go in by one statement where there are many: that takes three quarters of the time, once it is prepared.
Any SQLite takes 999 values in one."""
TRIES = 12
"""How often SQLite's five seconds are waited for whoever else holds the file, such as a browser of databases."""
HELD = ": another program has held it for a minute. Let it end its transaction, then resume"
GONE = "it was moved or deleted while it was written. A run that was moved can be resumed where it is now"


class JournalFile:
    """The open file of one run, and the lock on its folder.

    Args:
        folder: the run's directory; made if missing.

    Attributes:
        folder, path: of the run, and of the file in it.

    Raises:
        JournalError: the folder cannot be written, or another process writes it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder: Path = folder
        self.path: Path = folder / DATABASE
        self._was_there, self._has_shown = folder.exists(), False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(UNWRITABLE.format(path=folder, error=reason(error))) from None
        try:
            self._lock = lock(folder)
        except Held:
            raise
        except JournalError:
            self._leave_no_empty_folder()
            raise
        try:
            expect_harmless(self.path)
        except JournalError:
            self._lock.close()
            raise
        self._pid = os.getpid()
        # Who asks models writes their calls while the thread of the run waits: one at a time, in whichever thread.
        self._connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._identity = _identity(self.path)

    # ---- opening and closing

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Make the tables of a new run.

        Raises:
            JournalError: the folder holds a run already, or cannot be written.
        """
        with self._naming_failures(UNWRITABLE):
            holds_a_run = self.value("SELECT count(*) FROM sqlite_master")
        if holds_a_run:
            raise JournalError(f"{self.folder} holds a run already; choose another folder with --out, or remove it")
        try:
            self._write_ahead()
            with self.writing(UNWRITABLE):
                for statement in statements(TABLES):
                    self.execute(statement)
                self.describe({"format": FORMAT, **manifest})
            self.show_manifest()
        except JournalError:
            self.take_back()
            raise

    def reopen(self) -> None:
        """Prepare to go on with a run; raises JournalError if it cannot be written."""
        self._write_ahead()
        with self.writing(UNWRITABLE):
            there = {name for (name,) in self.rows("SELECT name FROM sqlite_master")}
            for statement in statements(TABLES):
                if there and statement.split()[2] in set(ADDED) - there:
                    self.execute(statement)

    def finish(self) -> None:
        """Make the indexes, fold in the write-ahead log, and let go of the file."""
        self._expect_own_process()
        try:
            self._connection.executescript(INDEXES)
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            with suppress(sqlite3.OperationalError):  # while others read it, it stays in WAL mode, and is whole
                self.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path} could not be closed: {error}") from None
        finally:
            self.release()

    def release(self) -> None:
        """Let go of the file as it is."""
        self._connection.close()
        self._lock.close()

    def take_back(self) -> None:
        """Remove a run that could not begin, and the folder that was made for it, which is free for the next try."""
        in_place = _identity(self.path) == self._identity
        self._connection.close()
        with suppress(OSError):
            for name in () if not in_place else (*OWN_FILES, *((MANIFEST,) if self._has_shown else ())):
                (self.folder / name).unlink(missing_ok=True)
        self._lock.close()
        self._leave_no_empty_folder()

    def _leave_no_empty_folder(self) -> None:
        with suppress(OSError):
            (self.folder / LOCK).unlink(missing_ok=True)
            if not self._was_there:
                self.folder.rmdir()  # which fails if it holds something else by now

    @contextmanager
    def released_on_error(self) -> Iterator[None]:
        """Let go of the file if what happens here raises JournalError."""
        try:
            yield
        except JournalError:
            self.release()
            raise

    def _write_ahead(self) -> None:
        with self._naming_failures(UNWRITABLE):
            self.execute("PRAGMA journal_mode = WAL")
            self.execute("PRAGMA synchronous = NORMAL")

    # ---- reading and writing

    @contextmanager
    def writing(self, failure: str) -> Iterator[None]:
        """Make one transaction of what happens here.

        Args:
            failure: what to say if it cannot be written, with ``{path}`` and ``{error}``.

        Raises:
            JournalError: the file could not be written; nothing of the transaction is in it.
        """
        self._expect_own_process()
        with self._naming_failures(failure):
            self._expect_in_place()
            self._begin_transaction()
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite has rolled back by itself when the disk is full
                    self.execute("ROLLBACK")
                raise

    def _begin_transaction(self) -> None:
        """Wait a minute for the file, so that who looks into it costs no run; between the tries, Ctrl-C is heard."""
        for tries_left in reversed(range(TRIES)):
            try:
                self.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                if not tries_left:
                    raise sqlite3.OperationalError(f"{error}{HELD}") from None
            else:
                return

    def _expect_in_place(self) -> None:
        """SQLite would go on in a file that was moved or deleted, and say so to nobody."""
        if _identity(self.path) != self._identity:
            raise OSError(errno.ENOENT, GONE)

    def _expect_own_process(self) -> None:
        """Two processes would number their turns alike, and SQLite forbids a fork to use what it inherits."""
        if os.getpid() != self._pid:
            raise JournalError(
                f"{self.path} is written by process {self._pid}, and this is a fork of that process: let it go on"
                " there; what goes on here is simulation.fork(), which keeps no journal"
            )

    @contextmanager
    def _naming_failures(self, failure: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            cause = reason(error) if isinstance(error, OSError) else f"{error}{file_size_limit()}"
            raise JournalError(failure.format(path=self.path, error=cause)) from None

    def execute(self, sql: str, *parameters: Any) -> None:
        """Run one statement."""
        self._connection.execute(sql, parameters)

    def rows(self, sql: str, *parameters: Any) -> list[Row]:
        """Return the rows of a query."""
        return self._connection.execute(sql, parameters).fetchall()

    def value(self, sql: str, *parameters: Any) -> Any:
        """Return the first column of a query's first row; None if it has no row."""
        row = self._connection.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def insert(self, into: str, rows: Sequence[Row]) -> None:
        """Insert whole rows, ``into`` as SQL says it: ``INTO turns``, ``OR IGNORE INTO cells``."""
        if not rows:
            return
        columns, at = len(rows[0]), 0
        while len(rows) >= MANY and len(rows) - at >= AT_ONCE:
            values = tuple(chain.from_iterable(rows[at : at + AT_ONCE]))
            self._connection.execute(_insertion(into, columns, AT_ONCE), values)
            at += AT_ONCE
        if at < len(rows):
            self._connection.executemany(_insertion(into, columns, 1), rows[at:])

    def note_effect(self, effect: Mapping[str, Any]) -> None:
        """Write a row of ``effects`` in place of the one that told of the same request, within a transaction."""
        row = row_of_effect(effect)
        values = dict(zip(EFFECT_COLUMNS, row, strict=True))
        where = " AND ".join(f"{name} = ?" for name in EFFECT_KEY)
        with resealed(self.rows, "effects", where, *(values[name] for name in EFFECT_KEY)):
            self.insert("OR REPLACE INTO effects", [(None, *row)])

    # ---- the manifest

    def describe(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest, within a transaction, and seal it anew."""
        self.insert(
            "OR REPLACE INTO manifest",
            [(key, _text(value)) for key, value in entries.items()],
        )
        seal = manifest_seal(self.rows("SELECT key, value FROM manifest"))
        self.insert("OR REPLACE INTO manifest", [("seal", json.dumps(seal))])

    def show_manifest(self) -> None:
        """Write the shorter entries of the manifest beside the file, for people."""
        with self._naming_failures("{path} cannot be written: {error}"):
            self._expect_in_place()  # what is there in its stead may be another run
            rows = self.rows("SELECT key, value FROM manifest ORDER BY rowid")
            entries = {key: from_json(text) for key, text in rows if len(text) < SHOWN_CHARS and key != "seal"}
            text = json.dumps(entries, indent=2, ensure_ascii=False) + "\n"
            shown = self.folder / MANIFEST
            if shown.exists() and not shown.is_file():  # in a stranger's folder: whoever writes to a pipe waits
                raise OSError(errno.EINVAL, f"{MANIFEST} is no file there; remove it")
            write_whole(shown, text)
        self._has_shown = True


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another of its name; None where none is."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@cache
def _insertion(into: str, columns: int, rows: int) -> str:
    """Return the statement that inserts so many rows of so many columns."""
    row = f"({', '.join('?' * columns)})"
    return f"INSERT {into} VALUES {', '.join([row] * rows)}"


def _text(value: Any) -> str:
    """Return JSON that SQLite takes, whatever folder it names."""
    return json.dumps(value, ensure_ascii=False).encode(errors=ESCAPING).decode()
