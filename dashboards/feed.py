"""The feed of notable turns: what was refused and why, what was announced, who and what came or left."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.dashboards.elements import Html, dot, element
from cave_sim.dashboards.palette import MUTED, NEWS, STATUS
from cave_sim.dashboards.record import Record

SAME_REASON_SHOWN = 3
REFUSALS_SHOWN = 250
NEWS_SHOWN = 250


@dataclass(frozen=True)
class Note:
    """One line of the feed; `code` is the cell behind it, "" where there was none."""

    step: int
    agent: str
    kind: str
    text: str
    code: str = ""


def notes(record: Record) -> list[Note]:
    """Return the notable turns by step. Of refusals for one reason the first three are shown."""
    news = [*_announcements(record), *_arrivals(record), *_departures(record), *_happenings(record)]
    return sorted([*_evenly(news, NEWS_SHOWN), *_refusals(record)], key=lambda note: note.step)


def feed(record: Record) -> Html:
    """Return the feed's card, with a button per kind to narrow it; nothing for a run without notable turns."""
    shown = notes(record)
    if not shown:
        return Html()
    kinds = dict.fromkeys(note.kind for note in shown)
    chips = [element("button", _badge(kind), type="button", data_kind=kind, aria_pressed="false") for kind in kinds]
    head = element("header", element("h2", "Notable turns"), element("div", *chips, class_="chips"))
    rows = element("ol", *(_row(record, note) for note in shown), tabindex=0, aria_label="Notable turns")
    return element("section", head, rows, class_="card feed")


def _badge(kind: str) -> Html:
    return element("span", dot(STATUS.get(kind) or NEWS.get(kind, MUTED)), kind)


def _row(record: Record, note: Note) -> Html:
    who = element("b", record.title(note.agent), " ", element("small", _badge(note.kind)))
    told = [who, element("p", note.text)]
    if note.code:
        told.append(element("details", element("summary", "cell"), element("pre", element("code", note.code))))
    when = element("time", record.frames.clock(record.frames.at(note.step)), title=f"step {note.step}")
    return element("li", when, element("div", *told), data_step=note.step, data_kind=note.kind)


def reasons(record: Record) -> list[tuple[str, str, int, int]]:
    """Return (reason, status, turns, agents) of turns that did not land, most frequent first."""
    turns: Counter[tuple[str, str]] = Counter()
    agents: dict[tuple[str, str], set[str]] = {}
    for agent, status, error in record.run.query(
        "SELECT agent, status, error FROM turns WHERE kind = 'cell' AND status <> 'committed' ORDER BY turn"
    ):
        key = error_line(error), status
        turns[key] += 1
        agents.setdefault(key, set()).add(agent)
    return [(*key, number, len(agents[key])) for key, number in turns.most_common()]


def error_line(error: str | None) -> str:
    """Return the line of an error that says what happened: the last one, as in a traceback."""
    lines = [line.strip() for line in (error or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def _refusals(record: Record) -> list[Note]:
    sql = """SELECT t.step, t.agent, t.status, t.error, c.code FROM turns t LEFT JOIN cells c ON c.hash = t.cell
             WHERE t.kind = 'cell' AND t.status <> 'committed' ORDER BY t.turn"""
    seen: Counter[str] = Counter()
    kept = []
    for step, agent, status, error, code in record.run.query(sql):
        reason = error_line(error)
        seen[reason] += 1
        if seen[reason] <= SAME_REASON_SHOWN:
            kept.append(Note(step, agent, status, reason, code or ""))
    return _evenly(kept, REFUSALS_SHOWN)


def _announcements(record: Record) -> Iterator[Note]:
    sql = """SELECT t.step, t.agent, c.old, c.new, cells.code FROM changes c JOIN turns t ON t.turn = c.turn
             LEFT JOIN cells ON cells.hash = t.cell WHERE c.path LIKE '["announcements"%' AND t.parent IS NULL
             ORDER BY c.turn, c.position"""
    for step, agent, old, new, code in record.run.query(sql):
        known = set(_texts(json.loads(old) if old else None))
        for text in _texts(json.loads(new) if new else None):
            if text not in known:
                yield Note(step, agent, "announced", text, code or "")


def _texts(value: Any) -> Iterator[str]:
    """Yield what is said in an announcement: a text, a list of them, or records that hold their text under "text"."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(value["text"] if "text" in value else list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _arrivals(record: Record) -> Iterator[Note]:
    for born in record.born.values():
        if record.late(born):
            yield Note(born.step, born.agent, "created", f"{born.title} ({born.type})")


def _departures(record: Record) -> Iterator[Note]:
    sql = """SELECT c.entity, t.step, t.agent FROM changes c JOIN turns t ON t.turn = c.turn
             WHERE c.op = 'remove' AND t.parent IS NULL ORDER BY c.turn"""
    for name, step, agent in record.run.query(sql):
        yield Note(step, agent, "removed", record.title(name))


def _happenings(record: Record) -> Iterator[Note]:
    """Yield what happened to the run itself, such as an observer that failed."""
    for step, kind, data in record.run.query("SELECT step, kind, data FROM events ORDER BY entry"):
        read = json.loads(data)
        yield Note(step, "run", kind, read if isinstance(read, str) else json.dumps(read, ensure_ascii=False))


def _evenly(kept: list[Note], most: int) -> list[Note]:
    """Return at most `most` of the notes, evenly over the run."""
    return kept if len(kept) <= most else [kept[index * len(kept) // most] for index in range(most)]
