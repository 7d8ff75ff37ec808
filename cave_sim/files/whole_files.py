"""Files that are written whole, or not at all: whatever ends the process leaves the one that was there."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cave_sim.determinism.canonical_json import ESCAPING


def write_whole(path: Path, text: str) -> None:
    """Write a text file in one go; raises OSError that names it, and then nothing of it is left.

    Half a surrogate, as the name of a folder that is no UTF-8 has, is written as JSON writes it.
    """
    with in_place_of(path) as fresh:
        fresh.write_text(text, encoding="utf-8", errors=ESCAPING)


def clear_away(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there; raises OSError that names what cannot be removed."""
    if folder.is_symlink():  # shutil names neither it nor the reason since Python 3.13
        raise OSError(errno.ENOTDIR, "a symbolic link, which only whoever made it removes", str(folder))
    if folder.exists():
        shutil.rmtree(folder)


@contextmanager
def in_place_of(path: Path) -> Iterator[Path]:
    """Yield where to write a file that takes its place at the end; raises OSError that names it.

    If writing ends in any other way nothing of it is left. A pipe or a terminal is written into as it is.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    fresh = unfinished(path)
    try:
        fresh.unlink(missing_ok=True)  # another process that still writes to it writes on into a file of its own
        yield fresh
        fresh.replace(path)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):  # a folder that takes no file has none to lose, and says so above, of the file's name
            fresh.unlink(missing_ok=True)


def unfinished(path: Path) -> Path:
    """Return what a process that was killed while it wrote a file may leave beside it."""
    return path.with_name(f".{path.name}.new")
