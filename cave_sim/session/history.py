"""The rows of a session and what they cost, as a value: adding rows makes a new one that shares the old."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cave_sim.models.base import Usage
from cave_sim.session.persistent_vector import Vector
from cave_sim.session.row import Row

NO_USAGE = Usage()


class SessionHistory(msgspec.Struct, frozen=True):
    """Rows, oldest first.

    Attributes:
        rows: what was said.
        totals: the usage up to and with each row, so that a fork at any row knows what it cost.
    """

    rows: Vector[Row] = msgspec.field(default_factory=Vector)
    totals: Vector[Usage] = msgspec.field(default_factory=Vector)

    @property
    def usage(self) -> Usage:
        """What all rows cost, each counted once."""
        return self.totals.last() or NO_USAGE

    def append(self, row: Row) -> SessionHistory:
        """Return this history with one more row. O(1) amortised."""
        total = self.usage if row.usage is None else self.usage + row.usage
        return SessionHistory(self.rows.append(row), self.totals.append(total))

    def extend(self, rows: Iterable[Row]) -> SessionHistory:
        """Return this history with more rows."""
        history = self
        for row in rows:
            history = history.append(row)
        return history

    def take(self, count: int) -> SessionHistory:
        """Return the first ``count`` rows, all of them if there are fewer."""
        return SessionHistory(self.rows.take(count), self.totals.take(count))


NO_HISTORY = SessionHistory()
