"""Many texts at once, in columns of letters, in which words are looked up as they are asked for.

An index of words costs a microsecond for each word of each text, before the first question. Columns cost a few
nanoseconds for each letter; a word that is asked for is then found by comparing numbers, in about a millisecond for a
hundred thousand texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cave_sim.session.words import Part, folded, part_of

_BETWEEN = "\0"
_CODES = 0x110000  # how many code points there are


class WordColumns:
    """The words of many texts, those of :func:`~cave_sim.session.words.words`, without making any of them.

    Args:
        texts: in any script.

    Attributes:
        lengths: how many words each text has.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        joined = folded(_BETWEEN.join([text.replace(_BETWEEN, " ") for text in texts]))
        self._letters = _numbers(joined)
        self._starts, ends = _words(self._letters)
        self._keys = _key(ends - self._starts, self._letters[self._starts])
        ends_of_texts = np.append(np.flatnonzero(self._letters == 0), len(self._letters))[: len(texts)]
        self._words_until = np.searchsorted(self._starts, ends_of_texts)
        self.lengths: list[int] = np.diff(self._words_until, prepend=0).tolist()

    def find(self, word: str, most: int) -> tuple[int, list[tuple[int, int]]]:
        """Return how many texts have a word, and which those are: the last ``most``, with how often each has it."""
        at = np.flatnonzero(self._keys == _key(len(word), ord(word[0])))
        for place, letter in enumerate(word[1:], 1):
            at = at[self._letters[self._starts[at] + place] == ord(letter)]
        texts, times = np.unique(np.searchsorted(self._words_until, at, side="right"), return_counts=True)
        return len(texts), list(zip(texts[-most:].tolist(), times[-most:].tolist(), strict=True))


def _numbers(text: str) -> np.ndarray:
    """Return the code points of a text, in as few bytes as will do."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes.astype(np.min_scalar_type(codes.max(initial=0)))


def _words(letters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where words start, in order, and where each ends."""
    parts, is_head = _parts(letters)
    around = np.pad(parts, 1)  # by nothing
    edges = np.flatnonzero(around[1:] != around[:-1]).astype(np.int32)
    kinds = around[edges + 1]
    spaced = np.flatnonzero(kinds == Part.SPACED)
    starts, ends = edges[spaced], edges[spaced + 1]
    if not (kinds == Part.PAIRED).any():
        return starts, ends
    pairs, pairs_end = _pairs(np.flatnonzero(is_head & (parts == Part.PAIRED)).astype(np.int32), edges)
    starts, ends = np.concatenate((starts, pairs)), np.concatenate((ends, pairs_end))
    order = np.argsort(starts, kind="stable")  # two sorted runs: merged
    return starts[order], ends[order]


def _pairs(heads: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where pairs of neighbours in one run start and end, and heads that are alone in theirs.

    Args:
        heads: where each letter starts that makes pairs, in order.
        edges: where runs start and end, in order.
    """
    run_ends = np.repeat(edges, np.diff(np.searchsorted(heads, edges), prepend=0))
    goes_on = np.append(heads[1:] < run_ends[:-1], False)  # the next is in the same run
    came_on = np.append(False, goes_on[:-1])
    ends = np.where(goes_on, np.append(heads[1:], 0), run_ends)  # of one letter with its marks
    ends_of_pairs = np.where(goes_on, np.append(ends[1:], 0), ends)
    is_word = goes_on | ~came_on
    return heads[is_word], ends_of_pairs[is_word]


def _parts(letters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what each letter is part of, a mark of what is before it; and which letters are no marks."""
    there = np.zeros(int(letters.max(initial=0)) + 1, bool)
    there[letters] = True
    table = np.zeros(len(there), np.int8)
    codes = np.flatnonzero(there)
    table[codes] = [part_of(chr(code)) for code in codes.tolist()]
    parts = table[letters]
    is_head = parts != Part.MARK
    if is_head.all():
        return parts, is_head
    places = np.arange(len(parts), dtype=np.int32)
    before = np.maximum.accumulate(np.where(is_head, places, 0))
    return parts[before], is_head


def _key(length: Any, first: Any) -> Any:
    """Return numbers by which most words are told apart."""
    return length * np.int64(_CODES) + first
