"""Errands: lines of a plan such as "read about balloons at library", and the cells that keep them.

Nothing is kept from one step to the next: the plan is in the world, and an errand that was run is struck off it.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

ERRAND = r"(?!meet \w+ at)(.+) at (\w+)"  # meetings agreed on with others are kept by every scripted resident
LATE_H = 0.7  # how long after its hour an errand is let go
DEEDS = {
    "coffee": "me.eat()",
    "meal": "me.eat()",
    "drinks": "me.drink()",
    "shop": "me.buy()",
    "park": "me.enjoy(40)",
    "culture": "me.enjoy(60)",
    "sport": "me.enjoy(60)",
    "home": "me.rest(60)",
    "shelter": "me.rest(40)",
}


class Errand(NamedTuple):
    """A line of a plan such as "read about balloons at library", with its hour as text."""

    at: str
    what: str
    where: str


def meetings(observation: Mapping[str, Any]) -> dict[str, str]:
    """Return the lines of the plan that are no habits; those are what other scripted residents make plans of."""
    return {at: line for at, line in observation.get("plan", {}).items() if not re.fullmatch(ERRAND, line)}


def due(observation: Mapping[str, Any]) -> Errand | None:
    """Return the errand whose hour it is; None for those who sleep, walk or have none now."""
    if observation["me"]["activity"] in ("sleeping", "walking"):
        return None
    for at, line in sorted(observation["plan"].items()):
        match = re.fullmatch(ERRAND, line)
        if match and 0 <= observation["hour"] - _hour(at) <= LATE_H and not _is_day_off(match[2], observation):
            return Errand(at, match[1], match[2])
    return None


def keep(errand: Errand, observation: Mapping[str, Any]) -> str:
    """Return the cell that goes where the errand is, or does it there and strikes it off the plan."""
    at, what, where = errand
    if observation["here"] is not None and observation["here"]["name"] == where:
        return f'me.note("{_without_quotes(what)}")\ndel me.plan["{at}"]\n{_act_here(observation)}'.rstrip()
    if where in (observation["me"]["home"], observation["me"]["workplace"]):
        return f"# {at}: {what}\nme.go({where})"
    return (
        f"# {at}: {what}\nif {where}.is_open:\n    me.go({where})\n"
        f'else:\n    me.note(f"{{{where}.title}} is closed: another day.")\n    del me.plan["{at}"]'
    )


def _act_here(observation: Mapping[str, Any]) -> str:
    """Return what one does in the place one is in; nothing if it cannot be done now."""
    me, here = observation["me"], observation["here"]
    begins_h, ends_h = me["shift"]
    if here["name"] == me["workplace"] and begins_h <= observation["hour"] < ends_h:
        return "me.work()"
    is_shut = here["sign"].startswith("closed") and here["name"] != me["home"]
    return "" if is_shut or here["price_cents"] > me["money_cents"] else DEEDS.get(here["use"], "")


def _is_day_off(place: str, observation: Mapping[str, Any]) -> bool:
    me = observation["me"]
    return place == me["workplace"] and observation["weekday"] >= 5 and not me["works_weekends"]


def _hour(at: str) -> float:
    """Return the hour of the day of a text such as "18:30"; one that never comes if it is none."""
    match = re.fullmatch(r"(\d\d):(\d\d)", at)
    return int(match[1]) + int(match[2]) / 60 if match else float("inf")


def _without_quotes(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")
