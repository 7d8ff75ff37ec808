"""News as a tree: who knows of something and from whom, by words or by what can have reached them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from heapq import merge
from typing import Any, NamedTuple

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.states import Entities, state
from cave_sim.determinism.canonical_json import from_json
from cave_sim.history.diffusion import TAKEN_IN, Contact, contacts, got_round, reached
from cave_sim.history.diffusion import Matcher as AllOf
from cave_sim.history.narrator import NAMED
from cave_sim.journal.reader import Run

NOTED = ("diary", *TAKEN_IN)
"""Fields in which what somebody knows is found, whoever wrote it there."""

SUGGESTED = 6
TEXT_SHOWN = 240
_HEARD = re.compile(r"^\d\d:\d\d (?:overheard )?[^:]*: ")


class AnyOf(AllOf):
    """Finds news in words: a text is about it if any one of the patterns is found in it, in any case."""

    def finds(self, text: str) -> bool:
        """Say whether a text is about it."""
        return any(re.search(pattern, text, re.IGNORECASE) for pattern in self.patterns)


def news(reader: JournalReader, text: str, source: str, step: int) -> dict[str, Any]:
    """Return who knows of a piece of news at a step, each with whom they have it from.

    Args:
        reader: the run.
        text: words, in any case; those between commas are ways of putting it. Empty: by provenance from the source.
        source: who knew from the start; empty: whoever is first found to say it.
        step: up to the end of which is looked.

    Returns:
        ``tree``: one row for each who knows, whoever they have it from before them, with ``parent`` None for those who
        begin. ``could``: how many more word can have reached, in whatever words. ``people``: how many have ears.
        ``suggested``: words that got round, while nothing is asked.
    """
    entities, utterances = state(reader, step), [each for each in talk(reader) if each.shown_at <= step]
    passed = [each.contact for each in utterances if not each.is_note]
    people = [name for name in entities if any(field in entities[name]["fields"] for field in TAKEN_IN)]
    data: dict[str, Any] = {"text": text, "source": source, "step": step, "people": len(people), "tree": []}
    patterns = tuple(re.escape(part.strip()) for part in text.split(",") if part.strip())
    if not patterns and not source:
        names = {part for name in entities for part in name.lower().split("_")}
        words = [each.word for each in got_round(passed) if each.word not in names]
        return data | {"could": 0, "suggested": words[:SUGGESTED]}
    noted = (each.contact for each in utterances if each.is_note)
    rows = by_words(passed, noted, patterns) if patterns else by_provenance(passed, source)
    data["tree"] = list(_in_order(rows))
    for row in data["tree"]:
        row["title"] = title(row["name"], entities.get(row["name"], {}).get("fields", {}))
        row["text"] = NAMED.sub(lambda name: _called(name[1], entities), row["text"])
        if is_numbered_apart(reader):
            row["turn"] = None
    knows = {row["name"] for row in data["tree"]}
    begun = [row["name"] for row in data["tree"] if row["parent"] is None]
    could = reached(passed, [source] if source else begun)
    return data | {"could": len(could.keys() - knows), "suggested": []}


def _called(name: str, entities: Entities) -> str:
    return title(name, entities[name]["fields"]) if name in entities else name


class Said(NamedTuple):
    """Something that somebody told somebody, or noted; and the first step that shows it."""

    shown_at: int
    is_note: bool
    contact: Contact


def talk(reader: JournalReader) -> list[Said]:
    """Return all that was said and noted so far, in order, of a city in all its districts.

    There each journal numbers its turns: a contact's turn is its number among all of these then.
    """
    lines = []
    for _, run in reader.acting:
        rows = run.query("SELECT last_turn, step FROM steps ORDER BY step")
        ends = [last for last, _ in rows]
        for is_note, passages in ((False, passed_on(run)), (True, notes(run))):
            for contact in passages:
                at = bisect_left(ends, contact.turn)
                if at < len(ends):  # it is committed
                    lines.append(Said(rows[at][1], is_note, contact))
    lines.sort(key=lambda each: (each.shown_at, each.contact.turn))
    if is_numbered_apart(reader):
        lines = [Said(at, is_note, replace(each, turn=number)) for number, (at, is_note, each) in enumerate(lines, 1)]
    return lines


def is_numbered_apart(reader: JournalReader) -> bool:
    """Say whether turns are numbered in each of several journals, so that a number alone names none."""
    return len(reader.acting) > 1


def passed_on(run: Run) -> list[Contact]:
    """Return every time that word can have passed, in order, each with what was said and nothing around it."""
    return [replace(each, text=words_of(each.text).removeprefix(f"{each.source}: ")) for each in contacts(run)]


def notes(run: Run) -> Iterator[Contact]:
    """Yield whatever comes to stand where somebody keeps what they know, in order, as a contact with themselves."""
    for change in merge(run.changes(op="create"), run.changes(field=NOTED), key=lambda each: each.turn):
        written = [change.new["fields"].get(field) for field in NOTED] if change.op == "create" else [change.new]
        for text in filter(None, map(plain_text, written)):
            yield Contact(change.turn, change.step, change.entity, change.entity, text)


def plain_text(value: Any) -> str:
    """Return the words of what a field holds, or of what was put into it; who spoke and when is left out."""
    if isinstance(value, dict):
        value = value.get("items") or [each for each in value.values() if isinstance(each, str)]
    if isinstance(value, list):
        value = " ".join(map(str, value))
    return _HEARD.sub("", str(value)) if value else ""


def by_words(passed: list[Contact], noted: Iterable[Contact], patterns: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Return who has heard it in these words, by whoever told them first."""
    matcher = AnyOf(patterns)
    rows: dict[str, dict[str, Any]] = {}
    for contact in passed:
        if not contact.text or not matcher.finds(contact.text):
            continue
        if contact.source not in rows:
            rows[contact.source] = _row(contact.source, None, contact, "")
        rows[contact.source]["told"] += 1
        if contact.target in rows:
            rows[contact.target]["again"] += 1
        else:
            rows[contact.target] = _row(contact.target, contact.source, contact, contact.text)
    for note in noted:
        if note.target not in rows and matcher.finds(note.text):
            rows[note.target] = _row(note.target, None, replace(note, turn=0), "")
    return rows


def by_provenance(passed: list[Contact], source: str) -> dict[str, dict[str, Any]]:
    """Return whom word can have reached from somebody, by the contact by which it first can have."""
    rows = {source: _row(source, None, Contact(0, 0, source, source), "")}
    for name, contact in reached(passed, [source]).items():
        rows[name] = _row(name, contact.source, contact, contact.text or "(read it)")
        rows[contact.source]["told"] += 1
    return rows


def _row(name: str, parent: str | None, contact: Contact, text: str) -> dict[str, Any]:
    row = {"name": name, "parent": parent, "step": contact.step, "turn": contact.turn or None}
    return row | {"text": text[:TEXT_SHOWN], "told": 0, "again": 0}


def _in_order(rows: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield rows as a tree is read: each below whoever they have it from, with how deep."""
    children: dict[str | None, list[str]] = {}
    for name, row in rows.items():
        children.setdefault(row["parent"], []).append(name)
    waiting = [(name, 0) for name in reversed(children.get(None, []))]
    while waiting:
        name, depth = waiting.pop()
        yield rows[name] | {"depth": depth}
        waiting += [(child, depth + 1) for child in reversed(children.get(name, []))]


def words_of(text: str) -> str:
    """Return what was said, of what stands in the ears of who heard it."""
    with suppress(ValueError):
        return plain_text(from_json(text) if text.startswith(("{", "[")) else text)
    return plain_text(text)
