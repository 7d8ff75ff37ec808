"""The scripted language model of this study: residents as ever; asked, they look for what they were told.

It reads the prompt and nothing else, and chooses the option whose words stand nearest to those of the question there.
What it scores says that questions, recall and checks work, and nothing about any language model.
"""

import re
from typing import Any
from unicodedata import normalize

from cave_sim.agents.reading import seen_in, told_now
from cave_sim.models import Request
from cave_sim.simulations import scripted_model
from cave_sim.simulations.believability.questions import BUSY, FREE, NO, YES
from cave_sim.survey.asking import FRAME

_ASKED = re.compile(re.escape(FRAME.partition("{question}")[0]) + r'"(.*)"\n.*nothing else: (.*)$', re.MULTILINE)
_PRICE = re.compile(r"for (\d+) EUR")
_WORD = re.compile(r"\d\d:\d\d|[^\W_]+")
_SMALL = frozenset(
    "a an and at did do for in is it of on or that the this to was were what when where with you".split()
)


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    prompt = "\n".join(told_now(request))
    asked = _ASKED.findall(prompt)
    if not asked:
        return scripted_model.reply(request)
    question, options = asked[-1]
    seen: dict[str, Any] = seen_in(prompt)
    if FREE in options:
        return BUSY if any(at in question for at in seen["plan"]) else FREE
    if match := _PRICE.search(question):
        return YES if 100 * int(match[1]) <= seen["me"]["money_cents"] else NO
    lines = [set(_words(line)) for line in prompt.partition(FRAME.partition("{question}")[0])[0].splitlines()]
    choices: list[str] = sorted(options.split(" | "))
    return max(choices, key=lambda option: _support(lines, question, option))


def _support(lines: list[set[str]], question: str, option: str) -> float:
    """Return how much speaks for an option: lines that share words with it, more so if with the question as well."""
    of_question, of_option = set(_words(question)), set(_words(option))
    shares = ((len(line & of_option) / max(1, len(of_option)), len(line & of_question)) for line in lines)
    return sum(share * (1 + beside) for share, beside in shares if share > 0.5)


def _words(text: str) -> list[str]:
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()  # names of code have no accents
    return [word for word in _WORD.findall(plain) if word not in _SMALL]
