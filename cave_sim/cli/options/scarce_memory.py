"""Linear algebra, loaded where a process may take little: OpenBLAS waits for ever for memory that it is not given.

It takes room for each of its threads when it is loaded, hears no signal while it waits for that, and where the system
gives it no thread it interrupts its own process, as Ctrl-C would.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from cave_sim.diagnostics.system_limits import address_space_left, are_threads_scarce

LOADING_IT = frozenset({"numpy", "scipy.linalg", "scipy.special"})
"""Modules that load one of its copies; numpy and SciPy have one each."""
FIXED_BYTES, THREAD_BYTES = 80_000_000, 40_000_000
"""What one copy takes, and each of its threads beside."""
THREADS = "OPENBLAS_NUM_THREADS"


def spare() -> None:
    """Have it work on one thread, unless the environment says otherwise, and be loaded only where there is room.

    It does nothing in a process that may take what the machine has.
    """
    if address_space_left() is None and not are_threads_scarce():
        return
    os.environ.setdefault(THREADS, "1")
    if not any(isinstance(each, _RoomFirst) for each in sys.meta_path):
        sys.meta_path.insert(0, _RoomFirst())


class _RoomFirst:
    """Finds nothing, but is asked before all others."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in LOADING_IT and not LOADING_IT.intersection(sys.modules).difference({"numpy"} - {name}):
            check_room()
        return None


def check_room() -> None:
    """Raise MemoryError if this process may not take what one copy takes."""
    left = address_space_left()
    threads = os.environ.get(THREADS, "")
    needed = FIXED_BYTES + THREAD_BYTES * (int(threads) if threads.isdecimal() else os.cpu_count() or 1)
    if left is not None and left < needed:
        raise MemoryError(f"to load linear algebra takes {needed // 10**6} MB, and {max(left, 0) // 10**6} MB are left")
