"""A copy of a run somewhere else, step by step: any place that fsspec has a URL for, such as a bucket.

The journal itself stays on a local disk, because SQLite needs one. What is copied ends with a committed step, and is a
run like any other: fetched back it can be read, verified and gone on with.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from cave_sim.errors import JournalError, MissingExtra
from cave_sim.journal.tables import DATABASE, MANIFEST
from cave_sim.loading.extras import extra
from cave_sim.simulation.observers import Observer, Watched

EVERY_STEPS = 12


class Mirror(Observer):
    """Copies a run every few steps, and when a stretch of it is over.

    Args:
        url: where to, as fsspec writes it: ``s3://bucket/town``, ``file:///...``.
        every_steps: how many steps may be lost with the disk, >= 1.
    """

    def __init__(self, url: str, every_steps: int = EVERY_STEPS) -> None:
        _place(url)
        self.url = url
        self._every_steps = every_steps

    def on_step(self, simulation: Watched) -> None:
        if simulation.world.clock.step % self._every_steps == 0:
            copy(simulation.journal.folder, self.url)

    def on_end(self, simulation: Watched) -> None:
        copy(simulation.journal.folder, self.url)


def copy(folder: str | Path, url: str) -> None:
    """Copy a run as of its last committed step, while it is being written or after; the copy is replaced as a whole.

    Raises:
        JournalError: there is no run, or nothing can be written there.
        MissingExtra: fsspec is not installed, or what it needs for this kind of URL.
    """
    there, path = _place(url)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            whole = Path(scratch) / DATABASE
            _back_up(Path(folder) / DATABASE, whole)
            there.makedirs(path, exist_ok=True)
            there.put_file(str(whole), f"{path}/{DATABASE}.new")
            there.mv(f"{path}/{DATABASE}.new", f"{path}/{DATABASE}")
            there.put_file(str(Path(folder) / MANIFEST), f"{path}/{MANIFEST}")
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{folder} could not be copied to {url}: {error}") from None


def fetch(url: str, folder: str | Path) -> Path:
    """Bring a copied run back to a local folder that holds none; returns the folder.

    Raises:
        JournalError: there is a run in the folder, or none at the URL.
        MissingExtra: fsspec is not installed, or what it needs for this kind of URL.
    """
    there, path = _place(url)
    folder = Path(folder)
    if (folder / DATABASE).exists():
        raise JournalError(f"{folder} holds a run already; fetch into another folder")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name in (MANIFEST, DATABASE):
            there.get_file(f"{path}/{name}", str(folder / name))
    except OSError as error:
        raise JournalError(f"no run could be fetched from {url}: {error}") from None
    return folder


def _back_up(database: Path, copied: Path) -> None:
    """Copy a database as it is after its last commit, without holding up whoever writes it."""
    reading = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    with closing(reading) as source, closing(sqlite3.connect(copied)) as target:
        source.backup(target)


def _place(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    with extra("mirror", "a copy of a run"):
        from fsspec.core import url_to_fs
    try:
        there, path = url_to_fs(url)
    except ImportError as error:
        raise MissingExtra(f"{url}: {error}") from None
    except ValueError as error:
        raise JournalError(f"{url} is no place that fsspec knows: {error}") from None
    return there, str(path).rstrip("/")
