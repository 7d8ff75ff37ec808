"""Trees of files that others made, measured and removed however deep, wide or shut they are; no link is followed.

By the standard library alone: the processes inside and outside of a jail load it by path (`keeper.py`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOST_DEEP = 64
"""How many folders within each other are looked into."""
LEAST_BYTES = 4_096
"""What each file and folder counts for at least: it takes room where names are kept, too."""
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class TooDeep(Exception):
    """A folder lies too deep, or cannot be looked into: nobody knows what is in there."""


def counted(about: os.stat_result) -> int:
    """Return what a file counts for, in bytes: a hole counts as what it stands for, because copies fill it."""
    size = about.st_size if stat.S_ISREG(about.st_mode) else 0
    return max(size, getattr(about, "st_blocks", 0) * 512, LEAST_BYTES)


def size(folders: list[str]) -> int:
    """Return what folders hold, in bytes; raises TooDeep."""
    total = 0
    for folder in folders:
        at = os.open(folder, FOLDER)
        try:
            total += sum(_sizes(at, 0))
        finally:
            os.close(at)
    return total


def _sizes(at: int, depth: int) -> Iterator[int]:
    with os.scandir(at) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                about = entry.stat(follow_symlinks=False)
                yield counted(about)
                if not stat.S_ISDIR(about.st_mode):
                    continue
                if depth == MOST_DEEP:
                    raise TooDeep(f"more than {MOST_DEEP} folders within each other")
                try:
                    below = os.open(entry.name, FOLDER, dir_fd=at)
                except NotADirectoryError:  # another one stands there by now
                    continue
                except PermissionError:
                    raise TooDeep("a folder that cannot be looked into") from None
                try:
                    yield from _sizes(below, depth + 1)
                finally:
                    os.close(below)


def remove(folder: str | Path, at: int | None = None) -> None:
    """Remove a folder and all in it; nothing where there is none. Nothing else may write there meanwhile.

    It goes down folder by folder, and up by ``..``: one open folder is enough, and no path is too long.
    """
    try:
        here = _unlocked(str(folder), at)
    except FileNotFoundError:
        return
    above = list[tuple[str, list[str]]]()
    try:
        waiting = _emptied(here)
        while waiting or above:
            if waiting:
                name = waiting.pop()
                there = _unlocked(name, here)
                above.append((name, waiting))
                waiting = _emptied(there)
            else:
                name, waiting = above.pop()
                there = os.open("..", FOLDER, dir_fd=here)
                os.rmdir(name, dir_fd=there)
            os.close(here)
            here = there
    finally:
        os.close(here)
    os.rmdir(folder, dir_fd=at)


def _emptied(at: int) -> list[str]:
    """Remove what is in a folder but for its folders; returns those."""
    names = _names(at)
    folders = [name for name in names if stat.S_ISDIR(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)]
    for name in {*names}.difference(folders):
        os.unlink(name, dir_fd=at)
    return folders


def tidy(folder: str) -> None:
    """Remove what lies too deep to be looked into, and open what is shut. Nothing else may write there meanwhile."""
    at = os.open(folder, FOLDER)
    try:
        _tidy(at, 0)
    finally:
        os.close(at)


def _tidy(at: int, depth: int) -> None:
    for name in _names(at):
        with suppress(OSError):
            if not stat.S_ISDIR(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
                continue
            if depth == MOST_DEEP:
                remove(name, at)
                continue
            try:
                below = os.open(name, FOLDER, dir_fd=at)
            except PermissionError:
                below = _unlocked(name, at)
            try:
                _tidy(below, depth + 1)
            finally:
                os.close(below)


def _names(at: int) -> list[str]:
    with os.scandir(at) as entries:
        return [entry.name for entry in entries]


def _unlocked(name: str, at: int | None) -> int:
    """Open a folder, and let its owner do everything there; whatever its mode, its owner may change it."""
    if stat.S_ISDIR(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
        with suppress(OSError):
            os.chmod(name, 0o700, dir_fd=at)
    return os.open(name, FOLDER, dir_fd=at)
