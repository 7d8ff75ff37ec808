"""Reading hours, jobs and places out of English sentences such as "goes to bed around 11pm, awakes up around 7am"."""

import re
from collections.abc import Mapping, Sequence

_CLOCK = r"(\d{1,2})(?::(\d\d))?\s*([ap]m)|\b(midnight|noon)\b"
_JOB = r"\bis an? (.+?)(?=,? (?:who|at|of|studying|that|and an?|for|in|with)\b|[.,;]|$)"
_AS_THE_TOWN_SAYS = ("student", "retired")  # the words that pensions and grants go by


def hours_in(text: str) -> tuple[float, ...]:
    """Return every hour of the day named in a text, in order: `"8 am to midnight"` gives `(8.0, 24.0)`."""
    return tuple(_hour(*match) for match in re.findall(_CLOCK, text, re.IGNORECASE))


def hour_after(words: str, text: str) -> float | None:
    """Return the first hour named after a pattern of words in a text; None if there is none."""
    match = re.search(words, text, re.IGNORECASE)
    hours = hours_in(text[match.end() :]) if match else ()
    return hours[0] if hours else None


def job_in(text: str) -> str:
    """Return what somebody is by the text's first "is a"; `"student"` and `"retired"` alone, whatever else is said."""
    match = re.search(_JOB, text)
    job = match[1] if match else ""
    return next((word for word in _AS_THE_TOWN_SAYS if word in job.lower().split()), job)


def shift_in(text: str, usual_h: tuple[float, float]) -> tuple[float, float]:
    """Return from which hour to which somebody works by a text; what it leaves open is taken from the usual shift."""
    hours = hours_in(text)
    begin_h, usual_length_h = (hours or usual_h)[0], usual_h[1] - usual_h[0]
    ends = [hour for hour in hours[1:] if hour > begin_h]
    return begin_h, ends[0] if ends else min(begin_h + usual_length_h, 24.0)


def mentioned(names: Mapping[str, Sequence[str]], text: str) -> list[str]:
    """Return the keys of `names` of which all names occur in a text, the earliest first.

    Letter case, articles and a plural s make no difference: people are not exact about what they call a shop.
    """
    plain = _plain(text)
    positions = {key: [plain.find(_plain(name)) for name in needed] for key, needed in names.items()}
    return sorted(
        (key for key, spots in positions.items() if min(spots) >= 0), key=lambda key: (min(positions[key]), key)
    )


def _hour(hour: str, minutes: str, half: str, word: str) -> float:
    if word:
        return 24.0 if word.lower() == "midnight" else 12.0
    whole = int(hour) + int(minutes or 0) / 60
    if int(hour) > 12:  # "17:30pm"
        return whole
    return whole % 12 + (12 if half.lower() == "pm" else 0)


def _plain(text: str) -> str:
    words = re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))
    return " " + " ".join(word.rstrip("s") for word in words if word not in ("the", "a", "an")) + " "
