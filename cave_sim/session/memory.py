"""Memory: an agent's memories as rows of its session, and which of them come to mind now.

The memory stream of Generative Agents (Park et al. 2023, §4.1): what comes to mind is recent, important, and relevant.
What is relevant is said by the words that memories share with the query, or by what they mean (`relevance.py`). All of
it is in the session, hence in the journal, and comes back with it when a run is resumed.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from cave_sim.diagnostics.raised import said_of
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import CaveSimError, WorldError
from cave_sim.session.follower import Follower
from cave_sim.session.relevance import CONSIDERED, ByWords, Relevance
from cave_sim.session.row import Row
from cave_sim.session.session import Session

MOST_IMPORTANT = 10.0


@dataclass(frozen=True)
class Weights:
    """What decides which memories come to mind; each part counts between 0 and 1 before it is weighed.

    Attributes:
        recency: of when it was made, or last came to mind.
        importance: of what it was given, 0 to 10.
        relevance: of how well it fits what is asked.
        hourly_decay: what is left of recency after an hour of world time.
    """

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0
    hourly_decay: float = 0.995


ASKED = Weights(recency=0.5, importance=2.0, relevance=3.0)
"""For when a question is to be answered: the factors that the code published with Generative Agents uses."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory that came to mind, and why; each part lies between 0 and 1, beside the other memories considered.

    Attributes:
        row: the memory.
        recency: 1 for what was made, or last came to mind, latest of all.
        importance: 1 for the most important of all.
        relevance: 1 for what fits the query best.
        score: the weighted sum of the three, by which memories are ranked.
    """

    row: Row
    recency: float
    importance: float
    relevance: float
    score: float


class Memory(Follower):
    """Commits memories to a session and recalls them.

    It keeps an index of one session and its forks, which grows with the session; recalling considers the latest, the
    most important and those that fit, some of each, so that it does not slow down as a life grows.

    A row whose data has ``rated``, ids of memories with numbers from 0 to 10, says anew how important those are.

    Args:
        weights: what decides which memories come to mind.
        relevance: which memories fit a query; by words unless given.
    """

    def __init__(self, weights: Weights | None = None, relevance: Relevance | None = None) -> None:
        self.weights: Weights = weights or Weights()
        self.relevance: Relevance = relevance or ByWords()
        super().__init__()

    def commit(
        self,
        session: Session,
        text: str,
        *,
        importance: float,
        step: int,
        time_s: float,
        of: str = "event",
        about: Sequence[str] = (),
        because: Sequence[str] = (),
    ) -> Row:
        """Remember something.

        Args:
            session: whose memory it is.
            text: what to remember.
            importance: 0 (of no account) to 10 (decides a life).
            step: of the world, now.
            time_s: world time in seconds, now.
            of: what it is a memory of, such as ``event`` or ``thought``.
            about: names that it is about, for :meth:`latest`.
            because: ids of the memories that it follows from.

        Raises:
            ValueError: the importance is out of bounds.
        """
        if not 0 <= importance <= MOST_IMPORTANT:
            raise ValueError(f"importance={importance}: a memory's importance lies between 0 and {MOST_IMPORTANT:g}")
        data = {"of": of, "importance": float(importance)}
        data |= {name: list(value) for name, value in {"about": about, "because": because}.items() if value}
        return session.append("memory", text, step=step, time_s=time_s, data=data)

    def recall(
        self, session: Session, query: str, *, now_s: float, count: int = 5, weights: Weights | None = None
    ) -> list[Row]:
        """Return the memories that come to mind, the likeliest first.

        To remember that they did, which keeps them fresh, put their ids into the data of a row, as ``recalled``.

        Args:
            session: whose memory it is.
            query: what it is about, in any words.
            now_s: world time in seconds.
            count: at most so many.
            weights: what decides this time; as ever unless given.
        """
        return [each.row for each in self.weighed(session, query, now_s=now_s, count=count, weights=weights)]

    def weighed(
        self, session: Session, query: str, *, now_s: float, count: int = 5, weights: Weights | None = None
    ) -> list[Recollection]:
        """Return what :meth:`recall` does, with what spoke for each memory; the arguments are its own."""
        self.follow(session)
        weigh = weights or self.weights
        anyway = {*self._newest(), *self._important_ones()}
        fits = self._fitting(query, anyway)
        candidates = sorted({*anyway, *fits})
        parts = (
            (weigh.recency, _between_0_and_1([self._freshness(place, now_s) for place in candidates])),
            (weigh.importance, _between_0_and_1([self._importance[place] for place in candidates])),
            (weigh.relevance, _between_0_and_1([fits.get(place, 0.0) for place in candidates])),
        )
        scores = [0.0] * len(candidates)
        for weight, values in parts:
            scores = [score + weight * value for score, value in zip(scores, values, strict=True)]
        best = sorted(zip(scores, candidates, range(len(candidates)), strict=True), reverse=True)[:count]
        return [
            Recollection(self._memories[place], parts[0][1][at], parts[1][1][at], parts[2][1][at], score)
            for score, place, at in best
        ]

    def latest(self, session: Session, *, of: str, about: str) -> Row | None:
        """Return the latest memory of a kind about a name; None if there is none."""
        self.follow(session)
        return self._about.get((of, about))

    def recent(self, session: Session, count: int) -> list[Row]:
        """Return the last memories, oldest first."""
        self.follow(session)
        return self._memories[-count:]

    def unreflected(self, session: Session) -> float:
        """Return the importance of all that happened since it last reflected, thoughts left out.

        A row whose data says ``reflects`` is where it did.
        """
        self.follow(session)
        return self._unreflected

    def unrated(self, session: Session) -> list[Row]:
        """Return the events since it last reflected whose importance nobody has rated, oldest first."""
        self.follow(session)
        return list(self._unrated.values())

    # ---- the index

    def _begin(self) -> None:
        self._memories: list[Row] = []
        self._places: dict[str, int] = {}
        self._importance: list[float] = []
        self._fresh_s: list[float] = []
        self._ranked: list[int] = []
        self._about: dict[tuple[str, str], Row] = {}
        self._unreflected = 0.0
        self._unrated: dict[str, Row] = {}
        self.relevance.clear()

    def _take(self, row: Row) -> None:
        data = row.data
        if "recalled" in data:
            for name in data["recalled"]:
                if name in self._places:
                    self._fresh_s[self._places[name]] = row.time_s
        if data.get("reflects"):
            self._unreflected = 0.0
            self._unrated.clear()
        if "rated" in data:
            for name, importance in data["rated"].items():
                self._rate(name, float(importance))
        if row.kind == "memory":
            self._learn(row, data.get("of", "event"), float(data.get("importance", 0.0)))
        else:
            self.relevance.hear(row)

    def _learn(self, row: Row, of: str, importance: float) -> None:
        place = len(self._memories)
        self._places[row.id] = place
        self._memories.append(row)
        self._importance.append(importance)
        self._fresh_s.append(row.time_s)
        self.relevance.learn(place, row)
        for name in row.data.get("about", ()):
            self._about[of, name] = row
        if of == "event":
            self._unreflected += importance
            self._unrated[row.id] = row

    def _rate(self, name: str, importance: float) -> None:
        place = self._places.get(name)
        if place is None:
            return
        before = self._importance[place]
        is_ranked = place < len(self._ranked)
        if is_ranked:
            del self._ranked[bisect_left(self._ranked, (before, place), key=self._rank)]
        self._importance[place] = importance
        if is_ranked:
            insort(self._ranked, place, key=self._rank)
        if self._unrated.pop(name, None) is not None:
            self._unreflected += importance - before

    # ---- what is considered

    def _newest(self) -> Iterable[int]:
        return range(max(0, len(self._memories) - CONSIDERED), len(self._memories))

    def _important_ones(self) -> Sequence[int]:
        """Return those, after ranking the memories that came since: many at once, a few one by one."""
        count, begun = len(self._memories), len(self._ranked)
        if count - begun > CONSIDERED:
            self._ranked = sorted(range(count), key=self._importance.__getitem__)
        else:
            for place in range(begun, count):
                insort(self._ranked, place, key=self._rank)
        return self._ranked[-CONSIDERED:]

    def _fitting(self, query: str, anyway: Collection[int]) -> dict[int, float]:
        """Return what fits; raises WorldError where a relevance of one's own does not keep to the protocol."""
        name, count = type(self.relevance).__name__, len(self._memories)
        try:
            fits: Any = self.relevance.fits(query, anyway)
        except CaveSimError:
            raise
        except Exception as error:  # a relevance of one's own may raise anything at all
            raise WorldError(f"{name}.fits(query, others) raised {said_of(error)}") from error
        try:
            is_sound = isinstance(fits, dict) and {*map(type, fits)} <= {int} and isfinite(sum(fits.values()))
            is_sound = is_sound and (not fits or 0 <= min(fits) <= max(fits) < count)
        except TypeError:  # what it says of a memory is no number
            is_sound = False
        if not is_sound:
            raise WorldError(
                f"{name}.fits(query, others) returned {shortened(repr(fits), 80)}: return a dict of places of memories,"
                f" here 0 to {count - 1}, to finite numbers"
            )
        scores: dict[int, float] = fits
        return scores

    def _rank(self, place: int) -> tuple[float, int]:
        return self._importance[place], place

    def _freshness(self, place: int, now_s: float) -> float:
        hours = max(0.0, now_s - self._fresh_s[place]) / 3600
        return float(self.weights.hourly_decay**hours)


def _between_0_and_1(values: Sequence[float]) -> list[float]:
    """Stretch values over 0 to 1, so that the weighted parts are comparable; equal values become 0."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


def recalled(rows: Iterable[Row], query: str = "") -> dict[str, Any]:
    """Return what to put into a row's data when these memories have come to mind; the query says later why they did."""
    return {"recalled": [row.id for row in rows]} | ({"query": query} if query else {})
