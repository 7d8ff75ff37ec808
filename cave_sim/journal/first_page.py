"""The first page of a run's file, in whose bytes everything else is found: as it would be had it not been damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from cave_sim.journal.tables import DATABASE, TABLES

PAGE_BYTES = 4_096
"""Of every run's file: SQLite's own choice, which nothing here changes."""
_FIXED = {
    0: b"SQLite format 3\0" + PAGE_BYTES.to_bytes(2, "big"),
    20: b"\0\x40\x20\x20",
    44: b"\0\0\0\4",
    56: b"\0\0\0\1",
}
"""Where the header says what all of these files say: what it is, what sizes have, how texts are encoded."""
_VERSIONS, _PAGES, _CHANGED, _MADE_BY = slice(18, 20), slice(28, 32), slice(24, 28), slice(92, 96)


def mended(path: Path) -> Iterator[None]:
    """Change a copy of a damaged file, step by step, into one whose first page is sound; each time more is replaced.

    First it is as it was; then its header says what that of every run says; then its list of tables is that of a new
    run, whose tables begin at the same pages. Whether that is so here, hashes and seals have to tell.

    Args:
        path: of the copy.
    """
    yield
    with path.open("r+b") as file:
        page = bytearray(file.read(PAGE_BYTES))
        if len(page) < PAGE_BYTES:
            return
        _write_header(page, path.stat().st_size // PAGE_BYTES)
        _put(file, page)
        yield
        page[100:] = _new_page()[100:]
        _put(file, page)
        yield


def _write_header(page: bytearray, pages: int) -> None:
    for at, fixed in _FIXED.items():
        page[at : at + len(fixed)] = fixed
    page[_VERSIONS] = b"\1\1"  # nothing beside the file is looked at any more
    page[_PAGES] = pages.to_bytes(4, "big")
    page[_MADE_BY] = page[_CHANGED]


def _put(file: BinaryIO, page: bytearray) -> None:
    file.seek(0)
    file.write(page)
    file.flush()


def _new_page() -> bytes:
    with TemporaryDirectory(prefix="cave-sim-") as folder:
        path = Path(folder) / DATABASE
        with closing(sqlite3.connect(path)) as file:
            file.executescript(TABLES)
        return path.read_bytes()[:PAGE_BYTES]
