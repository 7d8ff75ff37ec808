"""An observation as short lines: who one is, what one knows, what is new, and how things stand now.

What others wrote, and what things are called, stands in quotation marks. The size follows what is seen, not the world,
and what a name or a line beside it tells already is not told again.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cave_sim.agents.mind import hour_of
from cave_sim.agents.prompts.heard import hearing, is_of_today, shown
from cave_sim.agents.prompts.surroundings import surroundings
from cave_sim.agents.prompts.wording import QUOTED_CHARS, called, clock, euros, named, percent, quoted, word

TOMORROW_H = 6.0
"""How many hours after its hour a line of a plan is one for tomorrow: until then it may be planned anew."""
_STAMP = re.compile(r"^(?:\w{3} )?\d\d:\d\d (?=.)")
ALIKE_CHARS = 10
BIOGRAPHY_CHARS, MOST_BIOGRAPHY_CHARS, OLD_NOTICE_CHARS = 110, 180, 24
PLAN_AHEAD, AN_HOUR_H = 3, 1.0
"""How many lines of a plan to come are told, and for how long after their hour they count in a talk."""
HUNGRY, TIRED, SAD = 0.7, 0.25, 0.35
"""From where on a need presses, so that it counts in a talk."""
PURSE_CENTS = 1_000
"""From so much money on, cents are not counted."""
SHOWN = frozenset("time hour weekday me weather here near places heard plan news diary town".split())
"""The parts of an observation that have lines of their own; others are shown as they are."""

Observation = Mapping[str, Any]


def identity(me: Observation) -> str:
    """Return who the resident is, in a few sentences that stay the same."""
    is_working = me["workplace"] and me["shift"][0] != me["shift"][1]
    days = "every day" if me["works_weekends"] else "weekdays"
    shift = f", {clock(me['shift'][0])}-{clock(me['shift'][1])}, {days}" if is_working else ""
    return " ".join(
        [
            f"You are {called(me['name'], me['title'], exactly=True)}, {me['age']}, {word(me['job'] or 'at home')}:",
            f"{', '.join(map(word, me['traits'])) or 'like anyone'}.",
            *([f"{quoted(brief(me['biography']))}."] if me.get("biography") else []),
            f"Home: {named(me['home'])}." if me["home"] else "",
            f"Workplace: {named(me['workplace'])}{shift}." if me["workplace"] else "",
            f"Awake {clock(me['wakes_h'])}-{clock(me['sleeps_h'])}.",
        ]
    ).replace("  ", " ")


def brief(biography: str) -> str:
    """Return who one is and what one means to do: the sentences at the beginning that there is room for, and the last.

    The last alone where it and the first are long. `print(me.biography)` shows all of it.
    """
    sentences = re.split(r"(?<=[.!?]) +", biography.strip())
    first, last = sentences[:1], sentences[1:][-1:]
    if last and len(first[0]) + len(last[0]) > MOST_BIOGRAPHY_CHARS:
        return last[0]
    room = BIOGRAPHY_CHARS - sum(map(len, [*first, *last]))
    for sentence in sentences[1:-1]:
        if (room := room - len(sentence) - 1) < 0:
            break
        first.append(sentence)
    return " ".join([*first, *last])


def now(
    observation: Observation,
    heard_from: int = 0,
    *,
    diary: bool = True,
    plans: bool = False,
    answers: str = "",
    opinions: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Return how things stand now.

    Args:
        observation: the observation.
        heard_from: what was heard from this line on is new.
        diary: whether to show the diary.
        plans: whether a day is to be planned, so that opening hours count.
        answers: to whom nothing but an answer is asked for, so that neither sky nor town nor purse nor the way to
            anywhere counts, nor what others said before, nor a need that does not press; "" if one may do anything.
        opinions: name -> what one thinks of who is here.
    """
    around = surroundings(observation, plans=plans, answers=answers, opinions=opinions)
    lines = [_self(observation["me"], briefly=bool(answers)), *around]
    lines += _plan(observation, briefly=bool(answers), wholly=plans)
    lines += hearing(*_heard(observation, heard_from, answers))
    if "town" in observation and not answers:
        lines += town(observation, OLD_NOTICE_CHARS)
    lines += [f"Diary: {quoted(line)}" for line in observation.get("diary", ()) if diary]
    lines += [f"{named(name)}: {_data(value)}" for name, value in observation.items() if name not in SHOWN]
    return lines


def new(observation: Observation, last_look: Observation) -> list[str]:
    """Return what has changed since the last look, :func:`look`; that one is somewhere else now is told anyway.

    Without a last look, where one is and what stands on the board.
    """
    here, was_here = _name_of(observation.get("here")), last_look.get("here", "")
    lines = [] if last_look else [f"You are at {named(here)} now." if here else "You are out on the street now."]
    near = [other["name"] for other in observation.get("near", ())]
    before = last_look.get("near", ()) if here == was_here else ()
    lines += _moved("come", [name for name in near if name not in before and here == was_here])
    lines += _moved("left", [name for name in before if name not in near])
    sky = observation.get("weather", {}).get("kind", "")
    if last_look.get("sky") and sky != last_look["sky"]:
        lines.append(f"The weather has changed from {last_look['sky']} to {sky}.")
    notices = since(observation.get("news", ()), last_look.get("news", ""))
    return lines + [f"On the notice board: {quoted(line)}" for line in notices]


def heard_now(observation: Observation, heard_from: int, answers: str = "") -> list[str]:
    """Return what was heard that :func:`now` tells, as the world keeps it; the rest is to be remembered."""
    return [line for line, _ in shown(*_heard(observation, heard_from, answers))]


def _heard(
    observation: Observation, heard_from: int, answers: str
) -> tuple[Sequence[str], int, list[str], float, Mapping[str, str]]:
    near = [answers] if answers else [other["name"] for other in observation.get("near", ())]
    return observation.get("heard", ()), heard_from, near, observation.get("hour", 0.0), observation.get("plan", {})


def _moved(how: str, names: Sequence[str]) -> list[str]:
    return [f"{', '.join(map(named, names))} {'have' if len(names) > 1 else 'has'} {how}."] if names else []


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


def _self(me: Observation, *, briefly: bool = False) -> str:
    activity = me["activity"] + (f" {me['busy_minutes']} min more" if me["busy_minutes"] else "")
    before = f", after {me['did']}" if me["did"] and not me["busy_minutes"] else ""
    needs = {"hunger": me["hunger"] > HUNGRY, "energy": me["energy"] < TIRED, "mood": me["mood"] < SAD}
    felt = [f"{need} {percent(me[need])}" for need, presses in needs.items() if presses or not briefly]
    feelings = f"; {', '.join(felt)} of 100" if felt else ""
    destination = f"; on the way to {named(me['going_to'])}" if me["going_to"] else ""
    if briefly:
        return f"You: {activity}{before}{destination}{feelings}"
    owned = ", ".join(f"{word(what)} {count}" for what, count in me["belongings"].items() if count)
    belongings = f"; {owned}" if owned else ""
    cents = me["money_cents"] if me["money_cents"] < PURSE_CENTS else me["money_cents"] // 100 * 100
    return f"You: {activity}{before}{destination}{feelings}; {euros(cents)}{belongings}"


def town(observation: Observation, latest_chars: int = QUOTED_CHARS) -> list[str]:
    """Return what a mayor answers for: the board, today's older notices in short; parks and shelters while they count.

    Of older notices that begin alike the latest is told.

    They count while something is to be done about them: in the rain until all parks are closed and a shelter is open,
    in the dry until all parks are open, of which nothing is told then. Else they are told by name, with their guests.

    Args:
        observation: the observation.
        latest_chars: how much to tell of the latest notice; whoever is told what is new has read it.
    """
    seen, is_dry = observation["town"], not observation.get("weather", {}).get("precipitation_mm")
    parks = seen["parks"].values()
    if is_dry and all(state.startswith("open") for state in parks):
        lines = []
    else:
        is_done = bool(parks and seen["shelters"]) and all(state.startswith("closed") for state in parks)
        parts = {"Parks": "closed" if is_done and not is_dry else _public(seen["parks"])}
        parts["Shelters"] = _public(seen["shelters"])
        lines = [f"{what}: {states}" for what, states in parts.items() if states]
    *older, latest = seen["announcements"] or [""]
    today = observation.get("time", "")[:3]
    day = f"{today} "  # of today's, the hour tells enough
    recent = [line for line in older if is_of_today(line, today)]
    begins = [_STAMP.sub("", line)[:ALIKE_CHARS] for line in [*recent, latest]]
    board = [
        quoted(line.removeprefix(day), OLD_NOTICE_CHARS - len(day) * line.startswith(day))
        for at, line in enumerate(recent)
        if begins[at] not in begins[at + 1 :]
    ]
    return [*lines, f"Notice board: {'; '.join([*board, quoted(latest, latest_chars)]) if latest else 'empty'}"]


def _public(states: Mapping[str, str]) -> str:
    """Return places by whether they are open, of states such as ``open, 3 inside``."""
    groups: dict[str, list[str]] = {}
    for name, state in states.items():
        how, _, inside = state.partition(", ")
        guests = inside.removesuffix(" inside")
        groups.setdefault(how, []).append(named(name) if guests == "0" else f"{named(name)} {guests}")
    return "; ".join(f"{how}: {', '.join(names)}" for how, names in groups.items())


def _plan(observation: Observation, *, briefly: bool, wholly: bool = False) -> list[str]:
    """Return what of the plan was due lately, or is next; of the latter some lines, unless it is wanted wholly."""
    now_h = observation.get("hour", 0.0)
    hours = {at: hour_of(at) for at in observation.get("plan", {})}
    over_h = AN_HOUR_H if briefly else TOMORROW_H
    to_come = [at for at, hour in hours.items() if hour is None or now_h - hour < over_h]
    due = [at for at in to_come if not briefly and (hours[at] is None or hours[at] <= now_h)]
    if not wholly:
        to_come = [*due, *sorted(at for at in to_come if at not in due)[:PLAN_AHEAD]]
    lines = [f"{at} {quoted(observation['plan'][at])}" for at in to_come]
    return [f"Plan: {'; '.join(lines) or 'nothing'}"] if "plan" in observation else []


def _name_of(here: Observation | None) -> str:
    return here["name"] if here else ""


def _data(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
