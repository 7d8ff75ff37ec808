"""Files of a folder in which others wrote: no symbolic link is followed, in no part of a path; only files are opened.

A path is walked from the folder down by open folders, so that a link that is put there in the meantime leads nowhere.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cave_sim.errors import WorldError, reason

FICLONE = 0x40049409
MOST_DEEP = 64
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def parts_of(path: str) -> list[str]:
    """Return the parts of a path inside of a folder; raises WorldError for one that leads out."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or not parts or ".." in parts or "\0" in path or len(parts) > MOST_DEEP:
        raise WorldError(f"{path!r} is no path inside of the workspace: say it from its folder down, without ..")
    return parts


def read(folder: Path, path: str, most_bytes: int) -> bytes:
    """Return what a file holds; raises WorldError if there is none, or it holds more than ``most_bytes``."""
    with _parent(folder, path, make=False) as (parent, name), _open(parent, name, os.O_RDONLY, path) as file:
        data = b""
        while piece := os.read(file, most_bytes + 1 - len(data)):
            data += piece
        if len(data) > most_bytes:
            raise WorldError(f"{path}: holds more than {most_bytes:,} bytes; read it by a command, part by part")
        return data


def write(folder: Path, path: str, data: bytes) -> None:
    """Have a file hold this, whole or not at all; folders above it are made. Raises WorldError where that cannot be."""
    with _parent(folder, path, make=True) as (parent, name):
        mode = 0o600
        with suppress(OSError):
            there = os.stat(name, dir_fd=parent, follow_symlinks=False)
            if not stat.S_ISREG(there.st_mode):
                raise WorldError(f"{path}: is no file")
            mode = stat.S_IMODE(there.st_mode)
        new = f".{name[:100]}.{os.getpid()}.new"
        with suppress(FileNotFoundError):
            os.unlink(new, dir_fd=parent)
        with _open(parent, new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, path) as file:
            view = memoryview(data)
            while view:
                view = view[os.write(file, view) :]
            os.fchmod(file, mode)
        os.replace(new, name, src_dir_fd=parent, dst_dir_fd=parent)


def remove(folder: Path, path: str) -> None:
    """Remove a file or a link; raises WorldError if there is none."""
    with _parent(folder, path, make=False) as (parent, name):
        try:
            os.unlink(name, dir_fd=parent)
        except OSError as error:
            raise WorldError(f"{path}: {reason(error)}") from None


def walk(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield each file and link below a folder, by its path from there, sorted, with what the system says of it."""
    stack = [("", folder)]
    while stack:
        head, at = stack.pop()
        try:
            with os.scandir(at) as entries:
                found = sorted(entries, key=lambda entry: entry.name, reverse=True)
        except OSError:
            continue
        for entry in found:
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(about.st_mode):
                    stack.append((f"{head}{entry.name}/", Path(entry.path)))
                elif stat.S_ISREG(about.st_mode) or stat.S_ISLNK(about.st_mode):
                    yield head + entry.name, about


def copy(source: Path, target: Path) -> bool:
    """Copy a folder to one that is not there; returns whether the system shares what both hold until one is written."""
    shared = True

    def copied(one: str, other: str) -> str:
        nonlocal shared
        about = os.lstat(one)
        if stat.S_ISREG(about.st_mode) and about.st_size:
            shared = _reflink(one, other) and shared
            shutil.copystat(one, other)
        elif stat.S_ISREG(about.st_mode):
            shutil.copy2(one, other, follow_symlinks=False)
        return other

    shutil.copytree(source, target, symlinks=True, copy_function=copied)
    return shared


def _reflink(source: str, target: str) -> bool:
    """Copy one file; returns whether by sharing its blocks."""
    inside, outside = os.open(source, os.O_RDONLY | _FILE), os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            import fcntl

            fcntl.ioctl(outside, FICLONE, inside)
            return True
        except (ImportError, OSError):
            with open(inside, "rb", closefd=False) as one, open(outside, "wb", closefd=False) as other:
                shutil.copyfileobj(one, other, 1 << 20)
            return False
    finally:
        os.close(inside)
        os.close(outside)


@contextmanager
def _parent(folder: Path, path: str, *, make: bool) -> Iterator[tuple[int, str]]:
    *above, name = parts_of(path)
    at = os.open(folder, _FOLDER)
    try:
        for part in above:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=at)
            below = os.open(part, _FOLDER, dir_fd=at)
            os.close(at)
            at = below
        yield at, name
    except OSError as error:
        raise WorldError(f"{path}: {reason(error)}") from None
    finally:
        os.close(at)


@contextmanager
def _open(parent: int, name: str, flags: int, path: str) -> Iterator[int]:
    file = os.open(name, flags | _FILE, 0o600, dir_fd=parent)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise WorldError(f"{path}: is no file")
        yield file
    finally:
        os.close(file)


def clear(folder: Path) -> None:
    """Remove a folder and all in it, following no link; nothing where there is none."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
