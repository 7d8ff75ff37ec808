"""Where the code of a session runs, when that is a place that can be forked: a folder of files, say."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from cave_sim.session.row import SessionError


@runtime_checkable
class SessionPlace(Protocol):
    """What a session can be placed in, and forks together with it."""

    def fork(self) -> Any:
        """Return a place that is the same now, and goes on by itself."""

    def merged(self, other: Any) -> Any:
        """Return a fork of it with what the other one, of the same origin, changed; raises if both changed the same."""


WORKSPACE = "workspace"
"""The placement of sessions that have a place of their own."""


def place_of_fork(session_id: str, place: SessionPlace | None, at: int, rows: int) -> SessionPlace | None:
    """Return the place of a fork; raises SessionError where it would not be as it was at that row."""
    if place is None:
        return None
    if at != rows:
        raise SessionError(
            f"fork({at}) of session {session_id}: its workspace is as it is now, after row {rows}; fork the whole"
            " session, or take it elsewhere first, with .to('none')"
        )
    forked: SessionPlace = place.fork()
    return forked
