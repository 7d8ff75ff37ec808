"""The scripted roles: the owner, their assistant, the larger model, and the judge; each reads its prompt alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from cave_sim.agents.delegation import LARGER as LARGER_TOLD
from cave_sim.determinism.canonical_json import from_json
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.experiment.partner import STOP
from cave_sim.experiment.talk_judge import RULES
from cave_sim.llm_agent.tool_texts import DELEGATE, SELECT
from cave_sim.models import Request
from cave_sim.simulations.handset.scenarios import CLOUD, INTENTS, NOT_THEIRS, THANKS, Ask

GOAL = "You want this of the assistant, one thing after another, once it has asked what it is:"
QUESTION = re.compile(r'Which number did it get when I said "(.+)"\?')
NUMBER = r"\b([A-Z]{1,2}\d{4})\b"
"""How numbers look that the handset gives."""
CHARS_PER_TOKEN = 4
_ERROR = re.compile(r"error|cannot", re.IGNORECASE)
_EXPECTED = re.compile(r"^3\. Tools that it takes, in order: (.+)$", re.MULTILINE)
_TALK = re.compile(r"^4\. The talk, as JSON:\n(.+)$", re.MULTILINE)
_CALLED = re.compile(r'\{"name": "(\w+)", "arguments":')
_NUMBERED = re.compile(r"^\d+\. (.+)$", re.MULTILINE)


def reply(request: Request, asks: Iterable[Ask] = (), attends: int | None = None) -> str:
    """Return what the one who is asked says: which of them it is, the front says.

    Args:
        request: what it reads.
        asks: what the assistant has been told the right calls of; other wishes it knows by how they are worded.
        attends: how many tokens from its end the assistant reads of a prompt before it calls: what it reads there to
            have failed it does not call again. None: it calls what it is asked for, whatever came of that before.
    """
    front = request.messages[0].text
    if front == RULES:
        return _judge(request)
    if GOAL in front:
        return _owner(request)
    return _larger(request) if front == LARGER_TOLD else _assistant(request, asks, attends)


def _owner(request: Request) -> str:
    wants = _NUMBERED.findall(request.messages[0].text)
    count = sum(message.role == "assistant" for message in request.messages)
    return wants[count] if count < len(wants) else STOP


def _judge(request: Request) -> str:
    """Rate by what can be counted: tools that were called and need not have been, and others that were not."""
    asked = request.messages[-1].text
    takes, conversation = _EXPECTED.search(asked), _TALK.search(asked)
    if takes is None or conversation is None:
        return "There is no talk to judge."
    expected = [] if takes[1] == "none" else takes[1].split(", ")
    talk = from_json(conversation[1])
    called = [match[1] for each in talk if each["role"] == "assistant" and (match := _CALLED.match(each["content"]))]
    missing = Counter(expected) - Counter(called)
    needless = Counter(called) - Counter(expected)
    wrong = missing.total() + needless.total()
    faults = [f"{name} was not called" for name in missing] + [
        f"{name} was called and need not be" for name in needless
    ]
    rating = {"classification": int(not wrong), "assistant_quality_score": max(1, 5 - 2 * wrong)}
    return json.dumps({**rating, "feedback": "; ".join(faults) or "all that it takes was called, and nothing else"})


def _larger(request: Request) -> str:
    """Answer at length, as larger models do."""
    asked = request.messages[-1].text
    steps = [f"{n}. Consider part {n} of it with care, compare what speaks for each way, and take the best." for n in
             range(1, 19)]  # fmt: skip
    return "\n".join([f"In short: the answer to {json.dumps(asked)} is {len(asked)}.", *steps])


def _assistant(request: Request, asks: Iterable[Ask], attends: int | None) -> str:
    last = request.messages[-1].text
    if last.startswith("Tool: Error"):
        return f"I cannot do that: {last.removeprefix('Tool: Error: ')}"
    asked = next(m.text for m in reversed(request.messages) if m.role == "user" and not m.text.startswith("Tool: "))
    asked = asked.rpartition("\n\n")[2]
    if last.startswith("Tool: ") and not last.startswith('Tool: {"name":'):
        return f"It is done. {last.removeprefix('Tool: ')[:80]}"
    read = "\n".join(message.text for message in request.messages)[-CHARS_PER_TOKEN * (attends or 0) :]
    if question := QUESTION.fullmatch(asked):
        return _number(read, *next(_calls(question[1], asks)))
    for tool, arguments in _calls(asked, asks):
        if attends is not None and (failed := _failed(read, arguments)):
            return f"I cannot do that, it failed before: {failed}"
        if SELECT in request.messages[0].text and not last.startswith("Tool: "):
            return json.dumps({"select": tool, "reason": "that is what is asked for"})
        return json.dumps({"name": tool, "arguments": arguments})
    if asked in NOT_THEIRS:
        return "I cannot do that: it is not yours alone to decide."
    if asked in THANKS:
        return "You are welcome."
    return "Of course. What shall I do?" if asked.startswith("Hi") else "I see. Tell me more, if you like."


def _number(read: str, tool: str, arguments: Mapping[str, object]) -> str:
    """Return the number that a call gave, by what is read: the first one behind its name and all of its arguments."""
    parts = [rf"\b{tool}\b", *(rf"(?<!\w){re.escape(str(value))}(?!\w)" for value in arguments.values()), NUMBER]
    found = re.search(".*?".join(parts), read, re.DOTALL)
    return f"It got {found[1]}." if found else "I do not know."


def _failed(read: str, arguments: Mapping[str, object]) -> str:
    """Return a line that tells of an error and names all that was called with; "" if there is none."""
    if not arguments:
        return ""
    names = [str(value) for value in arguments.values()]
    told = (line for line in read.splitlines() if _ERROR.search(line))
    return next((line for line in told if all(name in line for name in names)), "")


def _calls(asked: str, asks: Iterable[Ask]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the calls that words may mean: what was told of them, then by the owners' ways of saying things."""
    for ask in asks:
        if ask.said == asked and ask.tool:
            of_a_query = {"query": asked, "reason": "it takes reasoning"} if ask.tool == DELEGATE else {}
            yield ask.tool, {**of_a_query, **dict(ask.arguments)}
    for pattern, tool, kinds in _PATTERNS:
        if match := pattern.fullmatch(asked):
            yield tool, {name: kinds[name](value) for name, value in match.groupdict().items()}
    if asked.startswith(tuple(template.partition("{")[0] for template in CLOUD)):
        yield DELEGATE, {"query": asked, "reason": "it takes reasoning"}


def _patterns() -> Iterator[tuple[re.Pattern[str], str, dict[str, Callable[[str], object]]]]:
    """Yield how each wish is worded: what was said of an example, with its arguments left open.

    The one with a constraint comes first: without it, it reads as a plain one on an odd date.
    """
    kinds: dict[str, Callable[[str], object]] = {"title": str, "date": str, "time": str}
    yield re.compile(r"Put (?P<title>\w+) on (?P<date>\S+), not before noon: at (?P<time>\S+)\."), "add_event", kinds
    for place, make in enumerate(INTENTS):
        example = make(RandomStream("example", place))
        text = re.escape(example.said)
        for name, value in example.arguments:
            text = text.replace(re.escape(str(value)), f"(?P<{name}>.+)", 1)
        yield re.compile(text), example.tool, {name: type(value) for name, value in example.arguments}


_PATTERNS = tuple(_patterns())
