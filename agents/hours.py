"""The hour ahead, broken down into tasks, and revised when something happens (Park et al. 2023, §4.3 and §4.3.1).

The plan of the day is in the world, where others may be told of it. How somebody means to spend this hour is theirs
alone: a memory of the kind `plan`, of which the latest is the one that holds.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cave_sim.agents.prompts import texts
from cave_sim.agents.prompts.wording import quoted

TASKS = 6
_TASK = re.compile(r"\s*(?:[-*]\s+)?(\d\d:\d\d)\s*[-–:,]?\s+(\S.*?)\s*")
_NEWS = ("has come", "has changed", "On the notice board")


class Hour(NamedTuple):
    """How somebody means to spend an hour: on which day, from when, and what when."""

    day: str
    begins: str
    tasks: tuple[tuple[str, str], ...]

    def to_data(self) -> dict[str, Any]:
        """Return it as data of a row."""
        return {"day": self.day, "begins": self.begins, "tasks": [list(task) for task in self.tasks]}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Hour":
        """Return the hour that a row's data tells."""
        return cls(data["day"], data["begins"], tuple((at, what) for at, what in data["tasks"]))

    def __str__(self) -> str:
        return "; ".join(f"{at} {what}" for at, what in self.tasks)


def is_due(hour: Hour | None, observation: Mapping[str, Any], news: str) -> bool:
    """Say whether it is time to think the hour over: it is another one, or something has happened in it."""
    day, begins = _now(observation)
    is_another = hour is None or (hour.day, hour.begins) != (day, begins)
    return is_another or any(mark in news for mark in _NEWS)


def task(hour: Hour | None, observation: Mapping[str, Any], news: str, wording: str) -> str:
    """Return what the model is told to do."""
    day, begins = _now(observation)
    is_same = hour is not None and (hour.day, hour.begins) == (day, begins)
    before = f"{texts.SO_FAR} {quoted(str(hour), 600)}" if is_same else ""
    return "\n\n".join(filter(None, [news, before, wording.replace("{hour}", begins)]))


def read(reply: str, observation: Mapping[str, Any]) -> Hour | None:
    """Return the hour that a reply breaks down; None if it says nothing that can be read, so that all stays."""
    day, begins = _now(observation)
    lines = (match for line in reply.splitlines() if (match := _TASK.fullmatch(line)))
    tasks = [(match[1], match[2][:120]) for match in lines if match[1][:2] == begins[:2]]
    return Hour(day, begins, tuple(sorted(tasks)[:TASKS])) if tasks else None


def _now(observation: Mapping[str, Any]) -> tuple[str, str]:
    """Return the day and the hour that have begun."""
    day, _, time = observation["time"].rpartition(" ")
    return day, f"{time[:2]}:00"
