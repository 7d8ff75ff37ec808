"""The messages that a model is sent of a session, updated incrementally instead of rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from cave_sim.models.base import Message
from cave_sim.session.persistent_vector import Vector
from cave_sim.session.row import Row
from cave_sim.session.session import Session

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "system": "system",
        "user": "user",
        "assistant": "assistant",
        "output": "user",
        "error": "user",
        "tool": "user",
        "memory": "user",
        "context_state": "user",
    }
)
"""Who is heard to say a row. Kinds that are not here are for people: a ``cell`` repeats what its assistant row says."""


class Transcript:
    """Turns sessions into messages, and remembers the latest: the next request costs only what differs from it.

    That is the new rows; after a fork at an earlier row, also those that were left behind. Ask one transcript for one
    session and its forks, not for many in turn.

    Args:
        roles: kind of row -> role of its message; rows of other kinds are left out.
    """

    def __init__(self, roles: Mapping[str, str] = ROLES) -> None:
        self._roles = dict(roles)
        self._rows: Vector[Row] = Vector()
        self._messages: Vector[Message] = Vector()

    def messages(self, session: Session) -> Vector[Message]:
        """Return the messages of a session, oldest first, as a value that later ones do not change."""
        common = self._rows.shared(session.rows)
        stale = sum(row.kind in self._roles for row in self._rows.since(common))
        common_messages = self._messages.take(len(self._messages) - stale)
        new = session.rows.since(common)
        self._messages = common_messages.extend(messages_of(new, self._roles))
        self._rows = session.rows
        return self._messages


def messages_of(rows: Iterable[Row], roles: Mapping[str, str] = ROLES) -> list[Message]:
    """Return the messages of some rows."""
    return [Message(roles[row.kind], row.text) for row in rows if row.kind in roles]
