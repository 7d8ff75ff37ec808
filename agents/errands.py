"""Errands: lines of a plan such as "read about balloons at library", and the cells that keep them.

Nothing is kept from one step to the next: the plan is in the world, and an errand that was run is struck off it.
"""

import re
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


def meetings(seen: dict[str, Any]) -> dict[str, str]:
    """Return the lines of the plan that are no habits; those are what other scripted residents make plans of."""
    return {at: line for at, line in seen.get("plan", {}).items() if not re.fullmatch(ERRAND, line)}


def due(seen: dict[str, Any]) -> Errand | None:
    """Return the errand whose hour it is; None for those who sleep, walk or have none now."""
    if seen["me"]["activity"] in ("sleeping", "walking"):
        return None
    for at, line in sorted(seen["plan"].items()):
        found = re.fullmatch(ERRAND, line)
        if found and 0 <= seen["hour"] - _hour(at) <= LATE_H and not _is_day_off(found[2], seen):
            return Errand(at, found[1], found[2])
    return None


def keep(errand: Errand, seen: dict[str, Any]) -> str:
    """Return the cell that goes where the errand is, or does it there and strikes it off the plan."""
    at, what, where = errand
    if seen["here"] is not None and seen["here"]["name"] == where:
        return f'me.note("{_quoted(what)}")\ndel me.plan["{at}"]\n{_deed(seen)}'.rstrip()
    if where in (seen["me"]["home"], seen["me"]["workplace"]):
        return f"# {at}: {what}\nme.go({where})"
    return (
        f"# {at}: {what}\nif {where}.is_open:\n    me.go({where})\n"
        f'else:\n    me.note(f"{{{where}.title}} is closed: another day.")\n    del me.plan["{at}"]'
    )


def _deed(seen: dict[str, Any]) -> str:
    """Return what one does in the place one is in; nothing if it cannot be done now."""
    me, here = seen["me"], seen["here"]
    begins_h, ends_h = me["shift"]
    if here["name"] == me["workplace"] and begins_h <= seen["hour"] < ends_h:
        return "me.work()"
    is_shut = here["sign"].startswith("closed") and here["name"] != me["home"]
    return "" if is_shut or here["price_cents"] > me["money_cents"] else DEEDS.get(here["use"], "")


def _is_day_off(place: str, seen: dict[str, Any]) -> bool:
    me = seen["me"]
    return place == me["workplace"] and seen["weekday"] >= 5 and not me["works_weekends"]


def _hour(at: str) -> float:
    """Return the hour of the day of a text such as "18:30"; one that never comes if it is none."""
    found = re.fullmatch(r"(\d\d):(\d\d)", at)
    return int(found[1]) + int(found[2]) / 60 if found else float("inf")


def _quoted(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")
