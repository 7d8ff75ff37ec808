"""Files that are written whole, or not at all: whatever ends the process leaves the one that was there."""

from __future__ import annotations

from pathlib import Path

from cave_sim.canonical_json import ESCAPING


def write_whole(path: Path, text: str) -> None:
    """Write a text file in one go; raises OSError that names it, and then nothing of it is left.

    Half a surrogate, as the name of a folder that is no UTF-8 has, is written as JSON writes it.
    """
    if path.exists() and not path.is_file():  # a pipe, or a terminal
        path.write_text(text, encoding="utf-8", errors=ESCAPING)
        return
    fresh = unfinished(path)
    try:
        fresh.write_text(text, encoding="utf-8", errors=ESCAPING)
        fresh.replace(path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        fresh.unlink(missing_ok=True)


def unfinished(path: Path) -> Path:
    """Return what a process that was killed while it wrote a file may leave beside it."""
    return path.with_name(f".{path.name}.new")
