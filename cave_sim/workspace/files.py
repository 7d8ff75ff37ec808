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
from cave_sim.workspace import trees
from cave_sim.workspace.trees import FOLDER, MOST_DEEP, counted

FICLONE = 0x40049409
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
    """Yield each file and link below a folder, by its path from there, sorted, with what the system says of it.

    What lies more than :data:`~cave_sim.workspace.trees.MOST_DEEP` folders deep is not looked at.
    """
    try:
        at = os.open(folder, FOLDER)
    except OSError:
        return
    try:
        yield from _walk(at, "", 0)
    finally:
        os.close(at)


def _walk(at: int, head: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    try:
        with os.scandir(at) as entries:
            in_order = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in in_order:
        with suppress(OSError):
            about = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(about.st_mode) or stat.S_ISLNK(about.st_mode):
                yield head + entry.name, about
            elif stat.S_ISDIR(about.st_mode) and depth < MOST_DEEP:
                with _opened(entry.name, at) as below:
                    yield from _walk(below, f"{head}{entry.name}/", depth + 1)


def copy(source: Path, target: Path, most_bytes: int) -> bool:
    """Copy a folder to one that is not there; returns whether the system shares what both hold until one is written.

    Raises:
        WorldError: it holds more than ``most_bytes``, counted as for the limit of a workspace, or too deep folders.
    """
    target.mkdir(mode=0o700)
    shared, left = True, most_bytes

    def below(inside: int, outside: int, depth: int) -> None:
        nonlocal shared, left
        if depth > MOST_DEEP:
            raise WorldError(f"{source}: holds more than {MOST_DEEP} folders within each other, and is not copied")
        with os.scandir(inside) as entries:
            names = [entry.name for entry in entries]
        for name in names:
            about = os.stat(name, dir_fd=inside, follow_symlinks=False)
            left -= counted(about)
            if left < 0:
                raise WorldError(f"{source}: holds more than {most_bytes:,} bytes, and is not copied")
            if stat.S_ISDIR(about.st_mode):
                os.mkdir(name, 0o700, dir_fd=outside)
                with _opened(name, inside) as one, _opened(name, outside) as other:
                    below(one, other, depth + 1)
                    os.fchmod(other, stat.S_IMODE(about.st_mode) | 0o700)
            elif stat.S_ISLNK(about.st_mode):
                os.symlink(os.readlink(name, dir_fd=inside), name, dir_fd=outside)
            elif stat.S_ISREG(about.st_mode):
                shared = _reflink(inside, outside, name) and shared

    with _opened(str(source)) as inside, _opened(str(target)) as outside:
        below(inside, outside, 0)
    return shared


@contextmanager
def _opened(name: str, at: int | None = None) -> Iterator[int]:
    """Open a folder that is one, and no link to one."""
    folder = os.open(name, FOLDER, dir_fd=at)
    try:
        yield folder
    finally:
        os.close(folder)


def _reflink(source: int, target: int, name: str) -> bool:
    """Copy one file from a folder to another one; returns whether by sharing its blocks, or because it has none."""
    inside = os.open(name, os.O_RDONLY | _FILE, dir_fd=source)
    try:
        about = os.fstat(inside)
        if not stat.S_ISREG(about.st_mode):
            return True
        outside = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=target)
        try:
            shares = _share(inside, outside)
            os.fchmod(outside, stat.S_IMODE(about.st_mode) & 0o777)
            os.utime(outside, ns=(about.st_atime_ns, about.st_mtime_ns))
            return shares or not about.st_size
        finally:
            os.close(outside)
    finally:
        os.close(inside)


def _share(inside: int, outside: int) -> bool:
    try:
        import fcntl

        fcntl.ioctl(outside, FICLONE, inside)
        return True
    except (ImportError, OSError):
        with open(inside, "rb", closefd=False) as one, open(outside, "wb", closefd=False) as other:
            shutil.copyfileobj(one, other, 1 << 20)
        return False


@contextmanager
def _parent(folder: Path, path: str, *, make: bool) -> Iterator[tuple[int, str]]:
    *above, name = parts_of(path)
    at = os.open(folder, FOLDER)
    try:
        for part in above:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=at)
            below = os.open(part, FOLDER, dir_fd=at)
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
    else:
        trees.remove(folder)
