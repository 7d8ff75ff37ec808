"""The scripted language model of interviews: it answers from what stands in its prompt, and lives as ever otherwise."""

import re
from typing import Any

from cave_sim.agents import script
from cave_sim.agents.reading import seen_in, texts_after
from cave_sim.llm_agent.interview import FRAME
from cave_sim.models import Request

_ASKED = re.compile(re.escape(FRAME.partition("{question}")[0]) + r'"(.*)"$', re.MULTILINE)


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    prompt = "\n".join(message.text for message in request.messages if message.role != "assistant")
    questions = _ASKED.findall(prompt)
    return _answer(questions[-1].lower(), prompt) if questions else script.reply(request)


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
    memories = texts_after(r"You remember, \w{3} \d\d:\d\d", prompt)
    return f"What comes to mind: {memories[-1]}" if memories else "I cannot say."


def _plan(observation: dict[str, Any]) -> str:
    lines = [f"at {at} I mean to {what}" for at, what in observation["plan"].items()]
    intentions = "; ".join(lines)
    return f"{intentions[0].upper()}{intentions[1:]}." if intentions else "I have no plans."


def _mood(me: dict[str, Any]) -> str:
    return "well" if me["mood"] > 0.6 else "all right" if me["mood"] > 0.4 else "bad"
