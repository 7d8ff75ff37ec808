"""What of a step is worth remembering, and how much it matters.

The study that this follows asks a model to rate each memory, as `rating.py` does if it is switched on. By default it
goes by what kind of thing it is, which costs nothing.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from operator import ne
from typing import Any

from cave_sim.agents.mind import WEEKDAYS
from cave_sim.agents.past import reason_in
from cave_sim.agents.prompts.heard import gist, is_planned
from cave_sim.agents.prompts.view import since
from cave_sim.session.importance import Event
from cave_sim.session.row import Row

IMPORTANCE = {
    "company": 1.0,
    "deed": 2.0,
    "own_words": 2.0,
    "failure": 4.0,
    "words": 4.0,
    "question": 5.0,
    "notice": 5.0,
}
"""How much each kind of event matters."""
_UNHEARD = re.compile(r"^(tool_error: me\.say\(\w+,) .*?[\"']\)(?=: )", re.MULTILINE)
_ABSENT = re.compile(r"^tool_error: .*: (?:not here|asleep)\.(?:\n|$)", re.MULTILINE)
_SPEAKER = re.compile(r"\d\d:\d\d (?:you to (?P<to>\w+)|[^:]*\((?P<by>\w+)\)): ")
_TALK = re.compile(r"\bme\.(?:say|meet)\(")


def by_kind(event: Event) -> float:
    """Return how much an event matters by its kind alone."""
    return IMPORTANCE[event.kind]


def is_told(text: str, observation: Mapping[str, Any], heard: Iterable[str], failure: str = "") -> bool:
    """Say whether a memory adds nothing to how things stand now.

    That tells the plan, company, the way here, the notice board, words heard, and why the last cell failed.

    Args:
        text: of the memory.
        observation: how things stand.
        heard: what was heard, as far as it is told now.
        failure: what there is to remember of the last cell, if it did not land.
    """
    here, town = observation.get("here") or {}, observation.get("town") or {}
    words = _SPEAKER.sub("", text, count=1)
    return (
        (words != text and any(line.endswith(f": {words}") for line in heard))
        or is_planned(text, observation.get("plan") or {})
        or ("[me.plan[" in text and bool(observation.get("plan")))
        or f"me.go({here.get('name', ' ')})" in text
        or text.startswith(f"At {here.get('title', ' ')} with ")
        or text in town.get("announcements", ())
        or (bool(failure) and text == failure)
    )


def in_words(row: Row, opinions: Container[str]) -> str:
    """Return a memory as one line of a prompt; of an opinion of whom it is, and "" where it is told beside the person.

    Args:
        row: the memory.
        opinions: of whom it is told what one thinks of them.
    """
    if row.data.get("of") != "person":
        return gist(row.text)
    about = [name for name in row.data.get("about", ()) if name not in opinions]
    return f"{', '.join(about)}: {row.text}" if about else ""


def time_of(row: Row, start: datetime, *, today: datetime | None = None) -> str:
    """Return when a memory is of, as ``Mon 08:10``, or ``08:10`` if it is of today.

    Args:
        row: the memory.
        start: when the world began.
        today: world time now, if the day need not be said.
    """
    moment = start + timedelta(seconds=row.time_s)
    is_today = today is not None and moment.date() == today.date()
    return f"{moment:%H:%M}" if is_today else f"{WEEKDAYS[moment.weekday()]} {moment:%H:%M}"


def latest(memories: Mapping[str, Row]) -> dict[str, Row]:
    """Return memories without conclusions that a later one has taken the place of: the same but for one word.

    Args:
        memories: text -> row, oldest first.
    """
    thoughts = [text for text, row in memories.items() if row.data.get("of") == "thought"]
    over = {one for place, one in enumerate(thoughts) if any(_is_anew(one, other) for other in thoughts[place + 1 :])}
    return {text: row for text, row in memories.items() if text not in over}


def lasting(log: str) -> str:
    """Return a log without the lines on who was not there, or asleep, and without words that did not arrive."""
    return _ABSENT.sub("", _UNHEARD.sub(r"\1 …)", log))


def _is_anew(before: str, after: str) -> bool:
    one, other = before.split(), after.split()
    return len(one) == len(other) > 4 and sum(map(ne, one, other)) <= 1


def of_look(observation: Mapping[str, Any], last_look: Mapping[str, Any], new_lines: Iterable[str]) -> Iterator[Event]:
    """Yield what there is to remember of a look: who is there, what was said, what stands on the notice board."""
    near = [other["name"] for other in observation["near"]]
    here = observation["here"]["title"] if observation["here"] else "the street"
    if near and (
        set(near) - set(last_look.get("near", ()))
        or (observation["here"] or {}).get("name", "") != last_look.get("here")
    ):
        yield Event("company", f"At {here} with {', '.join(near)}.", tuple(near))
    for line in new_lines:
        yield _of_words(line)
    for line in since(observation["news"], last_look.get("news", "")):
        yield Event("notice", line)


def of_deeds(rows: Iterable[Row]) -> Iterator[Event]:
    """Yield what there is to remember of the cells that ran; talk is remembered as it is heard."""
    code = ""
    for row in rows:
        if row.kind == "cell":
            code = row.text
        elif row.kind == "error":
            yield Event("failure", of_failure(code, reason_in(row.text)))
        elif row.kind == "output" and not _TALK.search(code):
            yield Event("deed", _summary_of_cell(code))


def of_failure(code: str, reason: str) -> str:
    """Return what there is to remember of a cell that did not land: first why, which is to be told in any case."""
    return f"This did not work: {reason.removeprefix('Refused: ')} {_summary_of_cell(code)}"


def _of_words(line: str) -> Event:
    match = _SPEAKER.match(line)
    if match is None:
        return Event("words", line)
    if match["to"]:
        return Event("own_words", line, (match["to"],))
    return Event("question" if line.endswith("?") else "words", line, (match["by"],))


def _summary_of_cell(code: str) -> str:
    """Return a cell as one line: the thought that it begins with, then what it does."""
    lines = [line.strip() for line in code.splitlines() if line.strip()]
    thoughts = [line.lstrip("# ") for line in lines if line.startswith("#")]
    statements = "; ".join(line for line in lines if not line.startswith("#")).replace('"', "'")
    return " ".join([*thoughts[:1], f"[{statements[:120]}]"])
