"""Diffusion: whom a piece of news can have reached, by who heard or read what whom wrote; and who says so in words.

Word travels where a turn of one agent writes into what another one takes in (``heard``, a plan, a message), and where a
turn reads what not everybody may. Whoever is on no such path from the source cannot know, however they put it: this
survives paraphrase, and bounds every measure that goes by words.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.history.common_words import COMMON
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import all_readings
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import ChangeRow

TAKEN_IN = ("heard", "plan")
"""Fields of residents into which others write what they tell them."""
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Contact:
    """One time that word can have passed.

    Attributes:
        turn, step: when.
        source, target: from whom to whom.
        text: what was written; "" for something that was read.
    """

    turn: int
    step: int
    source: str
    target: str
    text: str = ""


@of_run
def contacts(run: Run, fields: Collection[str] = TAKEN_IN) -> list[Contact]:
    """Return every time that word can have passed from one agent to another, in order.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        fields: into which what one agent writes reaches the entity's own agent.
    """
    passed = [contact for change in run.changes(field=fields) for contact in _told(change)]
    for turn, step, agent, entity in all_readings(run):
        passed.append(Contact(turn, step, entity, agent))
    return sorted(passed, key=lambda contact: contact.turn)


def _told(change: ChangeRow) -> Iterator[Contact]:
    if change.kind == "cell" and change.agent != change.entity and change.op != "create":
        yield Contact(change.turn, change.step, change.agent, change.entity, texts_of(change))


def texts_of(change: ChangeRow) -> str:
    """Return what a change wrote, as text."""
    return change.new if isinstance(change.new, str) else json.dumps(change.new, ensure_ascii=False)


def reached(contacts: Iterable[Contact], sources: Iterable[str], *, after: int = 0) -> dict[str, Contact]:
    """Return whom word can have reached from the sources, and the contact by which it first can have.

    Args:
        contacts: in order; see :func:`contacts`.
        sources: who knew from the start.
        after: the turn from which on they did.
    """
    knows, first_contacts = set(sources), dict[str, Contact]()
    for contact in contacts:
        if contact.turn > after and contact.source in knows and contact.target not in knows:
            knows.add(contact.target)
            first_contacts[contact.target] = contact
    return first_contacts


@dataclass(frozen=True, slots=True)
class Rumour:
    """A word that got round.

    Attributes:
        word: in small letters.
        heard: how many have it from others.
        began: how many said it without having heard it.
    """

    word: str
    heard: int
    began: int


def words_in(text: str) -> Iterator[str]:
    """Yield the words of a text that say what it is about, in small letters."""
    return (word for word in map(str.lower, _WORD.findall(text)) if word not in COMMON)


def got_round(passed: Iterable[Contact]) -> list[Rumour]:
    """Return words that got round, the farthest first: many have them from others, few say them without having heard.

    What everybody says of themselves, as a greeting, is none; nor is a word that stands in any talk.
    """
    knows: dict[str, set[str]] = {}
    began: Counter[str] = Counter()
    for contact in passed:
        for word in dict.fromkeys(words_in(contact.text)):
            know = knows.setdefault(word, set())
            began[word] += contact.source not in know
            know.update((contact.source, contact.target))
    rumours = [Rumour(word, len(know) - began[word], began[word]) for word, know in knows.items()]
    fit = [each for each in rumours if each.heard > max(1, each.began)]
    return sorted(fit, key=lambda each: (-each.heard / each.began, -each.heard, -len(each.word), each.word))


@dataclass(frozen=True)
class Matcher:
    """Finds news in words: a text is about it if each pattern is found in it, in any case.

    Attributes:
        patterns: regular expressions, all of which must be found; `feast|party` is either.

    Raises:
        WorldError: there are none, or one is no pattern; a single text would be a pattern for each of its letters.
    """

    patterns: tuple[str, ...]

    def __post_init__(self) -> None:
        given: Any = self.patterns  # whatever the annotation says
        if isinstance(given, str) or not given:
            raise WorldError(f"Matcher({given!r}): takes a tuple of patterns, one or more: Matcher(('valentine',))")
        for pattern in given:
            if not isinstance(pattern, str) or not pattern.strip():
                raise WorldError(f"Matcher: the pattern {pattern!r} says nothing")
            try:
                re.compile(pattern)
            except re.error as error:
                raise WorldError(f"Matcher: {pattern!r} is no regular expression: {error}") from None

    def finds(self, text: str) -> bool:
        """Say whether a text is about it."""
        return all(re.search(pattern, text, re.IGNORECASE) for pattern in self.patterns)


@of_run
def mentioned(run: Run, matcher: Matcher, fields: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return in whose fields the news is first found: entity -> step, and the agent who wrote it there."""
    first_mentions: dict[str, tuple[int, str]] = {}
    for change in run.changes():
        if change.entity not in first_mentions and any(matcher.finds(text) for text in _written(change, fields)):
            first_mentions[change.entity] = change.step, change.agent
    return first_mentions


def _written(change: ChangeRow, fields: Collection[str]) -> Iterator[str]:
    if change.op == "create":
        values: list[Any] = [change.new["fields"].get(field) for field in fields]
        yield from (json.dumps(value, ensure_ascii=False) for value in values if value)
    elif change.path and change.path[0] in fields and change.new:
        yield texts_of(change)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one way of telling who knows agrees with another one, taken as the truth.

    Attributes:
        both, neither: how many of those asked about both ways count in, and count out.
        missed: in truth they know, and this way does not find them.
        invented: this way finds them, and in truth they do not know.
    """

    both: int
    neither: int
    missed: int
    invented: int

    @property
    def error_rate(self) -> float:
        """The share of those about whom the two disagree."""
        return (self.missed + self.invented) / max(1, self.both + self.neither + self.missed + self.invented)


def agreement(people: Collection[str], truth: Collection[str], among: Iterable[str]) -> Agreement:
    """Compare who was found to know with who does, among some people."""
    counts = {(True, True): 0, (False, False): 0, (False, True): 0, (True, False): 0}
    for name in among:
        counts[name in people, name in truth] += 1
    return Agreement(counts[True, True], counts[False, False], counts[False, True], counts[True, False])
