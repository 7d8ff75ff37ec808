"""Forks that were killed before their end: what their minds were answered is paid for, and they are lived anew."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run, open_run
from cave_sim.simulation.silence import WITHOUT


def is_fork_of(folder: Path, fork: Run) -> bool:
    """Say whether something was taken out of a run, in ``folder``, to make a fork."""
    parents = fork.manifest.get("parents") or [{}]
    return WITHOUT in fork.manifest and parents[0].get("run") == folder.resolve().name


def was_killed(folder: Path, out: Path) -> bool:
    """Say whether ``out`` holds a fork of the run in ``folder`` that has not come to its end."""
    if not out.is_dir() or out.is_symlink():
        return False
    with suppress(JournalError), open_run(out) as fork:
        return is_fork_of(folder, fork) and not fork.manifest.get("finished")
    return False
