"""Python, line by line, as far as a reader of replies must know it: where strings and comments are, and how deep."""

from __future__ import annotations

import re
from functools import lru_cache

_STRINGS = r"""#.*|'{3}|"{3}|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?"""
CLOSING = re.compile(r"`{3,}|~{3,}|</\w+>")
_ENDS = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}") for quote in ("'''", '"""')}


class CodeLines:
    """Follows Python that arrives by lines, and finds a mark where it is code: not in a string, not in a comment.

    Args:
        mark: a regular expression for what ends the code.
    """

    def __init__(self, mark: str) -> None:
        self._pattern = _outside(mark)
        self._quote = ""

    @property
    def is_in_string(self) -> bool:
        """Whether the next line begins inside a string."""
        return bool(self._quote)

    def find(self, line: str) -> re.Match[str] | None:
        """Take the next line and return the first mark in it, or None."""
        place = 0
        while True:
            if self._quote:
                end = _ENDS[self._quote].match(line, place)
                if end is None:
                    return None
                self._quote, place = "", end.end()
            match = self._pattern.search(line, place)
            if match is None or match.lastgroup == "mark":
                return match
            if match[0] in _ENDS:
                self._quote = match[0]
            place = match.end()


@lru_cache(maxsize=64)
def _outside(mark: str) -> re.Pattern[str]:
    return re.compile(rf"{_STRINGS}|(?P<mark>{mark})", re.IGNORECASE)


class OpenBlock:
    """The lines of a block of code until its end.

    Args:
        mark: a regular expression for its end.
        width: how far its fence was indented.
        is_unnamed: whether nothing says that it holds Python, so that it may begin with prose.
        lenient: whether to take a line that might be meant as its end at once.

    Attributes:
        lines: what it holds so far.
        spare: the first line that might have been meant as its end, should no better one come.
        lenient: as above.
    """

    def __init__(self, mark: str, width: int = 0, *, is_unnamed: bool = False, lenient: bool = False) -> None:
        self._code = CodeLines(mark)
        self._width = width
        self._is_unnamed = is_unnamed
        self.lines: list[str] = []
        self.spare: int | None = None
        self.lenient = lenient

    def may_hold_fence(self, *, says_python: bool) -> bool:
        """Say whether a fence in the next line begins the code: nothing, or a few words, came before it."""
        if self._is_unnamed and says_python:
            return not self._code.is_in_string
        return not any(map(str.strip, self.lines))

    def take(self, line: str) -> str | None:
        """Take a line; return None, or the rest of the line from the mark on where the block ends in it."""
        line = outdent(line, self._width)
        closes = CLOSING.fullmatch(line.strip()) is not None
        mark = self._code.find(line)
        if mark is not None:
            if line[: mark.start()].strip():
                self.lines.append(line[: mark.start()].rstrip())
            return line[mark.start() :]
        if closes and self.lenient:
            return line
        if closes and self.spare is None:
            self.spare = len(self.lines)
        self.lines.append(line)
        return None

    def text(self) -> str:
        """Return its code, without the indentation that all lines have in common."""
        return dedent(self.lines)


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
