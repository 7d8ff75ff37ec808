"""Reflection: the memories a model is shown, and what it concludes from them (Park et al. 2023, §4.2).

In one step, from the latest memories; or in two, as the paper does: which questions can be answered from the latest,
then what follows from the memories that each question brings to mind. A conclusion points at its evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cave_sim.agents.prompts.wording import quoted
from cave_sim.session.row import Row

CONCLUSIONS, OPINIONS = 3, 4  # at most so many are taken from one reply
QUESTIONS = 3
_LISTED = re.compile(r"\s*(?:[-*]\s+|\d+[.)]\s+)?(\S.*\?)\s*")
_CONCLUSION = re.compile(r"\s*(?:[-*]\s+|\d+[.)]\s+)?(\S.*?)\s*\(because of ([\d,\sand]+)\)\.?\s*")
_OPINION = re.compile(r"\s*(?:[-*]\s+)?about (\w+):\s*(\S.*?)\s*", re.IGNORECASE)


def numbered(rows: Sequence[Row], when: Callable[[Row], str]) -> str:
    """Return memories as numbered lines."""
    return "\n".join(f"{number}. {when(row)} {quoted(row.text)}" for number, row in enumerate(rows, start=1))


def questions(reply: str) -> list[str]:
    """Return the questions of a reply, one a line; what is no question is left out."""
    listed = [match[1][:300] for line in reply.splitlines() if (match := _LISTED.fullmatch(line))]
    return list(dict.fromkeys(listed))[:QUESTIONS]


def conclusions(reply: str, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield what a reply concludes, ready to be committed: thoughts with their reasons, and opinions of people.

    Reasons that do not number a memory, and lines of neither form, are ignored.
    """
    thoughts, opinions = 0, 0
    for line in reply.splitlines():
        if (match := _CONCLUSION.fullmatch(line)) and thoughts < CONCLUSIONS:
            thoughts += 1
            numbers = [int(number) for number in re.findall(r"\d+", match[2])]
            because = [rows[number - 1].id for number in numbers if 1 <= number <= len(rows)]
            yield {"text": match[1][:300], "importance": 7, "of": "thought", "because": because}
        elif (match := _OPINION.fullmatch(line)) and opinions < OPINIONS:
            opinions += 1
            yield {"text": match[2][:300], "importance": 6, "of": "person", "about": [match[1]]}
