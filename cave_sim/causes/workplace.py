"""Where forks of one run are lived, one at a time, whoever asks: two searches share what they find."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

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
        was_there = self._folder.exists()
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            while True:
                try:
                    held = lock(self._folder, wait_s=WAIT_S)
                    break
                except Held:
                    continue
            with closing(held):
                yield
        finally:
            if not was_there:
                _leave_nothing_but_results(self._folder)

    @contextmanager
    def passing(self) -> Iterator[Path]:
        """Give the folder of a fork that nobody wants to keep, and clear away what one that was killed has left."""
        if self._folder is None:
            with tempfile.TemporaryDirectory(prefix="cave-sim-why-", ignore_cleanup_errors=True) as place:
                yield Path(place) / "fork"
            return
        folder = self._folder / PASSING
        _remove(folder)
        try:
            yield folder
        finally:
            _remove(folder)


def _leave_nothing_but_results(folder: Path) -> None:
    """Take back a folder in which nothing came to be kept."""
    with suppress(OSError):
        if [each.name for each in folder.iterdir()] == [LOCK]:
            (folder / LOCK).unlink()
        folder.rmdir()


def _remove(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
