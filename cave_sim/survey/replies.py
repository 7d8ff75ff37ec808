"""What a reply in free words says: the one number or option that it gives; nothing where it could mean another."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = r"(?:\d{1,3}(?: \d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_NUMBER = re.compile(rf"(?<![\w.,'^])(?<!\w-)(?P<number>[-+]?{_DIGITS})(?![\w^+])(?![.,']\d)(?!-\w)")
_SCALED = re.compile(r" ?(?:k|thousand|million|billion|hundred|dozen|(?:and )?a half|half)\b")
_SHARE = re.compile(r" ?(?:%|per ?cent\b)")
_BOUND = re.compile(r"(?:less|more|fewer|under|over|below|above|at least|at most|up to|minus|negative)(?: than)? ?\W?$")
_AGAINST = re.compile(
    r"\b(?:not|cannot|never|no|none|nor|neither|without|except|instead|unless|refuse|decline|unable)\b|n't\b"
)
_CODE = re.compile(r"(`{3,}).*?(?:\1|\Z)", re.DOTALL)
_THINKS = r"(?:think|thinking|thought|thoughts|reasoning)"
_THOUGHT = re.compile(rf"<{_THINKS}>.*?(?:</{_THINKS}>|\Z)|\A.*</{_THINKS}>", re.DOTALL | re.IGNORECASE)
_PLAIN = str.maketrans({**dict.fromkeys('*_`"“”„', ""), **dict.fromkeys("’‘ʼ", "'"), **dict.fromkeys("−–‐‑", "-")})


def plain(reply: str) -> str:
    """Return a reply without what models put around an answer: thoughts, case, emphasis, quotes, a full stop."""
    seen = "".join(each for each in _THOUGHT.sub("", reply) if unicodedata.category(each) != "Cf")
    folded = unicodedata.normalize("NFKC", seen).translate(_PLAIN)
    return re.sub(r"\s+", " ", folded).strip().rstrip(".!").strip().casefold()


def words(reply: str) -> str:
    """Return a reply without thoughts and blocks of code; empty if nothing is said beside them, as by three dots."""
    text = _CODE.sub("", _THOUGHT.sub("", reply)).strip()
    return text if any(unicodedata.category(each)[0] in "LNS" for each in text) else ""


def option_named(text: str, options: dict[str, str]) -> str | None:
    """Return the one option that a plain reply names, and does not speak against; None if there is none.

    Args:
        text: the reply, as :func:`plain` gives it.
        options: each by its own plain text. Where one is part of another, the longer one counts.
    """
    if text in options:
        return options[text]
    rest, named = text, []
    for option in sorted(options, key=len, reverse=True):
        rest, times = re.subn(rf"(?<!\w){re.escape(option)}(?!\w)", "\n", rest)
        named += [option] * bool(times)
    if len(named) != 1 or "no idea" in text or not (re.match(r"\n *(?:[,.;:!-]|$)", rest) or _is_for(rest)):
        return None
    return options[named[0]]


def number_given(text: str, *, in_percent: bool = False) -> float | None:
    """Return the one number that a plain reply gives; None if there is none, several, or what may be another one.

    A comma before three digits is one of thousands; elsewhere it may be a decimal one, or none, and nothing is read.
    """
    matches = list(_NUMBER.finditer(text))
    values = {float(re.sub(r"[ ,]", "", each["number"])) for each in matches}
    if len(values) != 1 or any(map(str.isdigit, _NUMBER.sub("", text))):
        return None
    for each in matches:
        before, after = text[: each.start()], text[each.end() :]
        if _SCALED.match(after) or _BOUND.search(before) or (_SHARE.match(after) and not in_percent):
            return None
    leads = re.match(r"(?: ?/ ?\d+)? *(?:[,.;:!-]|$)", text[matches[0].end() :]) and matches[0].start() == 0
    return values.pop() if leads or _is_for(text) else None


def _is_for(text: str) -> bool:
    """Say whether nothing in a text speaks against what it names: `never by car` names one, and means another."""
    return not _AGAINST.search(text)
