"""What may leave a device: patterns of what is private, found however it is spelt. Patterns are no proof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cave_sim.models.readings import as_read, readings

TELEPHONES = (
    r"(?<!\d)\+\(?\d(?:[ ().\-/]{0,3}\d){6,}",
    r"(?<![\d.\-/])\(?0\d{1,4}\)?[ \-/]?\d{3,}(?:[ \-]?\d{2,})*(?!\d)",
)
"""With the code of a country, and within one: digits in groups, as they are written."""
_TOLD = re.compile(r"\W{0,2}(?:[:=] ?(\S{4,})|\b(?:is|was|reads) (?=\S*[\d_])(\S{4,}))")
"""What follows the name of a secret: the secret."""
LEAST_PIECE = 4
LEAST_DIGITS = 7
MOST_BEFORE = 8


@dataclass(frozen=True)
class Policy:
    """What may leave the device.

    A query is searched in all :func:`~cave_sim.models.readings.readings` of it, alone and behind those that left
    before; and what is private among the texts of the device must not leave in pieces either, over however many.
    Patterns find what is spelt as they say; they are no proof that nothing private leaves.

    Attributes:
        allowed: whether anything may.
        private: patterns of what may not; by default numbers of telephones, and what is called private or a password.
        most_chars: of one query.
        most_chars_in_all: of the queries of one session; None for any number.
    """

    allowed: bool = True
    private: tuple[str, ...] = (*TELEPHONES, r"(?i)\bprivate(?:ly)?\b", r"(?i)\bpass[ -]?(?:words?|codes?|phrases?)\b")
    most_chars: int = 2_000
    most_chars_in_all: int | None = None

    def objection(self, query: str, before: Sequence[str] = (), known: Iterable[str] = ()) -> str:
        """Return why a query may not leave; "" if it may.

        Args:
            query: as it would be sent.
            before: the queries that left, the latest last.
            known: texts that the device holds, such as results of its tools.
        """
        if not self.allowed:
            return FORBIDDEN
        if len(query) > self.most_chars:
            return f"the query has {len(query):,} characters; {self.most_chars:,} may leave at once"
        if self.most_chars_in_all is not None and sum(map(len, before)) + len(query) > self.most_chars_in_all:
            return f"{self.most_chars_in_all:,} characters may leave in all, and {sum(map(len, before)):,} have left"
        if secret_text := self.first_private(query):
            return f"{secret_text!r} must not leave this device; ask without it"
        together = (*before[-MOST_BEFORE:], query)
        if before and any(self.first_private(between.join(together)) for between in ("", " ")):
            return "with the queries before it this says what must not leave this device; ask without it"
        left = _Pieces([*before, query])
        if any(left.have(secret) for text in dict.fromkeys(known) for secret in _secrets(self.private, text)):
            return "this tells, piece by piece, what must not leave this device; ask without it"
        return ""

    def first_private(self, text: str) -> str:
        """Return the first thing in a text, of any length, that is private, as it reads; "" if nothing is."""
        ways = readings(text)
        for pattern in self.private:
            for reading in ways:
                if match := re.search(pattern, reading):
                    return match[0]
        return ""


@lru_cache(1_000)
def _secrets(private: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the secrets of a text, letters and digits alone: numbers that match, and what is told by such a name."""
    plain = as_read(text)
    secrets: list[str] = []
    for pattern in private:
        for match in re.finditer(pattern, plain):
            if re.search(r"\d", match[0]):
                secrets.append(match[0])
            elif value := _TOLD.match(plain, match.end()):
                secrets.append(value[1] or value[2])
    return tuple(bare for each in dict.fromkeys(secrets) if len(bare := _bare(each)) >= LEAST_PIECE)


class _Pieces:
    """What left, as letters and digits alone."""

    def __init__(self, queries: Sequence[str]) -> None:
        texts = readings("\n".join(queries))
        self._texts = [_bare(each) for each in texts]
        self._digits = [re.sub(r"\D", "", each) for each in texts]

    def have(self, secret: str) -> bool:
        """Return whether pieces of a secret left that make it up: the whole, or the last digits of a number."""
        starts = range(max(1, len(secret) - LEAST_DIGITS + 1) if secret.isdigit() else 1)
        texts = self._digits if secret.isdigit() else self._texts
        return any(_tiled(secret[start:], text) for text in texts for start in starts)


def _tiled(secret: str, text: str) -> bool:
    """Return whether pieces of at least LEAST_PIECE characters that a text has make up a secret."""
    ends = {0}
    for start in range(len(secret)):
        if start in ends:
            for end in range(start + LEAST_PIECE, len(secret) + 1):
                if secret[start:end] not in text:
                    break
                ends.add(end)
    return len(secret) in ends


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


FORBIDDEN = "nothing may leave this device"
