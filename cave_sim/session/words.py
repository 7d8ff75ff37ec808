"""Words of a text in any script, for finding it again.

A word is letters and digits with the marks that belong to them, in lower case. Scripts that put no space between words
(Chinese, Japanese, Thai, Lao, Khmer, Burmese) have pairs of neighbouring letters in their place, which is as good for
finding as words that a dictionary cuts (Nie and others 2000, "On the use of words and n-grams for Chinese information
retrieval").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby, pairwise

_WORD = re.compile(r"[^\W_]+")
_SPECIAL = re.compile("[\u0300-\u036f\u0483-\u0489\u0530-\u1fff\u20d0-\U0010ffff]")
"""Marks, and what is beyond Latin, Greek, Cyrillic and punctuation; words of the rest can be cut at once."""
PLAIN_LETTERS = 0x20D0
"""What :func:`plain` returns has code points below this one."""
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
_SPACED, _PAIRED, _MARK = "spaced", "paired", "mark"


def words(text: str) -> list[str]:
    """Return the words of a text in order, each as often as it is there; none of what has neither letter nor digit.

    >>> words("Ann's café, 2 cups")
    ['ann', 's', 'café', '2', 'cups']
    >>> words("東京都 tower")
    ['東京', '京都', 'tower']
    """
    at_once = plain(text)
    if at_once is not None:
        return _WORD.findall(at_once)
    found: list[str] = []
    text = unicodedata.normalize("NFKC", text).lower()
    for kind, letters in groupby(_clusters(text), _kind):
        run = list(letters)
        if kind == _SPACED:
            found.append("".join(run))
        elif kind == _PAIRED:
            found += [one + other for one, other in pairwise(run)] or run
    return found


def plain(text: str) -> str | None:
    """Return a text in lower case if its words are no more than its runs of letters and digits, else None.

    So it is in Latin, Greek and Cyrillic.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).lower()
    return None if _SPECIAL.search(text) else text


def _clusters(text: str) -> list[str]:
    """Return the characters of a text, each with the marks behind it."""
    clusters: list[str] = []
    for character in text:
        if clusters and _kind_of(character) == _MARK:
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _kind(cluster: str) -> str | None:
    return _kind_of(cluster[0])


@lru_cache(1 << 14)
def _kind_of(character: str) -> str | None:
    """Return what a character is part of; None if of no word."""
    if unicodedata.category(character)[0] == "M":
        return _MARK
    if not character.isalnum():
        return None
    code = ord(character)
    return _PAIRED if any(low <= code <= high for low, high in _UNSPACED) else _SPACED
