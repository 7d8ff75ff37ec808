"""How much one turn may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of one turn.

    Attributes:
        deadline_s: wall-clock seconds; 0 for none. Depends on the machine, so it is set far beyond honest cells.
        ticks: loop steps and calls, the same on every machine.
        output_chars: how much of what a cell prints is shown to its agent (the paper's L_max).
        changes: how many writes a turn may leave behind.
        memory_bytes: how much memory a cell may take beyond the world's; kept by the ``process`` host alone.
        stored_bytes: how much a turn may write and keep in variables, as JSON; kept by the ``process`` host alone.
    """

    deadline_s: float = 5.0
    ticks: int = 2_000_000
    output_chars: int = 20_000
    changes: int = 10_000
    memory_bytes: int = 512 * 2**20
    stored_bytes: int = 16 * 2**20
