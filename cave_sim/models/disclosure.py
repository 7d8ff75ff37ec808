"""What may leave a device: patterns of what is private, found however it is spelt. Patterns are no proof."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

TELEPHONES = (
    r"(?<!\d)\+\(?\d(?:[ ().\-/]{0,3}\d){6,}",
    r"(?<![\d.\-/])\(?0\d{1,4}\)?[ \-/]?\d{3,}(?:[ \-]?\d{2,})*(?!\d)",
)
"""With the code of a country, and within one: digits in groups, as they are written."""
LOOK_ALIKES = str.maketrans("аɑαеорсԁһіјԛѕѵνԝхуАВЕНІКМОРЅТХοι", "aaaeopcdhijqsvvwxyABEHIKMOPSTXoi")
"""Letters of other alphabets that read as Latin ones."""
_LETTER_BY_LETTER = re.compile(r"(?<!\w)\w(?:([ ._*-])\w)(?:\1\w){2,}(?!\w)")


@dataclass(frozen=True)
class Policy:
    """What may leave the device.

    A query is searched as it reads: without letters that nobody sees, with other spellings of letters, digits and
    spaces as their plain ones, and once more with words together that are spelt letter by letter. Patterns find what is
    spelt as they say; they are no proof that nothing private leaves.

    Attributes:
        allowed: whether anything may.
        private: patterns of what may not; by default numbers of telephones, and what is called private or a password.
        most_chars: of one query.
    """

    allowed: bool = True
    private: tuple[str, ...] = (*TELEPHONES, r"(?i)\bprivate(?:ly)?\b", r"(?i)\bpass[ -]?(?:words?|codes?|phrases?)\b")
    most_chars: int = 2_000

    def objection(self, query: str) -> str:
        """Return why a query may not leave; "" if it may."""
        if not self.allowed:
            return FORBIDDEN
        if len(query) > self.most_chars:
            return f"the query has {len(query):,} characters; {self.most_chars:,} may leave at once"
        found = self.found(query)
        return f"{found!r} must not leave this device; ask without it" if found else ""

    def found(self, text: str) -> str:
        """Return the first thing in a text, of any length, that is private, as it reads; "" if nothing is."""
        plain = _as_read(text)
        together = _LETTER_BY_LETTER.sub(lambda letters: re.sub(r"[\W_]", "", letters[0]), plain)
        readings = dict.fromkeys((plain, together))  # mostly one and the same
        for pattern in self.private:
            for reading in readings:
                if match := re.search(pattern, reading):
                    return match[0]
        return ""


FORBIDDEN = "nothing may leave this device"


def _as_read(text: str) -> str:
    """Return a text in plain letters, digits, spaces and hyphens, without what nobody sees."""
    if text.isascii():
        return re.sub(r"\s+", " ", text)
    seen = "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")
    plain = "".join(str(unicodedata.decimal(each, each)) for each in seen).translate(LOOK_ALIKES)
    return re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"\s+", " ", plain))
