"""Rows of steps that are committed, and not in the file yet: several steps that took little go in at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

Row = tuple[Any, ...]


class WaitingRows:
    """Collects rows by table.

    Attributes:
        within_s: how long a step may wait; each is due at once unless this is set.
    """

    def __init__(self) -> None:
        self.within_s: float = 0.0
        self._since_s = 0.0
        self._rows: dict[str, list[Row]] = {}

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Take the rows of a step."""
        if not self._rows:
            self._since_s = monotonic()
            self._rows = {table: [*of_table] for table, of_table in rows.items()}
            return
        for table, of_table in rows.items():
            self._rows[table] += of_table

    @property
    def are_due(self) -> bool:
        """Whether the first of them has waited long enough."""
        return not self.within_s or monotonic() - self._since_s >= self.within_s

    def take(self) -> tuple[int | None, dict[str, list[Row]]]:
        """Hand out all of them, and the step that is the first; None if there is none."""
        rows, self._rows = self._rows, {}
        return (rows["steps"][0][0] if rows else None), {table: each for table, each in rows.items() if each}
