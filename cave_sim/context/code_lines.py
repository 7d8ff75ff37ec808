"""Python, line by line, as far as a reader of replies must know it: where strings and comments are, and how deep."""

from __future__ import annotations

import re
from functools import lru_cache

_STRINGS = r"""#.*|'{3}|"{3}|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?"""
_ENDS = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}") for quote in ("'''", '"""')}


class CodeLines:
    """Follows Python that arrives by lines, and finds a mark where it is code: not in a string, not in a comment.

    Args:
        mark: a regular expression for what ends the code.
    """

    def __init__(self, mark: str) -> None:
        self._pattern = _outside(mark)
        self._quote = ""

    def find(self, line: str) -> re.Match[str] | None:
        """Take the next line and return the first mark in it, or None."""
        place = 0
        while True:
            if self._quote:
                end = _ENDS[self._quote].match(line, place)
                if end is None:
                    return None
                self._quote, place = "", end.end()
            found = self._pattern.search(line, place)
            if found is None or found.lastgroup == "mark":
                return found
            if found[0] in _ENDS:
                self._quote = found[0]
            place = found.end()


@lru_cache(maxsize=64)
def _outside(mark: str) -> re.Pattern[str]:
    return re.compile(rf"{_STRINGS}|(?P<mark>{mark})", re.IGNORECASE)


def outdent(line: str, width: int) -> str:
    """Return a line without the white space of its first ``width`` characters."""
    white = len(line) - len(line.lstrip(" \t"))
    return line[min(white, width) :]


def dedent(lines: list[str]) -> str:
    """Return lines as one text, without the white space that all but empty ones begin with."""
    full = [line for line in lines if line.strip()]
    least, most = min(full, default=""), max(full, default="")
    same = next((place for place, (one, two) in enumerate(zip(least, most, strict=False)) if one != two), len(least))
    white = len(least[:same]) - len(least[:same].lstrip(" \t"))
    return "\n".join(line[white:] if line[:white].isspace() else line for line in lines)
