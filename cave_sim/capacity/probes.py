"""The probes of a calibration: a window filled so far, a text wanted so long, and what came of it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from cave_sim.capacity.output_capacity import Occupancy
from cave_sim.capacity.stalls import Outcome, outcome_of
from cave_sim.models.base import Key, Message, ModelError, Reply, Request
from cave_sim.models.client import Answer
from cave_sim.models.tokens import TokenCounter

ASKED = re.compile(r"from 1 to (\d+), one on each line")
TASK = "Write the whole numbers from 1 to {last}, one on each line, and nothing else: no words, no code."
NOTE = "Notes from earlier work follow. You need none of them."
ENOUGH = 0.95
"""The share of the numbers that a whole answer has; small models skip one now and then."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question of a calibration, and what came of it.

    Attributes:
        occupancy: of the window, before the answer.
        asked_tokens: of the answer that was wanted.
        written_tokens: of the one that came.
        outcome: what became of it; ``truncated`` also if it broke off by itself.
    """

    occupancy: Occupancy
    asked_tokens: int
    written_tokens: int
    outcome: Outcome


def numbers(last: int) -> str:
    """Return the text that a probe wants: the numbers from 1 on, a line each."""
    return "\n".join(map(str, range(1, last + 1)))


def last_number(tokens: int, counter: TokenCounter) -> int:
    """Return up to which number one has to write so that it comes to so many tokens, or a few less; at least 1."""
    low, high = 1, max(2, 3 * tokens)
    while low < high:
        middle = (low + high + 1) // 2
        if counter(numbers(middle)) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def question(used_tokens: int, last: int, counter: TokenCounter, attempt: int = 0) -> Request:
    """Return a request that fills a window so far and wants the numbers up to one; as near as the counter counts."""
    task = Message("user", TASK.format(last=last))
    bare = Request((Message("system", NOTE), task))
    missing = used_tokens - counter.of_request(bare)
    filler = _filler(missing, counter) if missing > 0 else ""
    messages = (Message("system", f"{NOTE}\n{filler}".rstrip()), task)
    return Request(messages, key=Key(run="calibration", agent="calibration", attempt=attempt))


def came_of(answer: Answer, last: int, asked_tokens: int, window_tokens: int, used_tokens: int) -> Probe:
    """Return the probe that an answer ends; raises ModelError if there was none.

    How full the window was is what the provider counted, where it did.
    """
    if not isinstance(answer, Reply):
        if isinstance(answer, ModelError):
            raise answer
        raise ModelError("refused", str(answer))
    outcome = outcome_of(answer)
    if outcome in ("complete", "truncated"):
        numbers = {int(each) for each in re.findall(r"\d{1,9}", answer.text)}
        there = len(numbers.intersection(range(1, last + 1)))
        is_whole = last in numbers and there >= math.floor(ENOUGH * last)
        outcome = "complete" if is_whole else "truncated"
    usage = answer.usage
    used = min(window_tokens, usage.prompt_tokens or used_tokens)
    return Probe(Occupancy(window_tokens, used), asked_tokens, usage.completion_tokens, outcome)


def script(request: Request) -> str:
    """Answer a probe as it wants to be answered: the script of a model that can count."""
    match = ASKED.search(request.messages[-1].text)
    return numbers(int(match[1])) if match else ""


def _filler(tokens: int, counter: TokenCounter) -> str:
    line = "reading {:06d}: the level was normal and nothing had to be done about it\n"
    per_line = max(1, counter(line.format(123456)))
    return "".join(line.format(number) for number in range(max(1, tokens // per_line)))
