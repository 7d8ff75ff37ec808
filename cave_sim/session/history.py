"""The rows of a session and what they cost, as a value: adding rows makes a new one that shares the old."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter

import msgspec

from cave_sim.models.base import Usage
from cave_sim.session.persistent_vector import Vector
from cave_sim.session.row import Row

NO_USAGE = Usage()


class SessionHistory(msgspec.Struct, frozen=True):
    """Rows, oldest first.

    Attributes:
        rows: what was said.
        costs: of each row that cost something, how many rows there were with it and the usage up to and with it; so
            that a fork at any row knows what it cost.
    """

    rows: Vector[Row] = msgspec.field(default_factory=Vector)
    costs: Vector[tuple[int, Usage]] = msgspec.field(default_factory=Vector)

    @property
    def usage(self) -> Usage:
        """What all rows cost, each counted once."""
        last = self.costs.last()
        return NO_USAGE if last is None else last[1]

    def append(self, row: Row) -> SessionHistory:
        """Return this history with one more row. O(1) amortised."""
        rows, costs = self.rows.append(row), self.costs
        if row.usage is not None:
            costs = costs.append((rows.size, self.usage + row.usage))
        return SessionHistory(rows, costs)

    def extend(self, rows: Iterable[Row]) -> SessionHistory:
        """Return this history with more rows."""
        history = self
        for row in rows:
            history = history.append(row)
        return history

    def take(self, count: int) -> SessionHistory:
        """Return the first ``count`` rows, all of them if there are fewer."""
        return SessionHistory(
            self.rows.take(count), self.costs.take(bisect_right(self.costs, count, key=itemgetter(0)))
        )


NO_HISTORY = SessionHistory()
