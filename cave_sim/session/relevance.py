"""Relevance: which memories fit a query, and how well; by the words that they share, or by what they mean."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from cave_sim.models.embeddings import decoded
from cave_sim.session.row import Row
from cave_sim.session.word_columns import WordColumns
from cave_sim.session.words import words

CONSIDERED = 32
"""How many memories are put up for recall because they fit: by words so many for each word, by meaning in all."""

EMBEDDING = "embedding"
"""Kind of the rows that hold vectors."""

_MANY = 1000  # from so many memories at once, columns are cheaper than an index
_SATURATION, _LENGTH = 1.5, 0.75  # k1 and b of BM25, as usual


class Relevance(Protocol):
    """Follows one session and says which of its memories fit a query."""

    def clear(self) -> None:
        """Forget everything."""

    def learn(self, place: int, row: Row) -> None:
        """Take in a memory; places count from 0, each once and in order."""

    def hear(self, row: Row) -> None:
        """Take in another row of the session."""

    def fits(self, query: str, others: Collection[int] = ()) -> dict[int, float]:
        """Return places of memories, and how well they fit: 0 or less not at all, else the more the better.

        Args:
            query: what it is about, in any words.
            others: places that are considered anyway; they may be among those returned.
        """


@dataclass(slots=True)
class _Postings:
    """Where a word is.

    Attributes:
        memories: how many have it.
        latest: places of the latest of them, and how often each has it.
        searched: how many columns were searched for it.
    """

    memories: int = 0
    latest: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=CONSIDERED))
    searched: int = 0


class ByWords:
    """Fits by the words that a memory shares with the query: BM25 (Robertson and Zaragoza 2009).

    It needs no model and is the same everywhere. Memories are read when something is asked; of many at once, as after
    a resume, the words are not indexed but looked up in columns, with the same result.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._unread: list[str] = []
        self._lengths: list[int] = []
        self._length = 0
        self._postings: dict[str, _Postings] = {}
        self._columns: list[tuple[int, WordColumns]] = []

    def learn(self, place: int, row: Row) -> None:
        self._unread.append(row.text)

    def hear(self, row: Row) -> None:
        """Words are in the memories themselves."""

    def fits(self, query: str, others: Collection[int] = ()) -> dict[int, float]:
        self._read()
        scores: dict[int, float] = {}
        count = len(self._lengths)
        average = self._length / count if count else 1.0
        for word in dict.fromkeys(words(query)):
            postings = self._of(word)
            rarity = math.log(1 + (count - postings.memories + 0.5) / (postings.memories + 0.5))
            for place, times in postings.latest:
                length = 1 - _LENGTH + _LENGTH * self._lengths[place] / average
                gain = rarity * times * (_SATURATION + 1) / (times + _SATURATION * length)
                scores[place] = scores.get(place, 0.0) + gain
        return scores

    def _read(self) -> None:
        """Take in what was learned: word by word, or many texts at once."""
        texts, self._unread = self._unread, []
        begun = len(self._lengths)
        if len(texts) < _MANY:
            self._lengths += [self._index(place, text) for place, text in enumerate(texts, begun)]
        else:
            columns = WordColumns(texts)
            self._columns.append((begun, columns))
            self._lengths += columns.lengths
        self._length += sum(self._lengths[begun:])

    def _index(self, place: int, text: str) -> int:
        """Note the words of one memory; returns how many they are."""
        counts = Counter(words(text))
        for word, times in counts.items():
            postings = self._postings.get(word)
            if postings is None:
                postings = self._postings[word] = _Postings()
            postings.memories += 1
            postings.latest.append((place, times))
        return counts.total()

    def _of(self, word: str) -> _Postings:
        """Return where a word is; what is in columns is looked up when it is asked for first."""
        postings = self._postings.setdefault(word, _Postings())
        for begun, columns in self._columns[postings.searched :]:
            count, matches = columns.find(word, CONSIDERED)
            postings.memories += count
            both = sorted([*postings.latest, *((begun + at, times) for at, times in matches)])
            postings.latest = deque(both, CONSIDERED)
        postings.searched = len(self._columns)
        return postings


class ByMeaning:
    """Fits by the angle between embeddings, as in Generative Agents (Park et al. 2023, §4.1).

    Vectors are rows of the session, of the kind :data:`EMBEDDING`: ``vectors`` says those of memories by their ids, and
    ``query`` that of the row's text. A query without a vector is answered by ``otherwise``.

    Args:
        otherwise: how memories fit where there is no vector to go by; by words unless given.
    """

    def __init__(self, otherwise: Relevance | None = None) -> None:
        self._otherwise: Relevance = otherwise or ByWords()
        self.clear()

    def clear(self) -> None:
        self._otherwise.clear()
        self._places: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        self._vectors: dict[int, np.ndarray] = {}
        self._query: tuple[str, np.ndarray] | None = None

    def learn(self, place: int, row: Row) -> None:
        self._otherwise.learn(place, row)
        self._places[row.id] = place
        self._texts[row.id] = row.text

    def hear(self, row: Row) -> None:
        self._otherwise.hear(row)
        if row.kind != EMBEDDING:
            return
        for name, vector in row.data["vectors"].items():
            if self._texts.pop(name, None) is not None:
                self._vectors[self._places[name]] = decoded(vector)
        if "query" in row.data:
            self._query = row.text, decoded(row.data["query"])

    def without_vectors(self) -> dict[str, str]:
        """Return the memories that have no vector yet: ids and texts."""
        return dict(self._texts)

    def fits(self, query: str, others: Collection[int] = ()) -> dict[int, float]:
        if self._query is None or self._query[0] != query:
            return self._otherwise.fits(query, others)
        wanted = self._query[1]
        vectors = {place: vector for place, vector in self._vectors.items() if len(vector) == len(wanted)}
        if not vectors:
            return self._otherwise.fits(query, others)
        matrix = np.stack(list(vectors.values()))
        lengths = np.maximum(1, (matrix * matrix).sum(axis=1) * (wanted @ wanted))  # whole numbers: exact
        scores = dict(zip(vectors, (matrix @ wanted / np.sqrt(lengths)).tolist(), strict=True))
        best = sorted(scores, key=lambda place: (-scores[place], place))[:CONSIDERED]
        return {place: scores[place] for place in scores.keys() & {*best, *others}}
