"""Finding out how well cells are isolated: a sandboxed process attempts each thing that no cell may do."""

from __future__ import annotations

import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cave_sim.changes.turn import Limits
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.hosts.process.sandbox import Sandbox, landlock_problem


def _read() -> None:
    Path(sys.executable).open("rb").close()


ATTEMPTS: dict[str, Callable[[], Any]] = {
    "read a file": _read,
    "open a socket": lambda: socket.socket(socket.AF_UNIX),
    "start a process": lambda: os.fork() or os._exit(0),
    "look for programs": lambda: Path(sys.executable).stat(),
    "signal another process": lambda: os.kill(os.getppid(), 0),
    "make memory executable": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC),
}
"""What no cell may do."""


def probe(sandbox: Sandbox) -> IsolationLevel:
    """Try everything in sandboxed processes forked from this one, and say what came of it."""
    if _attempt(sandbox, lambda: None) is not True:
        return IsolationLevel("guarded", (), ("a sandboxed process cannot even compute here",))
    possible = [what for what, act in ATTEMPTS.items() if _attempt(sandbox, act)]
    no_landlock = landlock_problem()
    layers = ("process of its own", *sandbox.layers, *(["Landlock"] if no_landlock is None else []))
    missing = (*sandbox.missing, *(f"a cell that breaks out of Python could {what}" for what in possible))
    return IsolationLevel(
        "contained" if possible else "isolated", layers, (*missing, *([no_landlock] if no_landlock else []))
    )


def _attempt(sandbox: Sandbox, act: Callable[[], Any]) -> bool:
    """Say whether something works in the sandbox."""
    pipe, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            sandbox.enter(theirs, Limits(), 1 << 40)
            act()
            os.write(theirs, b"done")
        finally:
            os._exit(0)
    os.close(theirs)
    answer = os.read(pipe, 4)
    os.close(pipe)
    os.waitpid(pid, 0)
    return answer == b"done"
