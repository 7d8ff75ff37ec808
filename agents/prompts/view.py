"""An observation as short lines: who one is, what one knows, what is new, and how things stand now.

What others wrote, and what things are called, stands in quotation marks. The size follows what is seen, not the world.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from cave_sim.llm_agent.feedback import quote

QUOTED_CHARS = 240
SHOWN = frozenset("time hour weekday me weather here near places heard plan news diary".split())
"""The parts of an observation that have lines of their own; others are shown as they are."""

Observation = Mapping[str, Any]


def identity(me: Observation) -> str:
    """Return who the resident is, in a few sentences that stay the same."""
    is_working = me["workplace"] and me["shift"][0] != me["shift"][1]
    days = "every day" if me["works_weekends"] else "Monday to Friday"
    shift = f", {clock(me['shift'][0])}-{clock(me['shift'][1])}, {days}" if is_working else ""
    return " ".join(
        [
            f"You are {said(me['title'])} ({named(me['name'])}), {me['age']}, {word(me['job'] or 'at home')}:",
            f"{', '.join(map(word, me['traits'])) or 'like anyone'}.",
            *([f"About you: {said(me['biography'], 600)}."] if me.get("biography") else []),
            f"Home: {named(me['home'])}." if me["home"] else "",
            f"Workplace: {named(me['workplace'])}{shift}." if me["workplace"] else "",
            f"Awake {clock(me['wakes_h'])}-{clock(me['sleeps_h'])}.",
        ]
    ).replace("  ", " ")


def now(observation: Observation, heard_from: int = 0, *, diary: bool = True) -> list[str]:
    """Return how things stand now.

    Args:
        observation: the observation.
        heard_from: what was heard from this line on is new.
        diary: whether to show the diary.
    """
    lines = [_self(observation["me"]), *_surroundings(observation), *_plan(observation)]
    for position, line in enumerate(observation.get("heard", ())):
        lines.append(f"{'Heard just now' if position >= heard_from else 'Heard'}: {said(line)}")
    lines += [f"Diary: {said(line)}" for line in observation.get("diary", ()) if diary]
    lines += [f"{named(name)}: {_data(value)}" for name, value in observation.items() if name not in SHOWN]
    return lines


def new(observation: Observation, last_look: Observation) -> list[str]:
    """Return what has changed since the last look; see :func:`look`."""
    lines = []
    here, was_here = _name_of(observation.get("here")), last_look.get("here", "")
    if here != was_here:
        lines.append(f"You are at {named(here)} now." if here else "You are out on the street now.")
    near = [other["name"] for other in observation.get("near", ())]
    before = last_look.get("near", ()) if here == was_here else ()
    lines += [f"{named(name)} has come." for name in near if name not in before and here == was_here]
    lines += [f"{named(name)} has left." for name in before if name not in near]
    sky = observation.get("weather", {}).get("kind", "")
    if last_look.get("sky") and sky != last_look["sky"]:
        lines.append(f"The weather has changed from {last_look['sky']} to {sky}.")
    notices = since(observation.get("news", ()), last_look.get("news", ""))
    return lines + [f"On the notice board: {said(line)}" for line in notices]


def look(observation: Observation) -> dict[str, Any]:
    """Return what one must remember of an observation, so that the next can leave out what is the same."""
    return {
        "here": _name_of(observation.get("here")),
        "near": [other["name"] for other in observation.get("near", ())],
        "sky": observation.get("weather", {}).get("kind", ""),
        "heard": list(observation.get("heard", ())),
        "news": (list(observation.get("news", ())) or [""])[-1],
    }


def slid(lines: Iterable[str], window: Iterable[str]) -> list[str]:
    """Return the lines that are new where one sees the latest few, and saw those of ``window`` before.

    What somebody says may be word for word what they said before, so it takes all of the lines to tell. Where the same
    few lines fill the window again and again, they are no news: a talk in circles ends.
    """
    new, old = list(lines), list(window)
    known = next(size for size in range(min(len(new), len(old)), -1, -1) if old[len(old) - size :] == new[:size])
    return new[known:]


def since(lines: Iterable[str], last: str) -> list[str]:
    """Return the lines after the last one that is known; all of them if it is not among them."""
    all_lines = list(lines)
    return all_lines[len(all_lines) - all_lines[::-1].index(last) :] if last in all_lines else all_lines


@lru_cache(maxsize=16_384)
def said(text: str, limit_chars: int = QUOTED_CHARS) -> str:
    """Return what others may have written, in quotation marks."""
    return quote(text, limit_chars=limit_chars)


def word(text: str) -> str:
    """Return a word or two, such as a job or a kind of place, as it is; whatever else it is, in quotation marks."""
    is_plain = text.replace(" ", "").replace("_", "").isalpha() and len(text) < 24
    return text if is_plain and text.islower() else titled(text)


def named(name: str) -> str:
    """Return a name as cells write it; a name that is not an identifier is quoted, because it may be any text."""
    return name if name.isidentifier() else titled(name)


@lru_cache(maxsize=16_384)  # places keep their titles, and are seen again and again
def titled(text: str) -> str:
    """Return a title, or what a sign says, in quotation marks."""
    return quote(text, limit_chars=60)


def clock(hour: float) -> str:
    """Return an hour of the day as text: 7.5 is 07:30, 26 is 02:00."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _self(me: Observation) -> str:
    activity = me["activity"] + (f" for {me['busy_minutes']} more minutes" if me["busy_minutes"] else "")
    before = f", {me['did']} before" if me["did"] else ""
    needs = f"hunger {me['hunger']:.2f}, energy {me['energy']:.2f}, mood {me['mood']:.2f}"
    destination = f"; on the way to {named(me['going_to'])}" if me["going_to"] else ""
    belongings = f"; belongings {_data(me['belongings'])}" if me["belongings"] else ""
    return f"You: {activity}{before}{destination}; {needs}; {_euros(me['money_cents'])}{belongings}"


def _surroundings(observation: Observation) -> list[str]:
    if "weather" not in observation:
        return []
    weather = observation["weather"]
    sky = f"Weather: {weather['kind']}, {weather['temperature_c']} degC, {weather['precipitation_mm']} mm/h"
    others = [
        f"{named(other['name'])} {titled(other['title'])} {other['activity']}, knows you {other['knows']:.2f}"
        for other in observation["near"]
    ]
    return [
        sky,
        _here(observation["here"]),
        f"With you: {'; '.join(others) or 'nobody'}",
        _places(observation["places"]),
    ]


def _places(places: Iterable[Observation]) -> str:
    """Return the nearest place of each use, and the next where that one is here, or may be closed."""
    groups: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda each: (each["distance_m"], each["name"])):
        use = f"{place['use']} {place['sells']}".rstrip()
        found = groups.setdefault(use, [])
        if not found or (len(found) == 1 and (found[0].endswith(" 0") or '"' in found[0])):
            sign = f" {titled(place['hours'])}" if place["hours"] else ""
            found.append(f"{named(place['name'])} {place['distance_m']:.0f}{sign}")
    told = "; ".join(f"{use}: {', '.join(lines)}" for use, lines in groups.items())
    return f"Metres to: {told or 'nowhere'}"


def _here(here: Observation | None) -> str:
    if here is None:
        return "Here: the street"
    kind = f"{word(here['kind'])}, {here['use']}" + (f", sells {here['sells']}" if here["sells"] else "")
    price = f", {_euros(here['price_cents'])}" if here["price_cents"] else ""
    full = f"{here['guests']} of {here['capacity']} inside"
    title, sign = titled(here["title"]), titled(here["sign"])
    return f"Here: {named(here['name'])} {title} ({kind}), sign {sign}{price}, {full}"


def _plan(observation: Observation) -> list[str]:
    lines = [f"{at} {said(what)}" for at, what in observation.get("plan", {}).items()]
    return [f"Plan: {'; '.join(lines) or 'nothing'}"] if "plan" in observation else []


def _name_of(here: Observation | None) -> str:
    return here["name"] if here else ""


def _euros(cents: int) -> str:
    return f"{cents / 100:.2f} EUR"


def _data(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
