"""Who told whom what, as a report holds it: a page finds news in it as the server does in the journal."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.news import notes, passed_on
from cave_sim.history.diffusion import Contact

MOST_CONTACTS = 20_000
MOST_LETTERS = 1_000_000
LONGEST = 4_000  # letters of one text


def kept_talk(reader: JournalReader) -> dict[str, Any]:
    """Return how word passed and what people noted, from the beginning on for as long as there is room.

    Of news, what came first is what counts: a tree without its root would tell wrong who began.

    Returns:
        ``contacts``: [turn, step, step that shows it, from whom, to whom, text]; ``notes``: [turn, step, step that
        shows it, who, text]; ``texts``: what was said, which the two name by number; ``until``: the first step of
        which something was left out, None where all is here; ``cut``: how many texts were too long to keep whole.
    """
    ends = [last for (last,) in reader.run.query("SELECT last_turn FROM steps ORDER BY step")]
    steps = [step for (step,) in reader.run.query("SELECT step FROM steps ORDER BY step")]
    told: dict[str, Any] = {"contacts": [], "notes": [], "until": None, "cut": 0}
    numbers: dict[str, int] = {}
    room = MOST_LETTERS
    for name, each in sorted(_all(reader), key=lambda found: found[1].turn):
        at = bisect_left(ends, each.turn)
        if at == len(ends):
            break  # not committed yet
        text = each.text[:LONGEST]
        room -= 0 if text in numbers else len(text)
        if room < 0 or len(told["contacts"]) + len(told["notes"]) >= MOST_CONTACTS:
            told["until"] = steps[at]
            break
        told["cut"] += len(each.text) > LONGEST
        number = numbers.setdefault(text, len(numbers))
        people = (each.source, each.target) if name == "contacts" else (each.target,)
        told[name].append([each.turn, each.step, steps[at], *people, number])
    return {"talk": told | {"texts": list(numbers)}}


def _all(reader: JournalReader) -> Iterable[tuple[str, Contact]]:
    yield from (("contacts", each) for each in passed_on(reader.run))
    yield from (("notes", each) for each in notes(reader.run))
