"""How many letters SQLite compares at most when it looks for one text in another: counted before it does.

Where texts are of a language, few of their letters are the first of what is looked for, and only there it compares
more. Where all are, it is each letter with each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Comparisons = Callable[..., int]
"""Returns how many, of the arguments of a function of SQLite."""
_NUMBER_CHARS = 30


def of_all(one: Any, other: Any, *_: Any) -> int:
    """Each letter of one text with each of the other."""
    return _length(one) * _length(other)


def of_part(text: Any, part: Any, *_: Any) -> int:
    """Those of ``instr`` and ``replace``: a part is compared where its first letter stands."""
    if type(text) is type(part) and type(text) in (str, bytes):
        return len(text) + text.count(part[:1]) * len(part) if part else len(text)
    return of_all(text, part)


def of_like(pattern: Any, text: Any, *escape: Any) -> int:
    """Those of ``like``."""
    return of_all(pattern, text) if escape else _of_pattern(pattern, text, "%", "_")


def of_glob(pattern: Any, text: Any) -> int:
    """Those of ``glob``."""
    return _of_pattern(pattern, text, "*", "?[")


def _of_pattern(pattern: Any, text: Any, gap: str, anything: str) -> int:
    """Of a pattern's parts between gaps, the first is compared at the beginning, others where their first letter is."""
    if type(pattern) is not str or type(text) is not str:
        return of_all(pattern, text)
    first, *others = pattern.split(gap)
    compared = len(text) + len(first)
    for part in filter(None, others):
        starts = {part[0], part[0].lower(), part[0].upper()}
        places = len(text) if part[0] in anything else sum(map(text.count, starts))
        compared += places * len(part)
    return compared


def _length(value: Any) -> int:
    return len(value) if type(value) in (str, bytes) else _NUMBER_CHARS
