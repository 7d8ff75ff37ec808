"""The scripted language model of residents: asked from outside, it answers; else it lives by its script."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.agents import script
from cave_sim.agents.reading import memories_in, seen_in, told_now
from cave_sim.models import Request, Untold
from cave_sim.survey.asking import FRAME

_ASKED = re.compile(re.escape(FRAME.partition("{question}")[0]) + r'"(.*)"\n(.*)$', re.MULTILINE)
_OPTIONS = re.compile(r"nothing else: (.*)$")
_SCALE = re.compile(r"whole number from (-?\d+) .* to (-?\d+) ")


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    prompt = "\n".join(told_now(request))
    asked = _ASKED.findall(prompt)
    if not asked:
        return script.reply(request)
    question, how = asked[-1]
    me = _feelings(prompt)
    for form, answer in FORMS.items():
        if match := form.search(how):
            return answer(match, me)
    if how.startswith("Answer with one "):
        return f"{100 * me['energy']:.0f}"
    return _answer(question.lower(), prompt) if me is not UNFELT else "I see to what is asked of me."


def _feelings(prompt: str) -> Mapping[str, Any]:
    """Return how one feels; evenly for who is told of no life of their own, as a meta-agent."""
    try:
        me: Mapping[str, Any] = seen_in(prompt)["me"]
    except Untold:
        return UNFELT
    return me


UNFELT: Mapping[str, Any] = {"mood": 0.5, "energy": 0.5}


def _option(match: re.Match[str], me: Mapping[str, Any]) -> str:
    """Choose by how one feels: the alphabetically first option when well, the last one when not."""
    options: list[str] = sorted(match[1].split(" | "))
    return options[0] if me["mood"] > 0.5 else options[-1]


def _point(match: re.Match[str], me: Mapping[str, Any]) -> str:
    """Agree as much as one feels well."""
    low, high = int(match[1]), int(match[2])
    return str(round(low + me["mood"] * (high - low)))


FORMS: dict[re.Pattern[str], Callable[[re.Match[str], Mapping[str, Any]], str]] = {_OPTIONS: _option, _SCALE: _point}


def _answer(question: str, prompt: str) -> str:
    """Return an answer to what the question seems to be about."""
    observation = seen_in(prompt)
    me = observation["me"]
    if re.search(r"\bwho\b|\bname\b|yourself", question):
        return f"I am {me['title']}, {me['age']}, {me['job'] or 'at home'}."
    if re.search(r"\bplan|\bnext\b|\bwill you\b|\btoday\b", question):
        return _plan(observation)
    if re.search(r"\bhow are\b|\bfeel", question):
        return f"I feel {_mood(me)}: hunger {me['hunger']:.2f}, energy {me['energy']:.2f}."
    memories = memories_in(prompt)
    return f"What comes to mind: {memories[-1]}" if memories else "I cannot say."


def _plan(observation: dict[str, Any]) -> str:
    lines = [f"at {at} I mean to {what}" for at, what in observation["plan"].items()]
    intentions = "; ".join(lines)
    return f"{intentions[0].upper()}{intentions[1:]}." if intentions else "I have no plans."


def _mood(me: Mapping[str, Any]) -> str:
    return "well" if me["mood"] > 0.6 else "all right" if me["mood"] > 0.4 else "bad"
