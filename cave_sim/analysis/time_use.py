"""Time use: how many minutes of each hour of the day people spend at what, as diaries of time use have it."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_by_step

ACTIVITY = "activity"
HOURS = range(24)


def time_use(run: Run, field: str = ACTIVITY, *, of: str = "") -> pd.DataFrame:
    """Return minutes a person by activity and hour of the day.

    What somebody does after a step counts until the next one. Of several days each hour is a mean.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        field: which says what somebody is doing.
        of: the class of those who are counted; everybody who has the field unless given.

    Returns:
        A row for each activity, a column for each hour from 0 to 23, and ``day``: their sum. The minutes of an hour sum
        to 60, or to 0 where the run does not cover it.

    Raises:
        JournalError: nobody has such a field, or the run does not say when it begins.
    """
    if not run.manifest.get("start"):
        raise JournalError(f"{run.folder} does not say at what time it begins")
    spent, covered = Counter[tuple[str, int]](), Counter[int]()
    having: set[str] = set()
    for step, entities in entities_by_step(run):
        hour = pd.Timestamp(run.time_at(step)).hour
        for entity in entities.values():
            if field in entity["fields"]:
                having.add(entity["type"])
                if of not in ("", entity["type"]):
                    continue
                spent[str(entity["fields"][field]), hour] += 1
                covered[hour] += 1
    if not spent:
        who = f" of class {of}" if of else ""
        there = f"; those of class {', '.join(sorted(having))} do" if having else ""
        raise JournalError(f"nobody{who} in {run.folder} has a field {field!r}{there}")
    table = pd.DataFrame(0.0, index=sorted({activity for activity, _ in spent}), columns=list(HOURS))
    for (activity, hour), times in spent.items():
        table.loc[activity, hour] = 60 * times / covered[hour]
    return table.rename_axis("activity").assign(day=table.sum(axis=1))
