"""Where one is, as lines of a prompt: the sky, the place, who is there, and what can be reached."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from cave_sim.agents.mind import is_known_closed
from cave_sim.agents.prompts.wording import called, euros, named, percent, quoted, titled, word

Observation = Mapping[str, Any]
BUSY = frozenset({"coffee", "meal"})
"""What one who is busy may leave for."""
DEAR = frozenset({"care", "shop book", "shop clothes", "shop gift"})
"""What costs more than there is in a thin purse."""
MEETING, FRIEND = frozenset({"coffee", "meal", "drinks"}), 0.4
"""Where one may arrange to meet somebody who is here, and how close they have to be for that."""
ALWAYS_OPEN = "always open"
_SIGN = re.compile(r"\d\d:\d\d-\d\d:\d\d|always open|closed(?: until (?:\w{3} )?\d\d:\d\d)?")
_HOURS = re.compile(r"\d\d:\d\d-(\d\d:\d\d)")
_CROWDED, PECKISH, STOCKED, TIRED, POOR_CENTS = 0.9, 0.4, 3, 0.35, 2_000


def surroundings(
    observation: Observation,
    *,
    plans: bool = False,
    answers: str = "",
    opinions: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield how things stand around a resident.

    Args:
        observation: what they see.
        plans: whether a day is to be planned: then they are told of all uses of places and when they open.
        answers: to whom nothing but an answer is asked for: then of no places, and how close that one is.
        opinions: name -> what they think of who is here.
    """
    if "weather" not in observation:
        return
    if not answers:
        yield sky(observation["weather"])
    at_work = not plans and observation["me"]["activity"] == "working"  # where one works one knows
    yield _here(observation["here"], briefly=bool(answers) or at_work)
    if observation["near"]:
        yield f"With you, closeness: {_others(observation['near'], opinions, answers)}"
    if not answers:
        yield f"Metres to: {(_all_places if plans else _near_places)(observation) or 'nowhere'}"


def sky(weather: Observation) -> str:
    """Return what the weather is like."""
    wet = f", {weather['precipitation_mm']} mm/h" if weather["precipitation_mm"] else ""
    return f"Weather: {weather['kind']}, {weather['temperature_c']:.0f} degC{wet}"


def _others(near: Iterable[Observation], opinions: Mapping[str, str], answers: str) -> str:
    """Return who is here by what they do, ``talking: ann 40 "a friend", bob; eating: cem``; of strangers no number.

    While one is answered, ``ann 40 "a friend", bob, cem``: who is awake, for these hear it, whatever they do.
    """
    groups: dict[str, list[str]] = {}
    for other in near:
        if answers and other["activity"] == "sleeping":
            continue
        opinion = opinions.get(other["name"], "")
        closeness = percent(other["knows"]) if answers in ("", other["name"]) else "0"
        about = [closeness] if closeness != "0" or opinion else []
        about += [quoted(opinion)] if opinion else []
        does = "" if answers else f"{other['activity']}: "
        groups.setdefault(does, []).append(" ".join([called(other["name"], other["title"]), *about]))
    return "; ".join(f"{does}{', '.join(people)}" for does, people in groups.items())


def _here(here: Observation | None, *, briefly: bool) -> str:
    if here is None:
        return "Here: the street"
    if briefly:
        return f"Here: {called(here['name'], here['title'])}"
    about = [here["use"] if here["use"] == here["kind"] else f"{word(here['kind'])}, {here['use']}"]
    about += [f"sells {here['sells']}"] if here["sells"] else []
    notes = ([_until(here["sign"])] if here["sign"] != ALWAYS_OPEN else []) + (
        [euros(here["price_cents"])] if here["price_cents"] else []
    )
    notes += ["crowded"] if here["guests"] >= _CROWDED * here["capacity"] else []
    return ", ".join([f"Here: {called(here['name'], here['title'])} ({', '.join(about)})", *notes])


def _until(text: str) -> str:
    """Return what the door of where one is says: until when it is open, if it is."""
    return f"until {hours[1]}" if (hours := _HOURS.fullmatch(text)) else sign(text)


def sign(text: str) -> str:
    """Return what a door says; in quotation marks if that is anything but hours."""
    return text if _SIGN.fullmatch(text) else titled(text)


def _near_places(observation: Observation) -> str:
    """Return the nearest place of each use that one may want now, or meet a friend who is here at, and not closed."""
    hour, weekday, wet = observation["hour"], observation["weekday"], observation["weather"]["precipitation_mm"] > 0
    useless, is_busy = _useless(observation["me"], is_wet=wet), bool(observation["me"]["busy_minutes"])
    wanted = MEETING if any(other["knows"] >= FRIEND for other in observation["near"]) else frozenset[str]()
    at = (observation["here"] or {}).get("name")
    open_places = [
        (use, place, "")
        for use, place in _by_distance(observation["places"])
        if (use in wanted or (use not in useless and (not is_busy or use in BUSY)))
        and place["name"] != at
        and not is_known_closed(place["hours"], hour, weekday)
    ]
    return _nearest(open_places)


def _useless(me: Observation, *, is_wet: bool) -> set[str]:
    """Return the uses of places that one has no need of, or cannot enjoy.

    Food if one is fed or has stores, a roof when it is dry and a park when it is wet, sport when one is tired, and what
    is dear without money.
    """
    useless = {"meal"} if me["hunger"] < PECKISH else set[str]()
    useless |= {"shop groceries"} if me["belongings"].get("groceries", 0) >= STOCKED else set()
    useless |= {"sport"} if me["energy"] < TIRED else set()
    useless |= DEAR if me["money_cents"] < POOR_CENTS else set()
    return useless | ({"park"} if is_wet else {"shelter"})


def _all_places(observation: Observation) -> str:
    """Return the nearest place of each use, and the next where that one may be closed, with the hours known."""
    return _nearest(
        [
            (use, place, f" {sign(place['hours'])}" if place["hours"] else "")
            for use, place in _by_distance(observation["places"])
        ]
    )


def _nearest(places: Iterable[tuple[str, Observation, str]]) -> str:
    """Return the first place of each use with its distance and hours, and the next if hours or nearness rule it out."""
    groups: dict[str, list[str]] = {}
    for use, place, hours in places:
        group = groups.setdefault(use, [])
        if not group or (len(group) == 1 and (group[0].count(" ") > 1 or group[0].endswith(" 0"))):
            group.append(f"{named(place['name'])} {place['distance_m']:.0f}{hours}")
    return "; ".join(f"{use}: {', '.join(lines)}" for use, lines in groups.items())


def _by_distance(places: Iterable[Observation]) -> Iterator[tuple[str, Observation]]:
    for place in sorted(places, key=lambda each: (each["distance_m"], each["name"])):
        yield f"{place['use']} {place['sells']}".rstrip(), place
