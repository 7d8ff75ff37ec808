"""The last step that a run has, to which the next one is chained."""

from __future__ import annotations

from typing import NamedTuple, Self

from cave_sim.journal.hash_chain import GENESIS
from cave_sim.journal.journal_file import JournalFile


class LastCommit(NamedTuple):
    """Where a run has come to.

    Attributes:
        step: the last step that was committed; None before the first.
        state_hash: digest of the state after it.
        hash, seal: its own, to which the next step is chained.
        last_turn, last_call: numbers of the last turn and model call of that step.
    """

    step: int | None = None
    state_hash: str | None = None
    hash: str = GENESIS
    seal: str = GENESIS
    last_turn: int = 0
    last_call: int = 0

    @classmethod
    def of(cls, file: JournalFile) -> Self:
        """Return where the run of a file has come to."""
        columns = "step, state_hash, hash, seal, last_turn, last_call"
        rows = file.rows(f"SELECT {columns} FROM steps ORDER BY step DESC LIMIT 1")
        return cls(*rows[0]) if rows else cls()
