"""Meetings: who agreed with whom to be at a place at an hour, and who kept it by being there.

What is said is free; whether it is kept is seen from where people are. All of it is read from a journal.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, floor

from cave_sim import Run
from cave_sim.entity.json_form import referenced
from cave_sim.journal.rows import ChangeRow

GRACE_H = 0.75
"""How long before or after the hour somebody may be there."""
_AGREED, _TIME = re.compile(r"meet (\w+) at (\w+)"), re.compile(r"([01]\d|2[0-3]):[0-5]\d")
Stays = Mapping[str, list[tuple[int, str | None]]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """One that two people agreed on.

    Attributes:
        people: who proposed it, and who agreed.
        place: where.
        agreed: the step in which they did.
        begins, ends: the steps between which it was due, grace included.
        came: those of them who were there in that time.
        is_kept: whether both were there at once.
    """

    people: tuple[str, str]
    place: str
    agreed: int
    begins: int
    ends: int
    came: frozenset[str]
    is_kept: bool


def meetings(run: Run) -> list[Meeting]:
    """Return the meetings of a run that were due before it ended, in the order in which they were agreed on.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    stays = _stays(run)
    found = (_meeting(run, change, stays) for change in run.changes(field="plan", op="set") if _is_agreement(change))
    return [meeting for meeting in found if meeting.ends <= run.last_step]


def _is_agreement(change: ChangeRow) -> bool:
    """Say whether a change put a meeting with its agent into somebody else's plan, as `me.meet(...)` does."""
    match, is_time = _AGREED.fullmatch(str(change.new)), _TIME.fullmatch(str(change.path[-1])) is not None
    return change.kind == "cell" and is_time and match is not None and match[1] == change.agent != change.entity


def _meeting(run: Run, change: ChangeRow, stays: Stays) -> Meeting:
    people, place = (change.agent, change.entity), change.new.rpartition(" ")[2]
    begins, ends = _due(run, change.step, change.path[1])
    there = {name: set(_steps_there(stays[name], place, begins, ends)) for name in people}
    came = frozenset(name for name, steps in there.items() if steps)
    return Meeting(people, place, change.step, begins, ends, came, bool(there[people[0]] & there[people[1]]))


def _due(run: Run, agreed: int, at: str) -> tuple[int, int]:
    """Return the steps between which a time of day comes next, with grace on both sides."""
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    now = start + timedelta(seconds=agreed * step_s)
    hour, minute = map(int, at.split(":"))
    due = now.replace(hour=hour, minute=minute, second=0)
    due += timedelta(days=due < now)
    grace = timedelta(hours=GRACE_H)
    begins, ends = ((time - start).total_seconds() / step_s for time in (due - grace, due + grace))
    return max(ceil(begins), agreed), floor(ends)


def _stays(run: Run) -> Stays:
    """Return for everybody the steps in which they came to be somewhere else, and where; None is the street."""
    stays: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
    for change in run.changes():
        if change.op == "create" and "location" in change.new["fields"]:
            stays[change.entity].append((change.step, referenced(change.new["fields"]["location"])))
        elif change.path == ("location",):
            stays[change.entity].append((change.step, referenced(change.new)))
    return stays


def _steps_there(stays: list[tuple[int, str | None]], place: str, begins: int, ends: int) -> Iterator[int]:
    """Yield the steps between two, at the end of which somebody was in a place."""
    untils = [step for step, _ in stays[1:]] + [ends + 1]
    for (since, where), until in zip(stays, untils, strict=True):
        if where == place:
            yield from range(max(since, begins), min(until, ends + 1))
