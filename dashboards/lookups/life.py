"""A day in the life of somebody: what they did hour by hour, where they were, and what they remember."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.minds import memories
from cave_sim.entity.json_form import referenced

FOLLOWED = ("activity", "location")
MEMORIES = 40


def life(reader: JournalReader, name: str, step: int) -> dict[str, Any]:
    """Return the course of somebody's life up to a step.

    Returns:
        ``activity`` and ``location``: [step from which it shows, value], oldest first, for those who have such fields;
        ``memories``: the latest ones, oldest first; None for somebody who keeps none.
    """
    data: dict[str, Any] = {"name": name, "step": step}
    for field in FOLLOWED:
        data[field] = _course(reader, name, field, step)
    remembered = memories(reader, name, step, MEMORIES)
    return data | {"memories": remembered or None}


def _course(reader: JournalReader, name: str, field: str, step: int) -> list[list[Any]]:
    ends = reader.run.query("SELECT last_turn, step FROM steps WHERE step <= ? ORDER BY step", step)
    sql = """SELECT turn, op, new FROM changes WHERE turn <= ? AND entity = ? AND (path = '[]' OR path = ?)
             ORDER BY turn, position"""
    course: list[list[Any]] = []
    for turn, op, new in reader.run.query(sql, ends[-1][0] if ends else 0, name, f'["{field}"]'):
        at = ends[bisect_left(ends, turn, key=itemgetter(0))][1]
        value = reader.run.data(new)
        if op == "create":
            value = (value.get("fields") or {}).get(field)
        value = referenced(value) or value
        if course and course[-1][0] == at:
            course[-1][1] = value
        else:
            course.append([at, value])
    return [each for place, each in enumerate(course) if place == 0 or course[place - 1][1] != each[1]]
