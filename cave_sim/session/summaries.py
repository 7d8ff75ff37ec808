"""Summaries by rule: what rows come to in a line each, without a model, and the same on every machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from cave_sim.models.tokens import estimate_tokens
from cave_sim.policy.text_cleaning import clean
from cave_sim.session.row import Row

HEAD = "Earlier, in short (what is quoted was said or shown):"
EARLIER = "- (more before that)"
SHOWN_CHARS = 120
LEFT_OUT = "\n[... {count:,} characters are left out here ...]\n"
_FRAME = re.compile(r"</?[a-z_]+>\s*")
_LINE = re.compile(r"- steps? (\d+)(?: to (\d+), (\d+) times)?: (.*)")


class Summariser(Protocol):
    """Makes one text of rows that a model is not shown any more."""

    def __call__(self, rows: Sequence[Row], most_tokens: int) -> str:
        """Return the text that stands for some rows, of at most so many tokens; among them may be earlier summaries.

        The same rows come to the same text.
        """


@dataclass(frozen=True, slots=True)
class _Event:
    """Something that happened, as often as it did."""

    first: int
    last: int
    times: int
    text: str

    def again(self, later: _Event) -> _Event:
        return _Event(self.first, later.last, self.times + later.times, self.text)

    def __str__(self) -> str:
        if self.times == 1:
            return f"- step {self.last}: {self.text}"
        return f"- steps {self.first} to {self.last}, {self.times} times: {self.text}"


def by_rules(rows: Sequence[Row], most_tokens: int) -> str:
    """Return a line for each thing that was told, done or answered; the latest of them if not all fit.

    What happened again in the same words, such as a failure, stays one line. It is a :class:`Summariser`.
    """
    events: dict[str, _Event] = {}
    for event in _events(rows):
        before = events.pop(event.text, None)
        events[event.text] = event if before is None else before.again(event)
    left = most_tokens - estimate_tokens(f"{HEAD}\n{EARLIER}\n")
    latest: list[str] = []
    for event in reversed(events.values()):
        left -= estimate_tokens(f"{event}\n")
        if left < 0:
            break
        latest.append(str(event))
    is_whole = len(latest) == len(events) and not any(EARLIER in row.text for row in rows if row.kind == "compress")
    return "\n".join([HEAD, *([] if is_whole else [EARLIER]), *reversed(latest)])


def left_out(rows: Sequence[Row]) -> str:
    """Return no more than that rows are left out, and up to which step."""
    return f"(What was said before, up to step {rows[-1].step}, is left out here.)"


def _events(rows: Iterable[Row]) -> Iterator[_Event]:
    """Yield what happened, oldest first; an earlier summary by rule yields its own events."""
    did = ""
    for row in rows:
        text = ""
        if row.kind == "compress":
            is_ours = row.text.startswith(HEAD)  # what others wrote, such as a model, stays what is quoted
            for line in row.text.splitlines() if is_ours else ():
                if match := _LINE.fullmatch(line):
                    yield _Event(int(match[1]), int(match[2] or match[1]), int(match[3] or 1), match[4])
            text = "" if is_ours else f"before that, {short(row.text, 4 * SHOWN_CHARS)}"
        elif row.kind in ("cell", "tool_call"):
            did = row.text
        elif row.kind in ("output", "tool_result"):
            text = f"you ran {short(did)}, which gave {short(row.text)}"
        elif row.kind == "error":
            text = f"you ran {short(did)}, which failed: {short(row.text)}"
        elif row.kind == "assistant" and row.text.strip() and "```" not in row.text:
            text = f"you said {short(row.text)}"
        elif row.kind in ("user", "memory"):
            text = f"{'you were told' if row.kind == 'user' else 'you noted'} {short(row.text)}"
        if text:
            yield _Event(row.step, row.step, 1, text)


def without_middle(text: str, most: int) -> str:
    """Return a text with its middle left out, and a line that says so; as it is if it has at most so many characters.

    What the line itself takes comes on top.
    """
    if len(text) <= most:
        return text
    half = most // 2
    return text[:half] + LEFT_OUT.format(count=len(text) - 2 * half) + text[len(text) - half :]


def short(text: str, most: int = SHOWN_CHARS) -> str:
    """Return a text as one quoted line, its middle left out if it is long."""
    line = " ".join(clean(_FRAME.sub("", text)).split())
    if len(line) > most:
        line = f"{line[: most * 2 // 3]} … {line[len(line) - most // 3 :]}"
    return json.dumps(line, ensure_ascii=False)
