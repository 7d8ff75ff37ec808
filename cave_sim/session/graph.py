"""The sessions of a run as a graph: which came of which and how, what each holds and cost; as text and as data."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.reader import Run
from cave_sim.session.archive import restore
from cave_sim.session.row import Row
from cave_sim.session.session import Session

INDENTED = 20
"""How many generations are drawn further to the right than their parents."""


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
        hash: SHA-256 of its rows as lines of JSON: sessions that say the same have the same.
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

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "parents": list(self.parents)}

    @property
    def text(self) -> str:
        """What is shown of it in one line."""
        when = "" if self.first_step is None else f", steps {self.first_step} to {self.last_step}"
        merged = f", with {self.parents[1]}" if len(self.parents) > 1 else ""
        return f"{self.id}  {counted(self.rows, 'row')}, {counted(self.tokens, 'token')}{when}{merged}"


def nodes_of(sessions: Iterable[Session]) -> list[SessionNode]:
    """Return the nodes of sessions, in their order; rows that a session shares with one before it are read once."""
    every = list(sessions)
    wanted = set(map(_left_at, every))
    known: dict[tuple[str, int], _Beginning] = {}
    nodes = []
    for session in every:
        beginning = known.get(_left_at(session), _Beginning()).copy()
        for row in session.rows.since(beginning.count):
            if (session.id, beginning.count) in wanted:
                known[session.id, beginning.count] = beginning.copy()
            beginning.take(row)
        known[session.id, beginning.count] = beginning
        nodes.append(_node(session, beginning))
    return nodes


def _left_at(session: Session) -> tuple[str, int]:
    """Return the session that one began as a copy of, and how many rows of it; none of nobody's if it began empty."""
    parents = session.lineage.parents
    return (parents[0].id, session.lineage.shared) if parents else ("", 0)


class _Beginning:
    """What the first rows of a session come to."""

    def __init__(self) -> None:
        self.count, self.kinds, self.digest = 0, Counter[str](), hashlib.sha256()

    def take(self, row: Row) -> None:
        """Take the next row."""
        self.count += 1
        self.kinds[row.kind] += 1
        self.digest.update(to_json(row.to_data(), sort=True) + b"\n")

    def copy(self) -> _Beginning:
        """Return the same, for another session to go on from."""
        other = _Beginning()
        other.count, other.kinds, other.digest = self.count, self.kinds.copy(), self.digest.copy()
        return other


def _node(session: Session, beginning: _Beginning) -> SessionNode:
    about, rows = session.about(), session.rows
    first = about["shared"] if about["shared"] < len(rows) else 0
    return SessionNode(
        session.id,
        session.agent,
        session.placement,
        about["origin"],
        session.parents,
        len(session),
        about["shared"],
        session.usage.tokens,
        rows[first].step if rows else None,
        rows[-1].step if rows else None,
        dict(sorted(beginning.kinds.items())),
        beginning.digest.hexdigest(),
    )


def sessions_of(run: Run, until: int | None = None) -> dict[str, Session]:
    """Return the sessions of a run by id, parents first, as they were after a step; the last one unless given.

    Raises:
        JournalError: the file is damaged.
    """
    with run.reading():
        return restore(run.sessions(until))


def named(sessions: Mapping[str, Session], name: str) -> list[Session]:
    """Return the sessions of an agent, or the one of an id; raises JournalError if there is neither."""
    matching = [each for each in sessions.values() if name in (each.id, each.agent)]
    if not matching:
        known = {each.agent for each in sessions.values()} | sessions.keys()
        raise JournalError(f"there is no session {name!r}, and no agent has one.{did_you_mean(name, known)}")
    return matching


def drawn(nodes: Sequence[SessionNode]) -> list[str]:
    """Return the graph as lines: each session under its first parent, which says how it came of it.

    From so many generations on they stand below each other, and each names its parent, so that a long family stays
    readable, and as long as it is.
    """
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
        is_deep = len(indent) >= INDENTED * len("│  ")
        below = children.get(node.id, [])
        for place, child in reversed(list(enumerate(below))):
            is_last = place == len(below) - 1
            of = f" of {node.id}" if is_deep else ""
            branch = f"{indent}{'└─ ' if is_last and not is_deep else '├─ '}{child.origin}{of}  "
            stack.append((child, branch, indent if is_deep else indent + ("   " if is_last else "│  ")))
    return lines


def own_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield the rows that a session does not share with its first parent, with ``session`` and ``place``."""
    shared = session.lineage.shared
    for place, row in enumerate(session.to_rows(shared), shared):
        yield {"session": session.id, "place": place, **row}
