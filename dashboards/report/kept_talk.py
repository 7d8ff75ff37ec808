"""Who told whom what, as a report holds it: a page finds news in it as the server does in the journal."""

from __future__ import annotations

import re
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.news import is_numbered_apart, talk
from cave_sim.history.common_words import COMMON

MOST_CONTACTS = 20_000
MOST_LETTERS = 1_000_000
LONGEST = 4_000  # letters of one text


def kept_talk(reader: JournalReader) -> dict[str, Any]:
    """Return how word passed and what people noted, from the beginning on for as long as there is room.

    Of news, what came first is what counts: a tree without its root would tell wrong who began.

    Returns:
        ``contacts``: [turn (0 in a city), step, step that shows it, from whom, to whom, text]; ``notes``: [turn, step,
        step that shows it, who, text]; ``texts``: what was said, which the two name by number; ``common``: words in
        them that are no news; ``until``: the first step of which something was left out, None where all is here;
        ``cut``: how many texts were too long to be whole.
    """
    data: dict[str, Any] = {"contacts": [], "notes": [], "until": None, "cut": 0}
    numbers: dict[str, int] = {}
    room, apart = MOST_LETTERS, is_numbered_apart(reader)
    for shown_at, is_note, each in talk(reader):
        text = each.text[:LONGEST]
        room -= 0 if text in numbers else len(text)
        if room < 0 or len(data["contacts"]) + len(data["notes"]) >= MOST_CONTACTS:
            data["until"] = shown_at
            break
        data["cut"] += len(each.text) > LONGEST
        number = numbers.setdefault(text, len(numbers))
        people = (each.target,) if is_note else (each.source, each.target)
        entries = data["notes" if is_note else "contacts"]
        entries.append([0 if apart else each.turn, each.step, shown_at, *people, number])
    common = COMMON.intersection(re.findall(r"[a-z]+", " ".join(numbers).lower()))
    return {"talk": data | {"texts": list(numbers), "common": sorted(common)}}
