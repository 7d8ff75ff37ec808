"""What was heard, as lines of a prompt: what is new, and the talk with those who are here. The rest is remembered.

What one said to several in the same words is one line.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence

from cave_sim.agents.prompts.wording import said, title_of

JUST_NOW, BEFORE = "Heard just now", "Heard"
TEXT = r'"(?:[^"\\]|\\.)*"'
_OTHER = re.compile(r"(\d\d:\d\d) ([^:()]+) \((\w+)\): (.+)", re.DOTALL)
_OWN = re.compile(r"(\d\d:\d\d) you to (\w+): (.+)", re.DOTALL)
_STAMP = re.compile(r"^\w{3} \d\d:\d\d (?=.)")
_LINE = re.compile(rf"^(?:{JUST_NOW}|{BEFORE}): (?:(\d\d:\d\d) (?:you to ([\w, ]+)|(\w+)): )?({TEXT})$", re.MULTILINE)


def hearing(heard: Sequence[str], new_from: int, near: Collection[str]) -> Iterator[str]:
    """Yield the lines of a prompt for what was heard, oldest first.

    Args:
        heard: as the world keeps it: ``16:20 Ann Arb (ann_arb): Hello``, ``16:20 you to ann_arb: Hello``, or a notice.
        new_from: what was heard from this line on is new.
        near: who is here.
    """
    lines = [(place, line, _OWN.fullmatch(line), _OTHER.fullmatch(line)) for place, line in enumerate(heard)]
    shown = [each for each in lines if each[0] >= new_from or _is_of_talk(each[2], each[3], near)]
    last = {own[3]: place for place, _, own, _ in shown if own}
    told: dict[str, list[str]] = {}
    for place, line, own, other in shown:
        label = JUST_NOW if place >= new_from else BEFORE
        if own:
            names = told.setdefault(own[3], [])
            names += [own[2]] if own[2] not in names else []
            if last[own[3]] == place:
                yield f"{label}: {own[1]} you to {', '.join(names)}: {said(own[3])}"
        elif other and title_of(other[3]) == other[2]:
            yield f"{label}: {other[1]} {other[3]}: {said(other[4])}"
        else:
            yield f"{label}: {said(line)}"


def _is_of_talk(own: re.Match[str] | None, other: re.Match[str] | None, near: Collection[str]) -> bool:
    """Say whether words belong to a talk that may go on: with somebody who is here."""
    return (own[2] if own else other[3] if other else "") in near


def gist(memory: str) -> str:
    """Return a memory as one line of a prompt: of words their speaker by name, of a notice no second time."""
    if (own := _OWN.fullmatch(memory)) or ((own := _OTHER.fullmatch(memory)) and title_of(own[3]) == own[2]):
        return f"you to {own[2]}: {own[3]}" if "you to " in own[0][:13] else f"{own[3]}: {own[4]}"
    return _STAMP.sub("", memory)


def heard_in(prompt: str) -> list[str]:
    """Return what the lines of a prompt tell, as the world keeps it."""
    found: list[str] = []
    for at, to, by, text in _LINE.findall(prompt):
        words = json.loads(text)
        if to:
            found += [f"{at} you to {name}: {words}" for name in to.split(", ")]
        else:
            found.append(f"{at} {title_of(by)} ({by}): {words}" if by else words)
    return found
