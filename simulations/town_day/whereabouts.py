"""Where everybody was when, read from a journal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.entity.json_form import referenced

Stays = Mapping[str, list[tuple[int, str | None]]]
"""For everybody the steps in which they came to be somewhere else, and where; None is the street."""


def stays(run: Run) -> Stays:
    """Return where everybody was in a run."""
    by_person: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
    for change in run.changes():
        if change.op == "create" and "location" in change.new["fields"]:
            by_person[change.entity].append((change.step, referenced(change.new["fields"]["location"])))
        elif change.path == ("location",):
            by_person[change.entity].append((change.step, referenced(change.new)))
    return by_person


def steps_there(stays: list[tuple[int, str | None]], place: str, begins: int, ends: int) -> Iterator[int]:
    """Yield the steps between two, at the end of which somebody was in a place."""
    untils = [step for step, _ in stays[1:]] + [ends + 1]
    for (since, where), until in zip(stays, untils, strict=True):
        if where == place:
            yield from range(max(since, begins), min(until, ends + 1))


def moment(run: Run, step: int) -> datetime:
    """Return the world time of a step."""
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    return start + timedelta(seconds=step * step_s)


def next_time(run: Run, step: int, at: str) -> datetime:
    """Return when a time of day such as 18:00 comes next after a step."""
    now = moment(run, step)
    hour, minute = map(int, at.split(":"))
    due = now.replace(hour=hour, minute=minute, second=0)
    return due + timedelta(days=due < now)


def step_at(run: Run, time: datetime) -> float:
    """Return the step of a world time; between two steps it is no whole number."""
    return (time - moment(run, 0)).total_seconds() / float(run.manifest["step_s"])
