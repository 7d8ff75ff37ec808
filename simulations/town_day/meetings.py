"""Meetings: who agreed with whom to be at a place at an hour, and who kept it by being there.

What is said is free; whether it is kept is seen from where people are. All of it is read from a journal.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, floor

from cave_sim import Run
from cave_sim.journal.rows import ChangeRow
from cave_sim.simulations.town_day.whereabouts import Stays, next_time, stays, step_at, steps_there

GRACE_H = 0.75
"""How long before or after the hour somebody may be there."""
_AGREED, _TIME = re.compile(r"meet (\w+) at (\w+)"), re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class Meeting:
    """One that two people agreed on.

    Attributes:
        people: who asked, and who agreed.
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
    where = stays(run)
    all_meetings = (_meeting(run, change, where) for change in agreements(run))
    return [meeting for meeting in all_meetings if meeting.ends <= run.last_step]


def agreements(run: Run) -> list[ChangeRow]:
    """Return the changes of plans by which two people agreed on meetings, due or not: each is in the plan of who asked.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    return [change for change in run.changes(field="plan", op="set") if _is_agreement(change)]


def _is_agreement(change: ChangeRow) -> bool:
    """Say whether a change put a meeting with its agent into the plan of who had asked, as `me.meet(...)` does."""
    match, is_time = _AGREED.fullmatch(str(change.new)), _TIME.fullmatch(str(change.path[-1])) is not None
    return change.kind == "cell" and is_time and match is not None and match[1] == change.agent != change.entity


def _meeting(run: Run, change: ChangeRow, where: Stays) -> Meeting:
    people, place = (change.entity, change.agent), change.new.rpartition(" ")[2]
    begins, ends = _due(run, change.step, change.path[1])
    there = {name: set(steps_there(where[name], place, begins, ends)) for name in people}
    came = frozenset(name for name, steps in there.items() if steps)
    return Meeting(people, place, change.step, begins, ends, came, bool(there[people[0]] & there[people[1]]))


def _due(run: Run, agreed: int, at: str) -> tuple[int, int]:
    """Return the steps between which a time of day comes next, with grace on both sides."""
    due, grace = next_time(run, agreed, at), timedelta(hours=GRACE_H)
    return max(ceil(step_at(run, due - grace)), agreed), floor(step_at(run, due + grace))
