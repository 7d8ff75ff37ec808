"""What is made of a session's rows, kept up to date at the cost of what is new in it."""

from __future__ import annotations

from cave_sim.session.persistent_vector import Vector
from cave_sim.session.row import Row
from cave_sim.session.session import Session


class Follower:
    """Reads one session as it grows; base of whatever is read from rows.

    Override :meth:`_begin`, which forgets everything, and :meth:`_take`, which takes in one row.
    """

    def __init__(self) -> None:
        self._rows: Vector[Row] = Vector()
        self._begin()

    def follow(self, session: Session) -> None:
        """Take in what is new; a session that goes on from an earlier row is read anew."""
        rows = session.rows
        if rows is self._rows:
            return
        common = self._rows.shared(rows)
        if common < len(self._rows):
            self._begin()
            common = 0
        for row in rows.since(common):
            self._take(row)
        self._rows = rows

    def _begin(self) -> None:
        raise NotImplementedError

    def _take(self, row: Row) -> None:
        raise NotImplementedError
