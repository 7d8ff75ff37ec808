"""News as a tree: who knows of something and from whom, by words or by what can have reached them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from cave_sim.canonical_json import from_json
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.states import state
from cave_sim.dashboards.lookups.turns import until
from cave_sim.history.diffusion import TAKEN_IN, Contact, contacts, got_round, reached
from cave_sim.history.diffusion import Matcher as AllOf
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
    entities, last = state(reader, step), until(reader, step)
    passed = [contact for contact in passed_on(reader.run) if contact.turn <= last]
    people = [name for name in entities if any(field in entities[name]["fields"] for field in TAKEN_IN)]
    told: dict[str, Any] = {"text": text, "source": source, "step": step, "people": len(people), "tree": []}
    patterns = tuple(re.escape(part.strip()) for part in text.split(",") if part.strip())
    if not patterns and not source:
        return told | {"could": 0, "suggested": [each.word for each in got_round(passed)[:SUGGESTED]]}
    noted = (note for note in notes(reader.run) if note.turn <= last)
    rows = by_words(passed, noted, patterns) if patterns else by_provenance(passed, source)
    told["tree"] = list(_in_order(rows))
    for row in told["tree"]:
        fields = entities.get(row["name"], {}).get("fields", {})
        row["title"] = title(row["name"], fields)
    knows = {row["name"] for row in told["tree"]}
    begun = [row["name"] for row in told["tree"] if row["parent"] is None]
    could = reached(passed, [source] if source else begun)
    return told | {"could": len(could.keys() - knows), "suggested": []}


def passed_on(run: Run) -> list[Contact]:
    """Return every time that word can have passed, in order, each with what was said and nothing around it."""
    return [replace(each, text=words_of(each.text)) for each in contacts(run)]


def notes(run: Run) -> Iterator[Contact]:
    """Yield whatever comes to stand where somebody keeps what they know, in order, as a contact with themselves."""
    for change in run.changes():
        if change.op == "create":
            written = [change.new["fields"].get(field) for field in NOTED]
        else:
            written = [change.new] if change.path and change.path[0] in NOTED else []
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
