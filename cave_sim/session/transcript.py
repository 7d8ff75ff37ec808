"""The messages that a model is sent of a session, updated incrementally instead of rebuilt.

A row of kind ``compress`` stands for a stretch of rows: its data names the ``first`` and the ``last`` of them. They
stay in the session, hence in the journal; the model is shown what stands for them, in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import msgspec

from cave_sim.models.base import Message
from cave_sim.models.tokens import ESTIMATE
from cave_sim.session.follower import Follower
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.summaries import without_middle

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "system": "system",
        "user": "user",
        "assistant": "assistant",
        "output": "user",
        "error": "user",
        "tool_result": "user",
        "memory": "user",
        "recall": "user",
        "compress": "user",
    }
)
"""Who is heard to say a row. Kinds that are not here are for people: a ``cell`` repeats what its assistant row says."""


def message_of(row: Row) -> Message | None:
    """Return the message of a row, its middle left out where its data says how much is shown.

    None for rows that are for people.
    """
    role = ROLES.get(row.kind)
    return None if role is None else Message(role, without_middle(row.text, row.data.get("shown_chars", len(row.text))))


class Shown(msgspec.Struct, frozen=True):
    """A row that is left to be shown, and the stretch of the session that it stands for: itself, for most.

    Attributes:
        row: the row.
        message: what the model is sent of it; None for rows that are for people.
        tokens: of the message, estimated.
        first, last: ids of the rows at the ends of its stretch.
        place: where its stretch begins in the session.
    """

    row: Row
    message: Message | None
    tokens: int
    first: str
    last: str
    place: int


class Transcript(Follower):
    """Turns a session into messages, and remembers them: the next request costs only the new rows.

    Ask one transcript for one session as it grows, not for many in turn.

    Args:
        message_of: row -> its message, None for rows that are left out.

    Attributes:
        shown: what is left of the session, in order.
    """

    def __init__(self, message_of: Callable[[Row], Message | None] = message_of) -> None:
        self._message_of = message_of
        super().__init__()

    def messages(self, session: Session) -> tuple[Message, ...]:
        """Return the messages of a session, oldest first, as a value that later ones do not change."""
        return messages_of(self.since(session, 0))

    def since(self, session: Session, begun: int) -> list[Shown]:
        """Return what is left of a session from row number ``begun`` on."""
        self.follow(session)
        if not begun:
            return list(self.shown)
        at = len(self.shown)
        while at and self.shown[at - 1].place >= begun:
            at -= 1
        return self.shown[at:]

    def _begin(self) -> None:
        self.shown: list[Shown] = []
        self._taken = 0
        self._latest_compress = -1

    def _rewind(self, common: int) -> bool:
        if self._latest_compress >= common:  # what it stood for was forgotten here
            return False
        while self.shown and self.shown[-1].place >= common:
            self.shown.pop()
        self._taken = common
        return True

    def _take(self, row: Row) -> None:
        place, self._taken = self._taken, self._taken + 1
        message = self._message_of(row)
        tokens = 0 if message is None else ESTIMATE.of_message(message)
        stretch = self._stretch(row) if row.kind == "compress" else None
        if stretch is None:
            self.shown.append(Shown(row, message, tokens, row.id, row.id, place))
            return
        self._latest_compress = place
        first, last = self.shown[stretch.start], self.shown[stretch.stop - 1]
        self.shown[stretch] = [Shown(row, message, tokens, first.first, last.last, first.place)]

    def _stretch(self, row: Row) -> slice | None:
        """Return which part of what is shown a row stands for; None if it is not here, as after a merge."""
        last = next(
            (at for at in reversed(range(len(self.shown))) if self.shown[at].last == row.data.get("last")), None
        )
        if last is None:
            return None
        first = next((at for at in reversed(range(last + 1)) if self.shown[at].first == row.data.get("first")), None)
        return None if first is None else slice(first, last + 1)


def messages_of(shown: Iterable[Shown]) -> tuple[Message, ...]:
    """Return the messages of what is shown."""
    return tuple(each.message for each in shown if each.message is not None)
