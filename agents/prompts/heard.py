"""What was heard, as lines of a prompt: what is new, the talk with those who are here, and what names an hour to come.

The rest is remembered. The same words to several people, or by several, are one line.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from cave_sim.agents.mind import hour_of
from cave_sim.agents.prompts.wording import is_title_of, quoted, title_of

JUST_NOW, BEFORE = "Just heard", "Heard"
TEXT = r'"(?:[^"\\\n]|\\.)*"'
_OTHER = re.compile(r"(\d\d:\d\d) ([^:()]+) \((\w+)\): (.+)", re.DOTALL)
_OWN = re.compile(r"(\d\d:\d\d) you to (\w+): (.+)", re.DOTALL)
_HOUR = re.compile(r"\b\d\d:\d\d\b")
_NAMED = re.compile(r"^([^:()]+) \((\w+)\)")
TALK_H = 0.35
"""How long ago words may have been said and belong to a talk that goes on: two steps of ten minutes."""
LAST_WORDS = 2
"""How many words of such a talk are shown beside the new ones."""
_STAMP = re.compile(r"^\w{3} \d\d:\d\d (?=.)")
_LINE = re.compile(rf"^(?:{JUST_NOW}|{BEFORE}): (?:(\d\d:\d\d) (you to )?(\w+(?:, \w+)*): )?({TEXT})$", re.MULTILINE)


def hearing(
    heard: Sequence[str],
    new_from: int,
    near: Collection[str],
    hour: float,
    plan: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield the lines of a prompt for what was heard, oldest first.

    Args:
        heard: as the world keeps it: ``16:20 Ann Arb (ann_arb): Hello``, ``16:20 you to ann_arb: Hello``, or a notice.
        new_from: what was heard from this line on is new.
        near: who is here.
        hour: of the day, 0 to 24.
        plan: time of day -> what is to be done then; what is told there already need not be heard again.
    """
    lines: list[_Line] = []
    for line, is_new in shown(heard, new_from, near, hour, plan):
        own, other = _OWN.fullmatch(line), _OTHER.fullmatch(line)
        label = JUST_NOW if is_new else BEFORE
        if own:
            _say(lines, _Line(label, line[:5], True, [own[2]], own[3]))
        elif other and is_title_of(other[3], other[2]):
            _say(lines, _Line(label, line[:5], False, [other[3]], other[4]))
        else:
            lines.append(_Line(label, "", False, [], line))
    for each in lines:
        who = f"{each.at} {'you to ' * each.is_own}{', '.join(each.names)}: " if each.names else ""
        yield f"{each.label}: {who}{quoted(each.words)}"


class _Line(NamedTuple):
    """Words as a line of a prompt: of somebody, to somebody, or a notice without names."""

    label: str
    at: str
    is_own: bool
    names: list[str]
    words: str


def _say(lines: list[_Line], line: _Line) -> None:
    """Add words to the lines, as one with the same words to others or by others, if that turns no talk around.

    One's own words join those that are told already where nothing was said with their listener since, new or not: who
    gives a party says the same to everybody.
    """
    if line.is_own:
        for place in reversed(range(len(lines))):
            before = lines[place]
            if (before.is_own, before.words) == (True, line.words):
                lines[place] = before._replace(at=line.at, names=list(dict.fromkeys([*before.names, *line.names])))
                return
            if not set(line.names).isdisjoint(before.names):
                break
    merges = line.is_own or line.label == BEFORE
    same = (line.label, line.is_own, line.words)
    for place in reversed(range(len(lines) if merges else 0)):
        before = lines[place]
        later = {name for each in lines[place + 1 :] for name in each.names}
        if (before.label, before.is_own, before.words) == same and later.isdisjoint(before.names):
            del lines[place]
            line = line._replace(names=[*(name for name in before.names if name not in line.names), *line.names])
            break
    lines.append(line)


def shown(
    heard: Sequence[str],
    new_from: int,
    near: Collection[str],
    hour: float,
    plan: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, bool]]:
    """Return the lines of what was heard that a prompt shows, each with whether it is new.

    Beside what is new: the last words of a talk that goes on with those who are here, the very last one of an earlier
    talk, and whatever names an hour of today that is still to come, because an invitation counts until then: so one
    knows what one was asked, and whom one has asked. A meeting that stands in the plan is told there. The
    arguments are those of :func:`hearing`.
    """
    entries: list[tuple[str, bool]] = []
    talked: Counter[str] = Counter()
    for place in range(len(heard) - 1, -1, -1):
        line, is_new = heard[place], place >= new_from
        who, words = _exchange(line)
        last = LAST_WORDS if _age_h(line, hour) <= TALK_H else 1
        is_to_come = any((hour_of(named) or 0.0) >= hour for named in _HOUR.findall(words))
        if is_new or (is_to_come and not is_planned(line, plan)) or (who in near and talked[who] < last):
            entries.append((line, is_new))
        talked[who] += 1
    return entries[::-1]


def is_planned(line: str, plan: Mapping[str, str]) -> bool:
    """Say whether words arrange a meeting that stands in the plan, agreed or asked for, where it is told already."""
    who, words = _exchange(line)
    openings = (f"meet {who} at ", f"asked {who} to meet at ")
    return bool(who) and any(plan.get(at, "").startswith(openings) for at in _HOUR.findall(words))


def _exchange(line: str) -> tuple[str, str]:
    """Return with whom words were exchanged, and the words; "" and "" for a notice."""
    own, other = _OWN.fullmatch(line), _OTHER.fullmatch(line)
    return (own[2], own[3]) if own else (other[3], other[4]) if other else ("", "")


def _age_h(line: str, hour: float) -> float:
    """Return how many hours ago a line was heard."""
    return (hour - (hour_of(line[:5]) or 0.0)) % 24


def is_of_today(notice: str, now: str) -> bool:
    """Say whether a notice is not stamped with another day; the time begins with the weekday."""
    return _STAMP.match(notice) is None or notice[:3] == now[:3]


def gist(memory: str) -> str:
    """Return a memory as one line of a prompt: of words their speaker by name, of a notice no second time.

    A title that the name behind it tells is left out: ``Cafe Java (cafe_java) is closed`` is ``cafe_java is closed``.
    """
    if (own := _OWN.fullmatch(memory)) or ((own := _OTHER.fullmatch(memory)) and is_title_of(own[3], own[2])):
        return f"you to {own[2]}: {own[3]}" if "you to " in own[0][:13] else f"{own[3]}: {own[4]}"
    return _NAMED.sub(lambda match: match[2] if is_title_of(match[2], match[1]) else match[0], _STAMP.sub("", memory))


def heard_in(prompt: str) -> list[str]:
    """Return what the lines of a prompt tell, as the world keeps it."""
    lines: list[str] = []
    for at, to, names, text in _LINE.findall(prompt):
        words = json.loads(text)
        people = names.split(", ") if names else []
        lines += [f"{at} {to}{name if to else f'{title_of(name)} ({name})'}: {words}" for name in people] or [words]
    return lines
