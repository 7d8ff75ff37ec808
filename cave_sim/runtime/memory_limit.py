"""How much memory running cells may take, as far as one process can keep it: asked of the operating system.

Guards ask how large one value will be; what many of them come to, or one long call inside C, only the system can
count. While cells run, it refuses the process more than they may take, which ends their turn as a MemoryError.

A library of linear algebra that is refused memory for its buffers ends the process, or asks for ever: numpy's takes
them before, and others are loaded outside of the limit.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from cave_sim.policy.libraries import late

_IS_KEPT = sys.platform.startswith("linux") and os.access("/proc/self/statm", os.R_OK)
"""Elsewhere the system takes such a limit and does not keep it."""
_PAGE_BYTES = resource.getpagesize() if _IS_KEPT else 0
_DATA_FIELD, _MAX_STATM_CHARS = 5, 200
_SQUARE = 128
"""Smaller matrices are multiplied without buffers."""


class MemoryLimit:
    """The one limit of the process; nested turns, and those of other threads, are held by the one that was first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns = 0
        self._own = (0, 0)
        self._is_fixed = not _IS_KEPT
        self._reader: tuple[int, int] = (0, -1)  # process, and its file that tells what it uses

    def leave_as_it_is(self) -> None:
        """Set no limit from here on: this process is a sandbox, which has one, and may not set others."""
        self._is_fixed = True

    def set(self, limit_bytes: int) -> bool:
        """Let the process have no more than ``limit_bytes`` beyond what it has; returns whether to :meth:`lift` it.

        Args:
            limit_bytes: 0 for any.
        """
        if limit_bytes <= 0 or self._is_fixed:
            return False
        with self._lock:
            if not self._turns:
                if self._reader[0] != os.getpid():
                    _reserve_buffers()
                self._own = soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
                most = self._used_bytes() + limit_bytes
                if soft == resource.RLIM_INFINITY or most < soft:
                    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
            self._turns += 1
        return True

    def lift(self) -> None:
        """Give back what the process had, once the last turn has ended."""
        with self._lock:
            self._turns -= 1
            if not self._turns:
                resource.setrlimit(resource.RLIMIT_DATA, self._own)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let what is done here take what it needs: it is not the cell's."""
        if not self._turns:  # nor is there a limit of ours where none may be set
            yield
            return
        limit, used_bytes = resource.getrlimit(resource.RLIMIT_DATA), self._used_bytes()
        resource.setrlimit(resource.RLIMIT_DATA, self._own)
        try:
            yield
        finally:
            if limit != self._own:
                more_bytes = self._used_bytes() - used_bytes
                resource.setrlimit(resource.RLIMIT_DATA, (limit[0] + more_bytes, limit[1]))

    def _used_bytes(self) -> int:
        """Return what the system counts as data of this process."""
        process, file = self._reader
        if process != os.getpid():  # this one was forked
            file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
            self._reader = os.getpid(), file
        return int(os.pread(file, _MAX_STATM_CHARS, 0).split()[_DATA_FIELD]) * _PAGE_BYTES


def _reserve_buffers() -> None:
    """Have the library of linear algebra take the buffers that it works in, and keeps."""
    square = np.eye(_SQUARE)
    square @ square


MEMORY_LIMIT = MemoryLimit()
late.asides.append(MEMORY_LIMIT.aside)
