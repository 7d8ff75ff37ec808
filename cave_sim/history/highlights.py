"""Highlights: what stands out in a run, told in some lines, found by counting and never by a model.

What somebody did for the first time in the run, what few did, what the world did by itself, what was refused most,
which measure jumped, who spoke most to whom, what went from mouth to mouth. Of many such moments those are told that
are rare, and of every sort some.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.history.dialogues import REMINDED
from cave_sim.history.diffusion import Contact, got_round
from cave_sim.history.measures_told import told_of
from cave_sim.history.narrator import ADDED, SETS, Narrator, is_bookkeeping
from cave_sim.history.sentences import Sentence, text_of
from cave_sim.history.wording import title_text, word, word_text
from cave_sim.history.written_texts import Written, texts_in
from cave_sim.journal.reader import Run

LINES = 10
RARE = 6
"""A field that the world itself set so often at most, or less, is told as it turns."""
FAR = 3
"""So many who heard of it for each who began with it make a piece of news, and so many talks a pair."""
NEWS = 4
"""What fewer have heard is small talk."""
SWITCHED = 2
"""So many of those that one turn switched are named."""
LONGEST = 160  # letters of an error
FIRST = " (the first to do so)"
REFUSED = "Refused: "
NO_TIME = "2000-01-01T00:00"
"""When a world begins in which nobody said when it is: it has steps alone."""
KINDS = ("kind", "state", "status")
"""Fields that say what something is now: it turns, not they."""


def is_timed(run: Run) -> bool:
    """Return whether somebody said when the world of a run begins; if not, it has steps alone."""
    return not str(run.manifest.get("start", NO_TIME)).startswith(NO_TIME)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment that stands out.

    Attributes:
        step: when; 0 for what is about the whole run.
        time: of the world, as ISO text.
        sort: ``run``, ``act``, ``first``, ``world``, ``switch``, ``refusal``, ``measure``, ``sum``, ``days``, ``news``
            or ``people``.
        text: one sentence.
        turn: the turn to look at; None if there is no single one.
        weight: how much it stands out.
        knows: of news, who said or heard it, each with the step in which they first did.
    """

    step: int
    time: str
    sort: str
    text: str
    turn: int | None
    weight: float
    knows: Mapping[str, int] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def highlights(run: Run, lines: int = LINES, shards: Sequence[Run] = ()) -> list[Highlight]:
    """Return what stands out in a run, at most so many lines in the order of time; what is about all of it is first.

    Args:
        run: the run.
        lines: how many.
        shards: the runs of its shards if it is a sharded one: whoever acts is in those. No line of it names a turn,
            for turns are numbered in each shard.
    """
    candidates = list(_Look(run, shards).all())
    chosen: list[Highlight] = []
    times_told: Counter[str | int] = Counter()
    texts: set[tuple[int, str]] = set()

    def weight(each: Highlight) -> float:
        """Return how much it stands out beside what is told: of its sort, and where it is but a number, of its step."""
        return each.weight / (1 + times_told[each.sort]) / (1 + times_told[each.step] * (each.sort == "measure"))

    while candidates and len(chosen) < lines:
        best = max(candidates, key=lambda each: (weight(each), -each.step))
        candidates.remove(best)
        plain = best.text.removesuffix(FIRST)
        if (best.step, plain) in texts:  # told of somebody who acts seldom, and as the first time
            continue
        texts.add((best.step, plain))
        times_told.update([best.sort, best.step])
        chosen.append(best)
    return sorted(chosen, key=lambda each: (each.step, each.turn or 0))


class _Look:
    """One look through a run."""

    def __init__(self, run: Run, shards: Sequence[Run]) -> None:
        self._run, self._acting = run, shards or (run,)
        self._types: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._titled: set[str] = set()
        self._contacts: list[Contact] = []
        sql = "SELECT entity, new FROM changes WHERE op = 'create' AND path = '[]'"
        for entity, text in (row for each in self._acting for row in each.query(sql)):
            created = run.data(text)
            self._types[entity] = created["type"]
            self._titles[entity] = _title(entity, created["fields"])
            if self._titles[entity] != _title(entity, {}):
                self._titled.add(entity)
        self._narrator = Narrator.of(self._types, (each.manifest for each in self._acting))
        sql = (
            "SELECT t.turn, t.step, t.agent, t.status, c.code, t.error FROM turns t JOIN cells c ON c.hash = t.cell"
            " WHERE t.kind = 'cell' ORDER BY t.turn"
        )
        self._cells = [(*row, journal) for journal in self._acting for row in journal.query(sql)]
        self._cells.sort(key=lambda row: row[1])

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return rows that begin with turn and step, of all shards in the order of steps; their turns are None then."""
        if len(self._acting) == 1:
            return self._acting[0].query(sql)
        rows = [(None, *row[1:]) for run in self._acting for row in run.query(sql)]
        return sorted(rows, key=lambda row: row[1])

    def all(self) -> Iterator[Highlight]:
        """Yield everything that might be told."""
        yield from self._whole()
        yield from self._acts()
        yield from self._news()
        yield from self._world()
        yield from self._switches()
        yield from self._reminders()
        yield from self._refusals()
        yield from self._measures()

    def _whole(self) -> Iterator[Highlight]:
        agents, landed = {cell[2] for cell in self._cells}, sum(cell[3] == "committed" for cell in self._cells)
        begin = self._run.time_at(int(self._run.query("SELECT min(step) FROM steps")[0][0] or 0))
        end = self._run.time_at(self._run.last_step)
        often = "once" if len(self._cells) == 1 else counted(len(self._cells), "time")
        acts = f"{counted(len(agents), 'agent')} acted {often}"
        summary = f"{acts}; {landed:,} of these acts took effect" if landed < len(self._cells) else acts
        if not self._cells:  # a model that runs no cells
            kinds = Counter(kind for name, kind in self._types.items() if not name.startswith("$"))
            there = ", ".join(f"{kind} ({many:,})" for kind, many in kinds.most_common(3))
            steps = counted(self._run.last_step, "step")
            summary = f"the world went on by itself for {steps}, with {there or 'nothing in it'}; nobody ran a cell"
            if not self._run.last_step:
                summary = f"a world stands ready, with {there or 'nothing in it'}; no step has been taken yet"
        timed = is_timed(self._run) and end != begin
        when = f"From {_span(begin, end)}, " if timed else ""
        text = f"{when}{summary}" if when else f"{summary[:1].upper()}{summary[1:]}"
        yield replace(self._highlight(0, "run", text, None, 1e6), time=begin)

    def _acts(self) -> Iterator[Highlight]:
        """Yield what was done for the first time, all that those did who act seldom, and who did what most often."""
        times_done: Counter[str] = Counter()
        doers: dict[str, set[str]] = {}
        firsts: dict[str, tuple[int, int | None, str, Sentence]] = {}
        turns_of = Counter(cell[2] for cell in self._cells)
        talks: Counter[tuple[str, str]] = Counter()
        switched = {(each.step, each.turn) for each in self._switches()}
        usual = sorted(turns_of.values())[len(turns_of) // 2] if turns_of else 0
        for number, step, agent, status, code, _, journal in self._cells:
            turn = number if len(self._acting) == 1 else None
            written = Written(journal, number)
            for sentence in self._narrator.tell(agent, code, written) if status == "committed" else ():
                if isinstance(sentence[0], dict) or is_bookkeeping(sentence):  # the first is often a mere question
                    continue
                if (step, turn) in switched and sentence[0] == SETS and str(sentence[-1]).endswith(("True", "False")):
                    continue  # what is switched is told as that
                words = _words(next(iter(sentence.if_written.values()), sentence))  # all that one method does is alike
                times_done[words] += 1
                doers.setdefault(words, set()).add(agent)
                firsts.setdefault(words, (step, turn, agent, sentence))
                if turns_of[agent] <= usual / 4:
                    yield self._told(step, turn, agent, sentence, "act", 900 / turns_of[agent])
                if (speech := _said(sentence, self._titles)) is not None:
                    talks[agent, speech[0]] += 1
                    self._contacts.append(Contact(number, step, agent, *speech))
        for words, (step, turn, agent, sentence) in firsts.items():
            yield self._told(step, turn, agent, sentence, "first", 300 / times_done[words], first=len(doers[words]) > 1)
        for (agent, other), count in talks.most_common(1):
            text = f"{self._called(agent)} spoke most often to one person: {count} times to {self._called(other)}"
            if count < FAR:
                who, pairs = {name for pair in talks for name in pair}, {frozenset(pair) for pair in talks}
                spoke = f"{counted(len(who), 'person', 'people')} spoke with one another"
                text = (
                    f"{spoke}, in {counted(len(pairs), 'pair')}: {self._called(agent)} with {self._called(other)} first"
                )
            yield self._highlight(self._run.last_step, "people", text, None, 50)

    def _news(self) -> Iterator[Highlight]:
        """Yield how word of something began that went from mouth to mouth, and how far it went."""
        heard = [each for each in got_round(self._contacts) if each.heard >= max(NEWS, FAR * each.began)]
        for rumour in heard[:1]:
            first = next(each for each in self._contacts if rumour.word in each.text.lower())
            far = counted(rumour.heard, "person", "people")
            text = f"{self._called(first.source)} tells {self._called(first.target)}, and word of it reaches {far}"
            text += f": “{shortened(first.text, LONGEST)}”"
            turn = first.turn if len(self._acting) == 1 else None
            highlight = self._highlight(first.step, "news", text, turn, 20 * rumour.heard / rumour.began)
            knows: dict[str, int] = {}
            for each in [each for each in self._contacts if rumour.word in each.text.lower()]:
                knows.setdefault(each.source, each.step)
                knows.setdefault(each.target, each.step)
            yield replace(highlight, knows=knows)

    def _told(
        self,
        step: int,
        turn: int | None,
        agent: str,
        sentence: Sentence,
        sort: str,
        weight: float,
        *,
        first: bool = False,
    ) -> Highlight:
        text = f"{self._called(agent)} {text_of(sentence, self._titles)}"
        return self._highlight(step, sort, f"{text}{FIRST}" if first else text, turn, weight)

    def _world(self) -> Iterator[Highlight]:
        """Yield words that the world itself seldom set, of what there is one of: the weather."""
        switched = self._rows(
            "SELECT t.turn, t.step, c.entity, c.path, c.old, c.new FROM changes c JOIN turns t ON t.turn = c.turn"
            """ WHERE t.kind <> 'cell' AND c.op = 'set' AND c.old LIKE '"%' AND c.new LIKE '"%' ORDER BY t.turn"""
        )
        rows = list(dict.fromkeys(switched))  # what befell all shards alike, once
        alike = Counter(self._types.values())
        counts = Counter((entity, path) for _, _, entity, path, *_ in rows)
        agents = {cell[2] for cell in self._cells}
        turned: Counter[tuple[str, str]] = Counter()
        for turn, step, entity, path, old, new in rows:
            place = self._run.data(path)
            by_itself = entity not in agents and not entity.startswith("$")  # whoever acts is told by what they do
            if (
                by_itself
                and counts[entity, path] <= RARE
                and len(place) == 1
                and alike[self._types.get(entity, "")] == 1
            ):
                before, after = self._run.data(old), self._run.data(new)
                whose = self._called(entity) if entity in self._titled else f"The {word(entity)}"
                what = whose if place[0] in KINDS else f"{whose}’s {word(str(place[0]))}"
                text = f"{what} turns from {word_text(before)} to {word_text(after)}"
                turned[entity, path] += 1  # a weather that turns all day leaves room for what people do
                weight = 200 / counts[entity, path] / max(1, turned[entity, path] - 1) ** 2
                yield self._highlight(step, "world", text, turn, weight)

    def _switches(self) -> Iterator[Highlight]:
        """Yield when somebody first switched what seldom is: a park that was open is closed now."""
        switches = self._rows(
            "SELECT t.turn, t.step, t.agent, c.entity, c.path, c.new FROM changes c JOIN turns t ON t.turn = c.turn"
            " WHERE t.kind = 'cell' AND c.op = 'set' AND c.entity <> t.agent AND c.entity NOT LIKE '$%'"
            " AND (c.old, c.new) IN (VALUES ('false', 'true'), ('true', 'false')) ORDER BY t.turn, c.position"
        )
        times: dict[tuple[str, str], dict[tuple[int | None, int, str, str], list[str]]] = {}
        for turn, step, agent, entity, path, new in switches:
            alike = times.setdefault((self._types.get(entity, ""), path), {})
            alike.setdefault((turn, step, agent, new), []).append(entity)
        for (_, path), alike in times.items():
            place = self._run.data(path)
            if len(place) == 1:
                (turn, step, agent, new), entities = next(iter(alike.items()))
                named, more = [self._called(each) for each in entities[:SWITCHED]], len(entities) - SWITCHED
                which = f"{', '.join(named)} and {more:,} more" if more > 0 else " and ".join(named)
                state = f"{'now' if new == 'true' else 'no longer'} {word(str(place[0]).removeprefix('is_'))}"
                text = f"{which} {'is' if len(entities) == 1 else 'are'} {state}, by {self._called(agent)}"
                often = sum(new == each[3] for each in alike)
                if len(alike) > RARE:
                    text = f"{text}, the first of {often} times"
                yield self._highlight(step, "switch", text, turn, 200 / min(RARE, len(alike)))

    def _reminders(self) -> Iterator[Highlight]:
        """Yield of what the world reminded people, such as a question that nobody answered: of each sort the first."""
        rows = self._rows(
            "SELECT t.turn, t.step, c.entity, c.new FROM changes c JOIN turns t ON t.turn = c.turn"
            f" WHERE t.kind <> 'cell' AND c.path = '[\"heard\"]' AND instr(c.new, '{REMINDED}')"
            " ORDER BY t.turn, c.position"
        )
        by_pair: dict[tuple[str, str], tuple[int, int | None]] = {}
        for turn, step, entity, new in rows:
            for text in sorted(texts_in(self._run.data(new))):
                if REMINDED in text:  # a list that was turned over holds older ones, too
                    by_pair.setdefault((entity, text.partition(REMINDED)[2]), (step, turn))
        alike = Counter(self._without_names(text) for _, text in by_pair)
        first = {self._without_names(text): (entity, text) for entity, text in reversed(by_pair)}
        for sort, (entity, text) in first.items():
            words = re.sub(r"\w+", lambda name: self._called(name[0]) if name[0] in self._types else name[0], text)
            often = f"; {alike[sort]} were told so" if alike[sort] > 1 else ""
            line = shortened(f"{self._called(entity)} is reminded: “{words}”", LONGEST)
            step, turn = by_pair[entity, text]
            yield self._highlight(step, "world", f"{line}{often}", turn, 200 / min(RARE, alike[sort]))

    def _refusals(self) -> Iterator[Highlight]:
        """Yield what failed most often, by its reason."""
        reasons: Counter[str] = Counter()
        first: dict[str, tuple[int, int | None, str]] = {}
        for number, step, agent, status, _, error, _ in self._cells:
            turn = number if len(self._acting) == 1 else None
            if status != "committed" and error:
                last_line = error.strip().splitlines()[-1].strip()
                reason = self._without_names(last_line)
                reasons[reason] += 1
                refusal = self._by_titles(last_line.removeprefix(REFUSED)).rstrip(".")
                first.setdefault(reason, (step, turn, f"{self._called(agent)} tries in vain: {refusal}"))
        for reason, count in reasons.most_common(3):
            step, turn, sentence = first[reason]
            sentence = shortened(sentence, LONGEST)
            text = sentence if count == 1 else f"{sentence}; {count} acts failed this way"
            yield self._highlight(step, "refusal", text, turn, 40 + count)

    def _measures(self) -> Iterator[Highlight]:
        """Yield when a measure jumped furthest, what those that add up came to, and the days that differ."""
        days = self._run.time_at if is_timed(self._run) else None
        for each in told_of(self._run.measures(), days):
            yield self._highlight(each.step, each.sort, each.text, None, each.weight)

    def _without_names(self, reason: str) -> str:
        """Return a reason without what differs from one to another: entities, and numbers."""
        for name in self._types:
            if name in reason:
                reason = reason.replace(f" ({name})", "").replace(self._titles[name], "…").replace(name, "…")
        return re.sub(r"\d[\d:.,]*", "…", reason)

    def _by_titles(self, reason: str) -> str:
        """Return a reason in which an entity that is titled there is not named beside it once more."""
        return re.sub(r" \((\w+)\)", lambda name: "" if name[1] in self._types else name[0], reason)

    def _called(self, name: str) -> str:
        return self._titles.get(name) or name[:1].upper() + name[1:].replace("_", " ")

    def _highlight(self, step: int, sort: str, text: str, turn: int | None, weight: float) -> Highlight:
        return Highlight(step, self._run.time_at(step), sort, text, turn, weight)


def _title(name: str, fields: dict[str, Any]) -> str:
    title = fields.get("title") or fields.get("full_name")
    return title_text(title if isinstance(title, str) else name[:1].upper() + name[1:].replace("_", " "))


def _words(sentence: Iterable[Any]) -> str:
    """Return the text of a sentence up to what differs each time; of what is added to a field, with the field."""
    texts = [part for part in sentence if isinstance(part, str)]
    return f"{texts[0]}{texts[-1]}" if texts[:1] == [ADDED] else next(iter(texts), "")


def _said(sentence: Sentence, titles: Mapping[str, str]) -> tuple[str, str] | None:
    """Return to whom something is said, and what; None of a sentence in which nobody says anything to anybody."""
    match sentence:
        case [str(), {"entity": other}, str(opened), *rest] if opened.endswith("“"):
            return other, text_of(rest, titles).partition("”")[0]
    return None


def _span(begin: str, end: str) -> str:
    """Return two moments as people say when something was: of one day, its date once."""
    (day, since), (last_day, until) = begin.split("T"), end.split("T")
    return f"{since} to {until} on {day}" if day == last_day else f"{day} {since} to {last_day} {until}"
