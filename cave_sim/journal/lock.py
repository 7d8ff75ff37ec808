"""The lock on a run's folder: one process writes it at a time."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryFile
from weakref import WeakValueDictionary

from cave_sim.errors import JournalError
from cave_sim.journal.sidecars import expect_harmless

LOCK = "run.lock"
MAX_PATH_CHARS = 512 - len("-journal")
"""What SQLite takes, with the name of a file that it lays beside its own."""
UNWRITABLE = (
    "{path} cannot be written: {error}. Choose a folder with --out, or copy a run that is there and use the copy"
)


NO_LOCKS = "the file system of {folder} has no file locks, which keep a run from two writers: move it to another one"
"""What is said where SQLite says that a file is locked, and nothing there can be."""


class Held(JournalError):
    """The lock of a folder is held by another process, or by this very one."""


class _Lock(sqlite3.Connection):
    """A connection that is forgotten as soon as it is closed."""

    def close(self) -> None:
        for key in [key for key, lock in _held.items() if lock is self]:
            del _held[key]
        super().close()


def lock(folder: Path, *, wait_s: float = 0.0) -> sqlite3.Connection:
    """Return the lock on a run's folder; closing it lets go.

    It is SQLite's own lock on an empty file: the same on every system, and no process leaves a stale one behind.

    Args:
        folder: of the run.
        wait_s: how long it is waited for.

    Raises:
        Held: another process holds it.
        JournalError: the folder cannot be written.
    """
    expect_only_a_lock(folder)
    path = folder / LOCK
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=wait_s, check_same_thread=False, factory=_Lock)
    except sqlite3.Error as error:
        length = len(str(path.resolve()))
        why = f"a path of {length} characters, and SQLite takes 512" if length > MAX_PATH_CHARS else error
        raise JournalError(UNWRITABLE.format(path=folder, error=why)) from None
    try:
        connection.execute("PRAGMA journal_mode = OFF")  # nothing is written: no file beside it comes and goes
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error) and not has_locks(folder):
            raise JournalError(NO_LOCKS.format(folder=folder)) from None
        if "locked" in str(error):
            writer = (
                "this very process, by a simulation that is open: close() it"
                if _key(folder) in _held
                else "another process; wait for it, or stop it"
            )
            raise Held(f"{folder} is being written by {writer}") from None
        raise JournalError(UNWRITABLE.format(path=folder, error=error)) from None
    _held[_key(folder)] = connection
    return connection


_held: WeakValueDictionary[str, _Lock] = WeakValueDictionary()
"""The locks that this process holds, by folder."""


def _key(folder: Path) -> str:
    return str(folder.resolve())


def is_locked(folder: Path) -> bool:
    """Say whether a process holds the lock of a run: whoever writes it does, however long its steps are."""
    path = folder / LOCK
    if not path.is_file():
        return False
    try:
        expect_only_a_lock(folder)
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=0.0)) as file:
            file.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except (sqlite3.Error, JournalError):
        return False
    return False


def has_locks(folder: Path) -> bool:
    """Say whether files in a folder can be locked, as far as that can be tried out there."""
    try:
        import fcntl
    except ImportError:  # on Windows, where every file system has them
        return True
    with suppress(OSError), TemporaryFile(dir=folder) as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def expect_only_a_lock(folder: Path) -> None:
    """Refuse a lock with something in it, or with other files beside it: SQLite would act on what they say.

    Raises:
        JournalError: it is no lock of ours.
    """
    path = folder / LOCK
    if path.is_symlink() or (path.exists() and not (path.is_file() and path.stat().st_size == 0)):
        raise JournalError(f"{path} is no lock of a run: remove it")
    expect_harmless(path)
