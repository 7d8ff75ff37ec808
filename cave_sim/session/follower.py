"""Data derived from a session's rows, updated incrementally: an update costs only the new rows."""

from __future__ import annotations

from cave_sim.session.persistent_vector import Vector
from cave_sim.session.row import Row
from cave_sim.session.session import Session


class Follower:
    """Reads one session as it grows; base class of data derived from rows.

    Override :meth:`_begin`, which forgets everything, and :meth:`_take`, which takes in one row.
    """

    def __init__(self) -> None:
        self._rows: Vector[Row] = Vector()
        self._begin()

    def follow(self, session: Session) -> None:
        """Process the new rows; a session that branched off at an earlier row is read again from its start."""
        rows = session.rows
        if rows is self._rows:
            return
        common = self._rows.shared(rows)
        if common < len(self._rows) and not self._rewind(common):
            self._begin()
            common = 0
        for row in rows.since(common):
            self._take(row)
        self._rows = rows

    def _begin(self) -> None:
        raise NotImplementedError

    def _rewind(self, common: int) -> bool:
        """Forget all but the first ``common`` rows; False if that takes reading them again, as it does by default."""
        return False

    def _take(self, row: Row) -> None:
        raise NotImplementedError
