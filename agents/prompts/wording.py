"""Words of a prompt: names as cells write them, and what others wrote, in quotation marks."""

import unicodedata
from functools import lru_cache

from cave_sim.llm_agent.feedback import quote

QUOTED_CHARS = 240


@lru_cache(maxsize=16_384)
def quoted(text: str, limit_chars: int = QUOTED_CHARS) -> str:
    """Return what others may have written, in quotation marks."""
    return quote(text, limit_chars=limit_chars)


def word(text: str) -> str:
    """Return a word or two, such as a job or a kind of place, as it is; whatever else it is, in quotation marks."""
    is_plain = text.replace(" ", "").replace("_", "").isalpha() and len(text) < 24
    return text if is_plain and text.islower() else titled(text)


def named(name: str) -> str:
    """Return a name as cells write it; a name that is not an identifier is quoted, because it may be any text."""
    return name if name.isidentifier() else titled(name)


@lru_cache(maxsize=16_384)  # places keep their titles, and are seen again and again
def titled(text: str) -> str:
    """Return a title, or what a sign says, in quotation marks."""
    return quote(text, limit_chars=60)


def title_of(name: str) -> str:
    """Return the title that a name tells by itself: ``cafe_java`` is Cafe Java."""
    return name.replace("_", " ").title()


@lru_cache(maxsize=16_384)
def is_title_of(name: str, title: str) -> bool:
    """Say whether a name tells a title, but for accents and case."""
    return title_of(name).casefold() == title.casefold() or _plain(name) == _plain(title) != ""


@lru_cache(maxsize=16_384)
def called(name: str, title: str, *, exactly: bool = False) -> str:
    """Return a name, and the title behind it where the name does not tell that already.

    Args:
        name: of an entity.
        title: what it is called.
        exactly: whether accents and small words count.
    """
    same = title_of(name) == title if exactly else is_title_of(name, title)
    return named(name) if same else f"{named(name)} {titled(title)}"


def clock(hour: float) -> str:
    """Return an hour of the day as text: 7.5 is 07:30, 26 is 02:00."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def euros(cents: int) -> str:
    """Return an amount of money as text: 6.40 EUR, 12 EUR."""
    return f"{cents / 100:.2f} EUR" if cents % 100 else f"{cents // 100} EUR"


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a whole number of hundredths: one token where decimals take three."""
    return f"{100 * share:.0f}"


def _plain(text: str) -> str:
    """Return the letters and digits of a text alone, without accents and case."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum() and letter.isascii())
