"""Session: what flows through an agent. Rows that are only ever appended, in a value that forks and merges.

Forks share their rows with the parent and cost O(1). A merge keeps every row once, so that what two branches have in
common, and what it cost, is counted once (OpenRath's Session, whose merge repeats it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.models.base import Usage
from cave_sim.session.history import NO_HISTORY, SessionHistory
from cave_sim.session.lineage import Lineage, Origin, session_id
from cave_sim.session.persistent_vector import Vector
from cave_sim.session.placement import WORKSPACE, SessionPlace, place_of_fork
from cave_sim.session.row import NO_DATA, Row, SessionError


class Session:
    """A conversation of an agent with its model and its world, row by row.

    Args:
        agent: whose it is, by a name of one line; rows are its own unless they say otherwise.
        number: tells several new sessions of one agent apart; it goes into the id.
        placement: where its code runs, such as ``none`` or ``world``. Forks inherit it.
        lineage: its origin and parents, unless it is new.
        history: its first rows.
        children: how many sessions were made from it so far.

    Attributes:
        history: its rows, and what they cost.
        id: follows from agent and number, or from the parent and the count of its children: the same in every run.
        lineage: where it comes from.
        place: what it is placed in, where that forks with it; see :meth:`to`.
    """

    def __init__(
        self,
        agent: str,
        number: int = 0,
        *,
        placement: str = "none",
        lineage: Lineage | None = None,
        history: SessionHistory = NO_HISTORY,
        children: int = 0,
    ) -> None:
        self.agent: str = _in_one_line("the agent", agent)
        self.placement = placement
        self.lineage: Lineage = lineage or Lineage(session_id(agent, agent, number))
        self.history: SessionHistory = history
        self.place: SessionPlace | None = None
        self._children = children

    # ---- rows

    def append(
        self,
        kind: str,
        text: str,
        *,
        agent: str | None = None,
        step: int | None = None,
        time_s: float | None = None,
        usage: Usage | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Row:
        """Add a row and return it. O(1) amortised; no fork or parent sees it.

        Args:
            kind: one of :data:`~cave_sim.session.row.KINDS`, or a name of yours.
            text: what it says.
            agent: whose row it is; the session's agent unless given.
            step: of the world; that of the row before unless given.
            time_s: world time in seconds; that of the row before unless given.
            usage: tokens it cost.
            data: more about it, plain.

        Raises:
            SchemaError: the kind is not a valid name, the text is none, or the data is not plain.
        """
        history = self.history
        rows = history.rows
        last = rows.last() if step is None or time_s is None else None
        row = Row(
            f"{self.lineage.id}#{rows.size}",
            kind,
            text,
            self.agent if agent is None else agent,
            (last.step if last else 0) if step is None else step,
            (last.time_s if last else 0.0) if time_s is None else time_s,
            usage,
            NO_DATA if data is None else data,
        )
        self.history = history.append(row)
        return row

    def since(self, row_id: str) -> Iterator[Row]:
        """Iterate over the rows after the one with this id; raises SessionError if there is none."""
        return self.rows.since(self.position(row_id) + 1)

    def position(self, row_id: str) -> int:
        """Return where a row stands; raises SessionError if it is not in this session."""
        born_at = row_id.rpartition("#")[2]
        likely = int(born_at) if born_at.isdecimal() else 0
        if likely < len(self) and self.rows[likely].id == row_id:
            return likely
        for place in reversed(range(len(self))):  # a merge moved it
            if self.rows[place].id == row_id:
                return place
        raise SessionError(f"session {self.id} has no row {row_id!r}; all that it has is in .rows")

    @property
    def rows(self) -> Vector[Row]:
        """All rows so far, as a value that later rows do not change."""
        return self.history.rows

    @property
    def usage(self) -> Usage:
        """What all rows cost, each counted once."""
        return self.history.usage

    @property
    def id(self) -> str:
        return self.lineage.id

    @property
    def parents(self) -> tuple[str, ...]:
        """Ids of the sessions it was made from: one for a fork, two for a merge, else none."""
        return tuple(parent.id for parent in self.lineage.parents)

    @property
    def text(self) -> str:
        """All rows for a reader, each as ``kind: text``."""
        return "\n".join(f"{row.kind}: {row.text}" for row in self.rows)

    # ---- branching

    def fork(self, at: int | None = None) -> Session:
        """Return a session that goes on from here, or from the first ``at`` rows. O(1): the rows are shared.

        Raises:
            SessionError: there are fewer than ``at`` rows, or ``at`` is negative; or it has a workspace, which is as
                it is after the last row.
        """
        at = len(self) if at is None else at
        if not 0 <= at <= len(self):
            rows = counted(len(self), "row")
            raise SessionError(f"fork({at}) of session {self.id}: it has {rows}; take 0 to {len(self)}")
        place = place_of_fork(self.id, self.place, at, len(self))
        return self._placed(self._branch("fork", (self,), at, shared=at), place)

    def to(self, placement: str | SessionPlace) -> Session:
        """Return a session with the same rows whose code runs elsewhere: a fork; this very one if it does already.

        Args:
            placement: a name, such as ``none`` or ``world``; or a :class:`~cave_sim.workspace.workspace.Workspace`,
                which forks whenever the session does.

        Raises:
            SessionError: it is neither.
        """
        if not isinstance(placement, str) and not hasattr(placement, "fork"):
            raise SessionError(f"placement {placement!r}: it is a name, such as 'world', or a Workspace")
        name = _in_one_line("the placement", placement) if isinstance(placement, str) else WORKSPACE
        place = None if isinstance(placement, str) else placement
        if name == self.placement and place is self.place:
            return self
        moved = self._branch("fork", (self,), len(self), shared=len(self))
        moved.placement = name
        return self._placed(moved, place)

    def handed_to(self, agent: str) -> Session:
        """Return a fork that another agent goes on with: its new rows are that one's. O(1)."""
        place = place_of_fork(self.id, self.place, len(self), len(self))
        return self._placed(self._branch("fork", (self,), len(self), shared=len(self), agent=agent), place)

    def detach(self) -> Session:
        """Return a session with the same rows and no parents: the first of a family of its own. O(1)."""
        place = place_of_fork(self.id, self.place, len(self), len(self))
        return self._placed(self._branch("detach", (), len(self)), place)

    def merge(self, other: Session) -> Session:
        """Return a session with all rows of this one, then those of the other that are not here already.

        The cost is what either has beyond their common prefix. Of workspaces, the merged session has a fork of this
        one's, with what the other's has changed.

        Raises:
            SessionError: the other is this very session, or is placed elsewhere.
            WorldError: both have a workspace, and changed the same file there.
        """
        if other.id == self.id:
            raise SessionError(f"session {self.id} cannot be merged with itself; merge it with a fork of it")
        if other.placement != self.placement:
            raise SessionError(
                f"session {self.id} is placed in {self.placement!r} and {other.id} in {other.placement!r}: what one's"
                " cells made is not there for the other; merge sessions of one placement"
            )
        place = self.place
        if place is not None and other.place is not None:
            place = place.merged(other.place)
        merged = self._placed(self._branch("merge", (self, other), len(self), shared=len(self)), place)
        common = self.rows.shared(other.rows)
        here = {row.id for row in self.rows.since(common)}
        merged.history = merged.history.extend(row for row in other.rows.since(common) if row.id not in here)
        return merged

    # ---- as plain data

    def about(self) -> dict[str, Any]:
        """Return everything besides the rows, as plain data."""
        return {
            "id": self.id,
            "agent": self.agent,
            "placement": self.placement,
            "origin": self.lineage.origin,
            "parents": list(self.parents),
            "shared": self.lineage.shared,
            "rows": len(self),
            "children": self._children,
        }

    def to_rows(self, start: int = 0) -> list[dict[str, Any]]:
        """Return the rows from a position on as plain data; from ``lineage.shared`` on, they are the session's own."""
        return [row.to_data() for row in self.rows.since(start)]

    @classmethod
    def from_rows(
        cls, about: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], parents: Iterable[Session] = ()
    ) -> Session:
        """Return the session of :meth:`about` and :meth:`to_rows`, with its id, parents and usage.

        Args:
            about: what :meth:`about` returned.
            rows: all of its rows; or, if its first parent is given, those from ``shared`` on.
            parents: its parents as far as they are loaded, so that what they share is shared again.

        Raises:
            SessionError: a row is damaged, or some are missing.
        """
        parents_by_id = {parent.id: parent for parent in parents}
        lineages = tuple(
            parents_by_id[name].lineage if name in parents_by_id else Lineage(name, "elsewhere")
            for name in about["parents"]
        )
        own_rows = [Row.from_data(row) for row in rows]
        first = parents_by_id.get(lineages[0].id) if lineages else None
        is_continued = first is not None and len(own_rows) < about["rows"]
        shared = first.history.take(about["shared"]) if first is not None and is_continued else NO_HISTORY
        session = cls(
            about["agent"],
            placement=about["placement"],
            lineage=Lineage(about["id"], about["origin"], lineages, about["shared"]),
            history=shared.extend(own_rows),
            children=about["children"],
        )
        if len(session) != about["rows"]:
            raise SessionError(
                f"session {session.id} had {about['rows']} rows, and {len(session)} were found: give all of them,"
                f" or load its first parent and give those from {about['shared']} on"
            )
        return session

    # ---- within

    def _branch(
        self, origin: Origin, parents: tuple[Session, ...], count: int, *, shared: int = 0, agent: str = ""
    ) -> Session:
        """Return a session that begins with the first ``count`` rows of this one."""
        agent = _in_one_line("the agent", agent or self.agent)
        self._children += 1
        name = session_id(agent, self.id, self._children)
        lineage = Lineage(name, origin, tuple(parent.lineage for parent in parents), shared)
        return type(self)(agent, placement=self.placement, lineage=lineage, history=self.history.take(count))

    @staticmethod
    def _placed(session: Session, place: SessionPlace | None) -> Session:
        session.place = place
        return session

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Row:
        return self.rows[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __bool__(self) -> bool:
        return True  # a session without rows is a session

    def __repr__(self) -> str:
        return f"<Session {self.id}: {counted(len(self), 'row')}, {counted(self.usage.tokens, 'token')}>"


def _in_one_line(what: str, name: str) -> str:
    """Return a name as it came; raises SessionError for one that would not show in one line."""
    if not isinstance(name, str) or not name or not name.isprintable():
        raise SessionError(f"{what} of a session: {name!r} is no name of one line that can be read")
    return name
