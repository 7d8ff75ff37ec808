"""Memory in huge pages, so that a fork has fewer to copy and its end fewer to clear: a third of what both take.

A fork shares what the process has, page by page, and so does each fork of a fork. Where one of them writes, the system
goes back to small pages by itself.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

MADV_COLLAPSE = 25
"""Have the system put the small pages of a range into a huge one now; known since Linux 6.1."""
MAPS = Path("/proc/self/maps")
SIZE = Path("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")


def gather() -> int:
    """Put this process's own memory into huge pages as far as the system can; returns how many those are.

    Nothing but time depends on it: where there are none, or the system does not know how, it comes to 0.
    """
    if not sys.platform.startswith("linux"):
        return 0
    try:
        size, maps = int(SIZE.read_text()), MAPS.read_text()
    except (OSError, ValueError):
        return 0
    libc = ctypes.CDLL(None)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(libc.madvise(at, size, MADV_COLLAPSE) == 0 for at in _places(maps, size))


def _places(maps: str, size: int) -> Iterator[int]:
    """Yield where a huge page could begin in the memory that is written to and stands for no file."""
    for line in maps.splitlines():
        place, rights, _offset, _device, inode, *name = line.split()
        if inode == "0" and rights.startswith("rw") and name in ([], ["[heap]"]):
            begin, end = (int(each, 16) for each in place.split("-"))
            yield from range(-(-begin // size) * size, end - size + 1, size)
