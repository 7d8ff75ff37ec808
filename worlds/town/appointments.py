"""Meetings of two: one asks, the other says the same, and then it stands for both; unanswered, it lapses for both."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cave_sim.worlds.town.person import Person

PATIENCE_MIN = 30
"""How long a question to meet stands at least before it lapses; two looks, where steps are longer."""
_ASKED = re.compile(r"asked (\w+) to meet at (\w+), unanswered since (\d\d):(\d\d)")


class OpenQuestion(NamedTuple):
    """What somebody asked of somebody else: to meet at a place; when they did, in minutes of the day."""

    whom: str
    place: str
    since_min: int


def asked(plan: Mapping[str, str], at: str) -> OpenQuestion | None:
    """Return the unanswered question to meet at a time of day that stands in a plan; None if there is none."""
    match = _ASKED.fullmatch(plan.get(at, ""))
    return OpenQuestion(match[1], match[2], 60 * int(match[3]) + int(match[4])) if match else None


def ask(person: Person, other: Person, place: str, at: str) -> None:
    """Put a question to meet into the plan of who asks, where it holds the hour until it is answered."""
    now = person.world.clock.now
    person.plan[at] = f"asked {other.id} to meet at {place}, unanswered since {now:%H:%M}"


def agree(person: Person, other: Person, place: str, at: str) -> None:
    """Put a meeting into both plans."""
    person.plan[at], other.plan[at] = f"meet {other.id} at {place}", f"meet {person.id} at {place}"


def lapse(person: Person) -> None:
    """Strike off what one asked for in vain, and tell them."""
    world, now = person.world, person.world.clock.now
    patience_min = max(PATIENCE_MIN, 1.5 * world.step_s / 60)
    for at in list(person.plan):
        question = asked(person.plan, at)
        if question and (60 * now.hour + now.minute - question.since_min) % (24 * 60) >= patience_min:
            del person.plan[at]
            person.heard.append(f"{now:%H:%M} reminded: {question.whom} has not answered; you do not meet at {at}.")
