"""Where forks of one run are lived, one at a time, whoever asks: two searches share what they find."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.lock import LOCK, Held, lock

PASSING = ".fork"
WAIT_S = 1.0
"""So long at a time the lock is waited for: between two times Ctrl-C is heard."""


class Workplace:
    """The folder in which the results of a run's forks are kept.

    Args:
        folder: it is made when it is needed; without one, passing forks lie among temporary files.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else works here, and keep them out meanwhile; whoever is killed lets go.

        Raises:
            JournalError: the folder cannot be written.
        """
        if self._folder is None:
            yield
            return
        ours, lock = False, None
        while lock is None:
            ours = ours or _holds_nothing(self._folder)
            try:
                lock = _lock_of(self._folder)
            except JournalError:
                if ours:
                    with suppress(OSError):
                        self._folder.rmdir()
                raise
        with closing(lock):
            try:
                yield
            finally:
                if ours:
                    _leave_nothing_but_results(self._folder)

    @contextmanager
    def passing(self, left: Callable[[Path], object] = lambda folder: None) -> Iterator[Path]:
        """Give the folder of a fork that nobody wants to keep, and clear away what one that was killed has left.

        Args:
            left: is handed that, before it goes.
        """
        if self._folder is None:
            with tempfile.TemporaryDirectory(prefix="cave-sim-why-", ignore_cleanup_errors=True) as place:
                yield Path(place) / "fork"
            return
        folder = self._folder / PASSING
        if folder.is_dir() and not folder.is_symlink():
            left(folder)
        _remove(folder)
        try:
            yield folder
        finally:
            _remove(folder)


def _lock_of(folder: Path) -> sqlite3.Connection | None:
    """Return the lock of a folder, which is made; None if another one has it, or took the folder back meanwhile."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _standing(folder) as is_there:
            try:
                own_lock = lock(folder, wait_s=WAIT_S)
            except Held:
                return None
            except JournalError:
                if is_there():
                    raise
                return None
            if is_there():
                return own_lock
            own_lock.close()
    except (FileExistsError, FileNotFoundError):
        with suppress(FileNotFoundError):
            if not stat.S_ISDIR(folder.lstat().st_mode):
                raise
    return None


@contextmanager
def _standing(folder: Path) -> Iterator[Callable[[], bool]]:
    """Say whether the folder at a path is the one that was there at first: while it is open, none gets its number."""
    try:
        here = os.open(folder, os.O_RDONLY)
    except PermissionError:  # who may not look into it takes nothing back, and Windows moves no folder that is in use
        yield lambda: True
        return

    def is_there() -> bool:
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(here), folder.stat())
        return False

    try:
        yield is_there
    finally:
        os.close(here)


def _holds_nothing(folder: Path) -> bool:
    """Say whether a folder is not there, or has only the lock in it of one who was killed, or who waits as we do."""
    try:
        return [each.name for each in folder.iterdir()] == [LOCK]
    except FileNotFoundError:  # asked and looked at in one go: another may take it back between the two
        return True


def _leave_nothing_but_results(folder: Path) -> None:
    """Take back a folder in which nothing came to be kept, in one go: who waits for the lock in it begins anew."""
    with suppress(OSError):
        if [each.name for each in folder.iterdir()] == [LOCK]:
            _remove(folder.rename(folder.with_name(f".{folder.name}-{secrets.token_hex(4)}")))


def _remove(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
