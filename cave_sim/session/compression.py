"""Compression: which rows of a session make room for later ones, and the row that stands for them.

The session itself only grows: a ``compress`` row says in its data which rows it stands for, how many they are, and
their digest, so that what a model is no longer shown can be looked up in the journal, and checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from cave_sim.determinism.canonical_json import to_json
from cave_sim.models.base import Message, Usage
from cave_sim.models.tokens import ESTIMATE
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.summaries import LEFT_OUT, without_middle
from cave_sim.session.transcript import Shown

PARTS = frozenset({"cell", "output", "error", "tool_call", "tool_result", "model_error"})
"""Kinds that belong to the row before them: what a reply led to is left out with the reply, or not at all."""
LEAST_CHARS = 200


def stretches(shown: Sequence[Shown], room: int, *, keep: int) -> list[Sequence[Shown]]:
    """Return the stretches that are to be compressed, oldest first; [] if all fits.

    The task, which is the last thing that was said to the agent, stays, and so does what came last. What is left takes
    half of the room, so that the next compression is far: until then a prompt only grows, and prefix caches keep it.

    Args:
        shown: what is left of a session.
        room: tokens that there are for it.
        keep: where in the session the task stands.
    """
    if sum(each.tokens for each in shown) <= room:
        return []
    task = max((at for at, each in enumerate(shown) if each.place <= keep), default=0)
    chosen, spare = [], room // 2 - sum(each.tokens for each in shown[task:])
    older = shown[:task]
    if cut := _cut(older, spare):
        chosen.append(older[:cut])
    later = shown[task + 1 :]
    if spare < 0 and (cut := min(_cut(later, room // 2 - shown[task].tokens), _last_group(later))):
        chosen.append(later[:cut])
    return [stretch for stretch in chosen if len(stretch) > 1 or stretch[0].row.kind != "compress"]


def compress(session: Session, stretch: Sequence[Shown], text: str, because: str, usage: Usage | None = None) -> Row:
    """Add a row that stands for a stretch of a session, with evidence of what it stands for; returns it.

    Args:
        session: which it is.
        stretch: what is not shown any more.
        text: what is shown in its place.
        because: why: ``window``, ``failures`` or ``workflow``.
        usage: what writing the text cost.
    """
    first, last = stretch[0].first, stretch[-1].last
    begin, end = session.position(first), session.position(last)
    rows = list(session.rows.since(begin))[: end - begin + 1]
    data = {"first": first, "last": last, "rows": len(rows), "digest": digest_of(rows), "because": because}
    return session.append("compress", text, usage=usage, data=data)


def digest_of(rows: Sequence[Row]) -> str:
    """Return the digest of some rows, by which a reader finds that they are those which a row stands for."""
    return hashlib.sha256(to_json([row.to_data() for row in rows], sort=True)).hexdigest()


def clipped(messages: Sequence[Message], room: int) -> tuple[Message, ...]:
    """Return messages of which the longest lose their middle until all fit, for there is nothing left to leave out."""
    fitting = list(messages)
    while (excess := sum(map(ESTIMATE.of_message, fitting)) - room) > 0 and fitting:
        at = max(range(len(fitting)), key=lambda place: len(fitting[place].text))
        text = fitting[at].text
        length = max(LEAST_CHARS, len(text) - 4 * excess - len(LEFT_OUT) - 10)
        if length >= len(text):
            break
        ends = without_middle(text, length)
        if len(ends) >= len(text):
            break
        fitting[at] = Message(fitting[at].role, ends, fitting[at].tool_calls, fitting[at].call)
    return tuple(fitting)


def _cut(shown: Sequence[Shown], room: int) -> int:
    """Return how many of the oldest have to go so that the others fit, in whole groups."""
    cut = len(shown)
    for at in reversed(range(len(shown))):
        room -= shown[at].tokens
        if room < 0:
            break
        if shown[at].row.kind not in PARTS:
            cut = at
    return cut


def _last_group(shown: Sequence[Shown]) -> int:
    """Return where the last group begins; 0 if there is none."""
    return max((at for at, each in enumerate(shown) if each.row.kind not in PARTS), default=0)
