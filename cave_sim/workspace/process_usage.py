"""What running processes hold that no folder shows: memory, and files that were removed while somebody has them.

By the standard library alone: the first process in a jail loads it by path (`keeper.py`). It looks at what descends
from itself, by ``/proc``; where there is none, nothing is counted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

REMOVED = b" (deleted)"
SOCKET_BYTES = 425_984
"""What one socket may hold in the kernel, at Linux's defaults: nobody here may ask for more (`command_filter.py`)."""
GONE = (FileNotFoundError, ProcessLookupError)


class ProcessUsage:
    """What the descendants of this process hold together, now.

    Args:
        folders: whose files are counted where they have no name any more.
        most_bytes: what such a file counts for if its length cannot be found out, because only a mapping holds it.
        memory_bytes: where it seems to be more, memory is counted page by page, so that what a fork shares counts once.
        trees: the module of that name.

    Attributes:
        processes: how many there are.
        removed_bytes: of files in the folders that have no name any more.
        memory_bytes: of their own, with what several share counted once, at its whole length, and with what sockets
            may hold.
    """

    def __init__(self, folders: list[str], most_bytes: int, memory_bytes: int, trees: Any) -> None:
        self._trees = trees
        self._inside = tuple(os.fsencode(folder).replace(b"\n", rb"\012") + b"/" for folder in folders)
        self._removed: dict[int, int] = {}
        self._mapped: set[int] = set()
        self._shared: dict[bytes, int] = {}
        self._sockets: set[int] = set()
        pids = [*_descendants()]
        for pid in pids:
            self._look_at_files(pid)
            self._look_at_mappings(pid)
        self.processes: int = len(pids)
        self.removed_bytes: int = sum(self._removed.values())
        self.removed_bytes += most_bytes * len(self._mapped.difference(self._removed))
        others = sum(self._shared.values()) + SOCKET_BYTES * len(self._sockets)
        self.memory_bytes: int = others + sum(map(_private_bytes, pids))
        if self.memory_bytes > memory_bytes:
            self.memory_bytes = others + sum(map(_proportional_bytes, pids))

    def _look_at_files(self, pid: int) -> None:
        """Add what a process has open. Its threads have the same files (`command_filter.py`); the first may be over."""
        tasks = _tasks(pid)
        for task in {*tasks[:1], *tasks[-1:]}:
            with suppress(*GONE):
                for opened in (*(task / "fd").iterdir(), task / "exe"):
                    with suppress(*GONE):
                        about = opened.stat()
                        if stat.S_ISSOCK(about.st_mode):
                            self._sockets.add(about.st_ino)
                        elif stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                            self._removed[about.st_ino] = self._trees.counted(about)

    def _look_at_mappings(self, pid: int) -> None:
        for task in _tasks(pid)[-1:]:
            with suppress(*GONE):
                for line in (task / "maps").read_bytes().splitlines():
                    if line.endswith(REMOVED):
                        self._add_mapping(*line.split(None, 5))

    def _add_mapping(self, span: bytes, _mode: bytes, offset: bytes, device: bytes, inode: bytes, path: bytes) -> None:
        if path.startswith(self._inside):
            with suppress(OSError):
                if os.lstat(path).st_ino == int(inode):  # its name ends like that, and it is there
                    return
            self._mapped.add(int(inode))
        else:
            begin, end = (int(address, 16) for address in span.split(b"-"))
            which, length = device + inode, int(offset, 16) + end - begin
            self._shared[which] = max(length, self._shared.get(which, 0))


def _descendants() -> Iterator[int]:
    """Yield their numbers as this ``/proc`` has them, which may be that of another namespace."""
    try:
        waiting = [int(Path("/proc/self").readlink().name)]
    except OSError:
        return
    while waiting:
        for task in _tasks(waiting.pop()):
            with suppress(OSError):
                children = [int(number) for number in (task / "children").read_bytes().split()]
                yield from children
                waiting += children


def _tasks(pid: int) -> list[Path]:
    with suppress(OSError):
        return [*Path("/proc", str(pid), "task").iterdir()]
    return []


def _private_bytes(pid: int) -> int:
    """Return the memory of a process that no file stands for; what it shares with its forks is in there."""
    with suppress(OSError, ValueError):
        resident, shared = Path("/proc", str(pid), "statm").read_bytes().split()[1:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional_bytes(pid: int) -> int:
    """Return its part of that memory: of a page that three processes share, a third."""
    with suppress(OSError, ValueError):
        for line in Path("/proc", str(pid), "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss_Anon:"):
                return int(line.split()[1]) * 1024
    return _private_bytes(pid)
