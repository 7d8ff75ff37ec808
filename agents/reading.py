"""What a scripted model understands of a prompt: the lines of `prompts.view`, read back. It sees nothing else."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from cave_sim.agents.mind import WEEKDAYS, hour_of
from cave_sim.agents.prompts.heard import TEXT, heard_in
from cave_sim.agents.prompts.wording import title_of
from cave_sim.models import Request, Untold

WORD = r"(?:[^\W\d]|[_ ])+"
"""A word or two as :func:`agents.prompts.wording.word` shows it: letters of any language, without quotation marks."""
_WHO = re.compile(rf"^You are (\w+)(?: ({TEXT}))?, (\d+), ({TEXT}|{WORD}): (.*?)\.(?: |$)(.*)", re.MULTILINE)
_HOME, _SLEEP = re.compile(r"Home: (\w+)\."), re.compile(r"Awake (\d\d:\d\d)-(\d\d:\d\d)\.")
_WORK = re.compile(r"Workplace: (\w+)(?:, (\d\d:\d\d)-(\d\d:\d\d), (every day|weekdays))?\.")
_USE = re.compile(r"([a-z]+)(?: (\w+))?: ")
_HOURS = r"\d\d:\d\d-\d\d:\d\d|always open|closed(?: until (?:\w{3} )?\d\d:\d\d)?"
_PLACE = re.compile(rf"(\w+) (\d+)(?: ({TEXT}|{_HOURS}))?(?:, |; |$)")
_SELF = re.compile(
    r"^You: (\w+)(?: (\d+) min more)?(?:, after ([\w ]+))?(?:; on the way to [^;]+)?(?:; hunger (\d+))?"
    r"(?:[,;] energy (\d+))?(?:[,;] mood (\d+))?(?: of 100)?(?:; ([\d.]+) EUR)?(?:; (.+))?$",
    re.MULTILINE,
)
_OWNED = re.compile(rf"({TEXT}|{WORD}) (\d+)(?:, |$)")
_WEATHER = re.compile(r"^Weather: (\w+), (-?[\d.]+) degC(?:, ([\d.]+) mm/h)?$", re.MULTILINE)
_HERE = re.compile(
    rf"^Here: (\w+)(?: ({TEXT}))?(?: \((?:(?:{TEXT}|{WORD}), )?(\w+)(?:, sells (\w+))?\)"
    rf"(?:, ({TEXT}|{_HOURS}|until \d\d:\d\d))?(?:, ([\d.]+) EUR)?(?:, crowded)?)?$",
    re.MULTILINE,
)
_DOING = re.compile(r"(\w+): ")
_OTHER = re.compile(rf"(\w+)(?: ({TEXT}))?(?: (\d+)(?: {TEXT})?)?(?:, |; |$)")
_PARK = re.compile(r"(\w+)(?: (\d+))?(?:, |$)")
_REMEMBERED = re.compile(rf"(?:\w{{3}} )?\d\d:\d\d ({TEXT})")
_PLANNED = re.compile(rf"(\d\d:\d\d) ({TEXT})")
_HOUR = re.compile(r"^\d\d:\d\d ")
_CLOCK = re.compile(r"^It is (\w{3}) (?:.* )?(\d\d:\d\d)\.$", re.MULTILINE)
_RESULT = re.compile(r"^(?:<(?:output|beginning_of_output|error|refusal)>$|Your (?:cell|reply) )", re.MULTILINE)
"""What the result of a cell, and no task, is told by."""


def told_now(request: Request) -> list[str]:
    """Return the texts that tell what is to be done now: the front, the latest task, and what came of cells since.

    Whatever history a request repeats between the front and that task is over.
    """
    messages = [message for message in request.messages if message.role != "system"]
    results = [_RESULT.search(message.text) is not None for message in messages]
    begun = max((at for at, message in enumerate(messages) if message.role == "user" and not results[at]), default=0)
    front = [message.text for message in request.messages if message.role == "system"]
    return [*front, *(message.text for message in messages[begun:] if message.role != "assistant")]


def seen_in(prompt: str) -> dict[str, Any]:
    """Return the observation that a prompt tells, as far as the scripted urges need it.

    Raises:
        Untold: it does not say who one is, or what time it is.
    """
    weekday, hour = _time(prompt)
    sky = _WEATHER.search(prompt)
    weather = sky.groups() if sky else ("cloudy", "15", "0")
    town = _town(prompt)
    board = town["town"]["announcements"] if town else []
    return {
        "hour": hour_of(hour) or 0.0,
        "weekday": WEEKDAYS.index(weekday),
        "time": f"{weekday} {hour}",
        "me": _who(prompt) | _self(prompt),
        "weather": {"kind": weather[0], "temperature_c": float(weather[1]), "precipitation_mm": float(weather[2] or 0)},
        "here": _here(prompt),
        "near": list(_others(prompt)),
        "places": list(_places(prompt)),
        "heard": heard_in(prompt),
        "plan": {at: json.loads(what) for at, what in _PLANNED.findall(_line("Plan", prompt))},
        "news": [*memories_in(prompt), *texts_after("On the notice board", prompt), *board],
        "diary": [],
    } | town


def hour_told(prompt: str) -> str:
    """Return the latest time of day that a prompt tells, such as ``08:10``; raises Untold if it tells none."""
    return _time(prompt)[1]


def _time(prompt: str) -> tuple[str, str]:
    times = _CLOCK.findall(prompt)
    if not times:
        raise Untold("I am not told what time it is.")
    weekday, hour = times[-1]
    return weekday, hour


def memories_in(prompt: str) -> list[str]:
    """Return what comes to mind, oldest first."""
    return [json.loads(text) for text in _REMEMBERED.findall(_line("Memories", prompt))]


def texts_after(label: str, prompt: str) -> list[str]:
    """Return the texts in quotation marks behind a label, line by line; the label is a pattern."""
    return [json.loads(text) for text in re.findall(rf"^{label}: ({TEXT})$", prompt, re.MULTILINE)]


def _line(label: str, prompt: str) -> str:
    lines = re.findall(rf"^{label}: (.*)$", prompt, re.MULTILINE)
    return str(lines[-1]) if lines else ""


def _town(prompt: str) -> dict[str, Any]:
    """Return what a mayor is told of the town; nothing for those who answer for none."""
    board = re.search(rf"^Notice board: ((?:{TEXT}(?:; )?)+|empty)$", prompt, re.MULTILINE)
    if board is None:
        return {}
    read: dict[str, dict[str, str]] = {"parks": {}, "shelters": {}}
    for key, states in read.items():
        for group in filter(None, _line(key.title(), prompt).split("; ")):
            how, _, names = group.partition(": ")
            states.update({name: f"{how}, {guests or 0} inside" for name, guests in _PARK.findall(names)})
    notices = [json.loads(text) for text in re.findall(TEXT, board[1])]
    weekday, _ = _time(prompt)
    return {"town": {**read, "announcements": [_HOUR.sub(rf"{weekday} \g<0>", notice) for notice in notices]}}


def _who(prompt: str) -> dict[str, Any]:
    match = _WHO.search(prompt)
    if match is None:
        raise Untold("I am not told who I am.")
    home, sleep, work = _HOME.search(match[6]), _SLEEP.search(match[6]), _WORK.search(match[6])
    wakes_h, sleeps_h = (hour_of(part) or 0.0 for part in (sleep.groups() if sleep else ("07:00", "23:00")))
    starts_h, ends_h = (hour_of(part or "") or 0.0 for part in (work.groups()[1:3] if work else ("", "")))
    return {
        "name": match[1],
        "title": _text(match[2]) if match[2] else title_of(match[1]),
        "age": int(match[3]),
        "job": _text(match[4]),
        "traits": [_text(part) for part in match[5].split(", ")],
        "home": home and home[1],
        "workplace": work and work[1],
        "works_weekends": work is not None and work[4] == "every day",
        "shift": [starts_h, ends_h + 24 * (ends_h < starts_h)],
        "wakes_h": wakes_h,
        "sleeps_h": sleeps_h + 24 * (sleeps_h < wakes_h),
    }


def _self(prompt: str) -> dict[str, Any]:
    matches = _SELF.findall(prompt)
    activity, minutes, did, hunger, energy, mood, euros, belongings = (
        matches[-1] if matches else ("", "", "", 0, 100, 100, "", "")
    )
    return {
        "activity": activity,
        "busy_minutes": int(minutes or 0),
        "did": did,
        "hunger": int(hunger or 0) / 100,
        "energy": int(energy or 100) / 100,
        "mood": int(mood or 100) / 100,
        "money_cents": _cents(euros),
        "belongings": {_text(what): int(count) for what, count in _OWNED.findall(belongings or "")},
    }


def _here(prompt: str) -> dict[str, Any] | None:
    match = _HERE.search(prompt)
    if match is None:
        return None
    name, title, use, sells, sign, euros = match.groups()
    title_text = json.loads(title) if title else title_of(name)
    place = {"name": name, "title": title_text, "use": use or "", "sells": sells or "", "sign": _text(sign or "")}
    return place | {"price_cents": _cents(euros)}


def _others(prompt: str) -> Iterator[dict[str, Any]]:
    """Yield those of a line such as ``talking: ann 40, bob; eating: cem``, or ``ann 40, bob``."""
    line, at, activity = _line("With you, closeness", prompt), 0, ""
    while at < len(line):
        if group := _DOING.match(line, at):
            activity, at = group[1], group.end()
        elif other := _OTHER.match(line, at):
            name, title, knows = other.groups()
            title_text = json.loads(title) if title else title_of(name)
            yield {"name": name, "title": title_text, "activity": activity, "knows": int(knows or 0) / 100}
            at = other.end()
        else:
            return


def _places(prompt: str) -> Iterator[dict[str, Any]]:
    """Yield the places of a line such as ``coffee: cafe_java 80 "07:30-19:00", ekberg 120; park: esplanadi 300``."""
    line, at, use, sells = _line("Metres to", prompt), 0, "", ""
    while at < len(line):
        if group := _USE.match(line, at):
            use, sells, at = group[1], group[2] or "", group.end()
        elif place := _PLACE.match(line, at):
            name, metres, sign = place.groups()
            about = {"name": name, "title": title_of(name), "use": use, "sells": sells}
            yield about | {"hours": _text(sign or ""), "distance_m": float(metres)}
            at = place.end()
        else:
            return


def _text(text: str) -> str:
    parse: Callable[[str], str] = json.loads if text.startswith('"') else str
    return parse(text)


def _cents(euros: str | None) -> int:
    return round(float(euros or 0) * 100)
