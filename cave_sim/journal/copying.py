"""Copies of files of strangers: as large as what is written in them, however large they say that they are."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

SECTOR_BYTES = 512  # what `st_blocks` counts, on every POSIX system
_CHUNK = 1 << 20


def copy_database(path: Path, folder: Path) -> None:
    """Copy a run's file and what a killed process left beside it into a folder, holes as holes.

    Args:
        path: of the file.
        folder: where to.

    Raises:
        OSError: one cannot be read, or there is no room for all of them.
    """
    beside = (path.with_name(path.name + suffix) for suffix in ("", "-journal", "-wal"))
    paths = [each for each in beside if each.is_file()]
    free = shutil.disk_usage(folder).free
    if (needed := sum(map(_written_bytes, paths))) > free:
        raise OSError(errno.ENOSPC, f"a copy of it takes {needed:,} bytes, and {folder.parent} has {free:,}")
    for path in paths:
        _copy(path, folder / path.name)


def _written_bytes(path: Path) -> int:
    status = path.stat()
    return min(status.st_size, getattr(status, "st_blocks", status.st_size) * SECTOR_BYTES)


def _copy(path: Path, target: Path) -> None:
    with path.open("rb", buffering=0) as source, target.open("xb", buffering=0) as copied:
        size = os.fstat(source.fileno()).st_size
        at = 0
        while at < size:
            begin, end = _next_stretch(source.fileno(), at, size)
            source.seek(begin)
            copied.seek(begin)
            while begin < end and (chunk := source.read(min(_CHUNK, end - begin))):
                copied.write(chunk)
                begin += len(chunk)
            at = end
        copied.truncate(size)


def _next_stretch(file: int, at: int, size: int) -> tuple[int, int]:
    """Return where what is written begins and ends; all that is left where the system knows of no holes."""
    if not hasattr(os, "SEEK_DATA"):
        return at, size
    try:
        begin = os.lseek(file, at, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:  # there is nothing but holes
            return size, size
        raise
    return begin, os.lseek(file, begin, os.SEEK_HOLE)
