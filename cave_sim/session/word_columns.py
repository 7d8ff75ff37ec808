"""Many texts at once, in columns of letters, in which words are looked up as they are asked for.

An index of words costs a microsecond for each word of each text, before the first question. Columns cost a few
nanoseconds for each letter; a word that is asked for is then found by comparing numbers, in about a millisecond for a
hundred thousand texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cave_sim.session.words import PLAIN_LETTERS

_BETWEEN = "\0"
_IS_LETTER = np.array([chr(code).isalnum() for code in range(PLAIN_LETTERS)])


class WordColumns:
    """The words of plain texts (:func:`~cave_sim.session.words.plain`), without making any of them.

    Args:
        texts: as :func:`~cave_sim.session.words.plain` returns them.

    Attributes:
        lengths: how many words each text has.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        joined = _BETWEEN.join([text.replace(_BETWEEN, " ") for text in texts])
        encoding, kind = ("ascii", np.uint8) if joined.isascii() else ("utf-16-le", np.uint16)
        self._letters = np.frombuffer(joined.encode(encoding), kind)
        edges = np.flatnonzero(np.diff(_IS_LETTER[self._letters], prepend=False, append=False)).astype(np.int32)
        self._starts = edges[::2].copy()
        self._keys = _key(edges[1::2] - edges[::2], self._letters[self._starts])
        ends = np.append(np.flatnonzero(self._letters == 0), len(self._letters))[: len(texts)]
        self._words_until = np.searchsorted(self._starts, ends)
        self.lengths: list[int] = np.diff(self._words_until, prepend=0).tolist()

    def find(self, word: str, most: int) -> tuple[int, list[tuple[int, int]]]:
        """Return how many texts have a word, and which those are: the last ``most``, with how often each has it."""
        at = np.flatnonzero(self._keys == _key(len(word), ord(word[0])))
        for place, letter in enumerate(word[1:], 1):
            at = at[self._letters[self._starts[at] + place] == ord(letter)]
        texts, times = np.unique(np.searchsorted(self._words_until, at, side="right"), return_counts=True)
        return len(texts), list(zip(texts[-most:].tolist(), times[-most:].tolist(), strict=True))


def _key(length: Any, first: Any) -> Any:
    """Return numbers by which most words are told apart."""
    return length * PLAIN_LETTERS + first
