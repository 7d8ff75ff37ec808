"""The careless café on a machine that has room for no process beside those that run a cell."""

import errno

from cave_sim import World
from cave_sim.hosts.process.cell_process import CellProcesses
from tests.hosts.process import careless


def build() -> World:
    """Return the café, in a process that can fork nothing ahead."""
    CellProcesses.fork_ahead = _has_no_room  # type: ignore[method-assign]
    return careless.build()


def _has_no_room(_processes: CellProcesses) -> None:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
