"""Words of a text in any script, for finding it again.

A word is letters and digits with the marks that belong to them, in lower case. Scripts that put no space between words
(Chinese, Japanese, Thai, Lao, Khmer, Burmese) have pairs of neighbouring letters in their place, which is as good for
finding as words that a dictionary cuts (Nie and others 2000, "On the use of words and n-grams for Chinese information
retrieval").
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from itertools import groupby, pairwise

_WORD = re.compile(r"[^\W_]+")
_SPECIAL = re.compile("[\u0300-\u036f\u0483-\u0489\u0530-\u1fff\u20d0-\U0010ffff]")
"""Marks, and what is beyond Latin, Greek, Cyrillic and punctuation; words of the rest can be cut at once."""
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # marks of repetition, zero
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Ranges of code points of scripts that put no space between words."""


class Part(IntEnum):
    """What a character is part of: of no word, of one between spaces, of pairs, or of the character before it."""

    NOTHING = 0
    SPACED = 1
    PAIRED = 2
    MARK = 3


def words(text: str) -> list[str]:
    """Return the words of a text in order, each as often as it is there; none of what has neither letter nor digit.

    >>> words("Ann's café, 2 cups")
    ['ann', 's', 'café', '2', 'cups']
    >>> words("東京都 tower")
    ['東京', '京都', 'tower']
    """
    text = folded(text)
    if not _SPECIAL.search(text):
        return _WORD.findall(text)
    terms: list[str] = []
    for part, clusters in groupby(_clusters(text), lambda cluster: part_of(cluster[0])):
        run = list(clusters)
        if part is Part.SPACED:
            terms.append("".join(run))
        elif part is Part.PAIRED:
            terms += [one + other for one, other in pairwise(run)] or run
    return terms


def folded(text: str) -> str:
    """Return a text in lower case, each letter written in one way."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()


@lru_cache(1 << 14)
def part_of(character: str) -> Part:
    """Return what a character is part of."""
    if unicodedata.category(character)[0] == "M":
        return Part.MARK
    if not character.isalnum():
        return Part.NOTHING
    code = ord(character)
    return Part.PAIRED if any(low <= code <= high for low, high in _UNSPACED) else Part.SPACED


def _clusters(text: str) -> list[str]:
    """Return the characters of a text, each with the marks behind it."""
    clusters: list[str] = []
    for character in text:
        if clusters and part_of(character) is Part.MARK:
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters
