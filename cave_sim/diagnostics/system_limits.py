"""What to know of the limits that a process lives under, where an error may come of them: how many, and the way out."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from cave_sim.errors import reason

FEW_THREADS = 1_000
NO_THREAD = "can't start new thread"
"""What Python says where the system gives it none."""


def file_size_limit() -> str:
    """Return what to know of a process whose files may grow no larger, which SQLite calls an error of the disk."""
    most_bytes = _most("FSIZE")
    return (
        "" if most_bytes is None else f" (files of this process may have {most_bytes:,} bytes: give it more, ulimit -f)"
    )


def address_space_limit() -> str:
    """Return what to know of a process in which something was not loaded, or found no memory; empty if it has all."""
    most_bytes = _most("AS")
    if most_bytes is None:
        return ""
    return f"; this process may take {most_bytes / 1e9:.1f} GB of address space: give it more (ulimit -v)"


def address_space_left() -> int | None:
    """Return how many bytes of address space this process may still take; None where nothing limits that."""
    most_bytes = _most("AS")
    if most_bytes is None:
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError):  # there is no /proc
        return None
    return most_bytes - pages * os.sysconf("SC_PAGE_SIZE")


def are_threads_scarce() -> bool:
    """Say whether this user may have so few processes and threads that a library's own may be too many."""
    most = _most("NPROC")
    return most is not None and most <= FEW_THREADS


def process_limit(error: BaseException) -> str:
    """Return what keeps this user from more processes and threads, if an error may come of that; else nothing.

    Where address space is short that is named: a thread's stack takes of it, and the system says of both the same.
    """
    if not (isinstance(error, OSError) and error.errno == errno.EAGAIN) and NO_THREAD not in str(error):
        return ""
    if space := address_space_limit():
        return space
    most = _most("NPROC")
    return "" if most is None else f" (this user may have {most:,} processes and threads: allow more, ulimit -u)"


def why_no_process(error: OSError) -> str:
    """Return why the system gave no further process, or nothing to connect one with."""
    return f"{reason(error)}{process_limit(error)}"


def _most(what: str) -> int | None:
    """Return the limit of this process on what Python calls ``RLIMIT_what``; None where there is none."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    most, _ = resource.getrlimit(getattr(resource, f"RLIMIT_{what}"))
    return None if most == resource.RLIM_INFINITY else most
