"""Rows of steps that are committed, and not in the file yet: several steps that took little go in at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

Row = tuple[Any, ...]


class WaitingRows:
    """Collects rows by table."""

    def __init__(self) -> None:
        self._within_s = self._since_s = 0.0
        self._rows: dict[str, list[Row]] = {}

    def wait(self, within_s: float) -> float:
        """Have steps wait until so long after the last ones were handed out; with 0, each is due at once.

        Returns:
            How long they would have waited until now.
        """
        before_s, self._within_s, self._since_s = self._within_s, within_s, monotonic()
        return before_s

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Take the rows of a step."""
        for table, of_table in rows.items():
            if of_table:
                self._rows.setdefault(table, []).extend(of_table)

    @property
    def are_due(self) -> bool:
        """Whether they have waited long enough, as a step that took long has at its own end."""
        return not self._within_s or monotonic() - self._since_s >= self._within_s

    def take(self) -> tuple[int | None, dict[str, list[Row]]]:
        """Hand out all of them, and the step that is the first; None if there is none."""
        rows, self._rows, self._since_s = self._rows, {}, monotonic()
        return (rows["steps"][0][0] if rows else None), rows
