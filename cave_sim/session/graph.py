"""The sessions of a run as a graph: which came of which and how, what each holds and cost; as text and as data."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.canonical_json import to_json
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.reader import Run
from cave_sim.session.archive import restore
from cave_sim.session.session import Session


@dataclass(frozen=True, slots=True)
class SessionNode:
    """One session of a run.

    Attributes:
        id, agent, placement: as the session has them.
        origin: how it began: ``new``, ``fork``, ``detach`` or ``merge``.
        parents: ids of the sessions that it was made from.
        rows: how many it has.
        shared: how many of them are its first parent's.
        tokens: what all its rows cost.
        first_step, last_step: of its own rows, or of all where it has none; None without rows.
        kinds: how many rows of each kind it has.
        hash: SHA-256 of its rows as plain data: sessions that say the same have the same.
    """

    id: str
    agent: str
    placement: str
    origin: str
    parents: tuple[str, ...]
    rows: int
    shared: int
    tokens: int
    first_step: int | None
    last_step: int | None
    kinds: Mapping[str, int]
    hash: str

    @classmethod
    def of(cls, session: Session) -> SessionNode:
        """Return the node of a session."""
        about = session.about()
        own = list(session.rows.since(about["shared"])) or list(session.rows)
        return cls(
            session.id,
            session.agent,
            session.placement,
            about["origin"],
            session.parents,
            len(session),
            about["shared"],
            session.usage.tokens,
            own[0].step if own else None,
            own[-1].step if own else None,
            dict(sorted(Counter(row.kind for row in session.rows).items())),
            hashlib.sha256(to_json(session.to_rows(), sort=True)).hexdigest(),
        )

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "parents": list(self.parents)}

    @property
    def text(self) -> str:
        """What is shown of it in one line."""
        when = "" if self.first_step is None else f", steps {self.first_step} to {self.last_step}"
        merged = f", with {self.parents[1]}" if len(self.parents) > 1 else ""
        return f"{self.id}  {self.rows} rows, {self.tokens:,} tokens{when}{merged}"


def sessions_of(run: Run, until: int | None = None) -> dict[str, Session]:
    """Return the sessions of a run by id, parents first, as they were after a step; the last one unless given.

    Raises:
        JournalError: the file is damaged.
    """
    with run.reading():
        return restore(run.sessions(until))


def named(sessions: Mapping[str, Session], name: str) -> list[Session]:
    """Return the sessions of an agent, or the one of an id; raises JournalError if there is neither."""
    found = [each for each in sessions.values() if name in (each.id, each.agent)]
    if not found:
        known = {each.agent for each in sessions.values()} | sessions.keys()
        raise JournalError(f"there is no session {name!r}, and no agent has one.{did_you_mean(name, known)}")
    return found


def drawn(nodes: Sequence[SessionNode]) -> list[str]:
    """Return the graph as lines: each session under its first parent, which says how it came of it."""
    known = {node.id for node in nodes}
    children: dict[str, list[SessionNode]] = {}
    for node in nodes:
        parent = node.parents[0] if node.parents and node.parents[0] in known else ""
        children.setdefault(parent, []).append(node)
    lines: list[str] = []
    stack = [(node, "", "") for node in reversed(children.get("", []))]
    while stack:  # a family may be thousands of generations deep
        node, head, indent = stack.pop()
        elsewhere = f"{node.origin} of {node.parents[0]}  " if node.parents and not head else ""
        lines.append(f"{head}{elsewhere}{node.text}")
        below = children.get(node.id, [])
        for place, child in reversed(list(enumerate(below))):
            is_last = place == len(below) - 1
            branch = f"{indent}{'└─ ' if is_last else '├─ '}{child.origin}  "
            stack.append((child, branch, indent + ("   " if is_last else "│  ")))
    return lines


def own_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield the rows that a session does not share with its first parent, with ``session`` and ``place``."""
    shared = session.lineage.shared
    for place, row in enumerate(session.to_rows(shared), shared):
        yield {"session": session.id, "place": place, **row}
