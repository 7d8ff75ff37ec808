"""Sessions on their way to a journal and back: each row is stored once, however often its session was forked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from cave_sim.session.row import SessionError
from cave_sim.session.session import Session


class Archive:
    """Hands out the new rows of sessions since the last call; costs only the new rows.

    Store its entries in order. A session that shares rows with a parent is stored without them, once they are stored
    with the parent.
    """

    def __init__(self) -> None:
        self._stored: dict[str, int] = {}
        self._abouts: dict[str, dict[str, Any]] = {}

    def news(self, session: Session) -> dict[str, Any] | None:
        """Return what is to be stored of a session as plain data, or None if nothing changed."""
        about = session.about()
        if self._abouts.get(session.id) == about:
            return None
        start = self._stored.get(session.id)
        if start is None:
            parents = session.lineage.parents
            start = session.lineage.shared if parents and self._has(parents[0].id, session.lineage.shared) else 0
        self._abouts[session.id], self._stored[session.id] = about, len(session)
        return {"about": about, "rows": session.to_rows(start)}

    def knows(self, sessions: Iterable[Session]) -> None:
        """Take sessions that are stored already, such as those of a resumed run."""
        for session in sessions:
            self._abouts[session.id], self._stored[session.id] = session.about(), len(session)

    def _has(self, session: str, rows: int) -> bool:
        return self._stored.get(session, -1) >= rows


def restore(entries: Iterable[Mapping[str, Any]]) -> dict[str, Session]:
    """Return the sessions of an archive's entries by id, parents first, sharing what they shared.

    Raises:
        SessionError: rows are damaged or missing, or a session is said to descend from itself.
    """
    abouts: dict[str, Mapping[str, Any]] = {}
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        about = entry["about"]
        abouts[about["id"]] = about
        rows.setdefault(about["id"], []).extend(entry["rows"])
    sessions: dict[str, Session] = {}
    for name in _parents_first(abouts):
        parents = [sessions[parent] for parent in abouts[name]["parents"] if parent in sessions]
        sessions[name] = Session.from_rows(abouts[name], rows[name], parents)
    return sessions


def _parents_first(abouts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    try:
        names = TopologicalSorter({name: about["parents"] for name, about in abouts.items()}).static_order()
        return [name for name in names if name in abouts]
    except CycleError as error:
        raise SessionError(f"these sessions are said to descend from each other: {', '.join(error.args[1])}") from None
