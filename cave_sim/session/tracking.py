"""The tracker by rules: what the rows of a turn add to the context state, without a model and the same everywhere.

It keeps to the rules of the paper (A.3): single words for keys, long-horizon facts alone, errors and refusals so that
the same mistake is not made again, no repetitions, and ``# NO_UPDATE`` where nothing lasts.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.session.context_state import NO_UPDATE, new_lines
from cave_sim.session.row import Row

READ = frozenset({"user", "assistant", "cell", "output", "error", "tool_call", "tool_result", "model_error"})
"""The kinds of rows that a tracker reads."""
MOST_WORDS, MOST_TOLD_WORDS, MOST_ERROR_WORDS, MOST_FACTS, VALUE_CHARS, CALL_CHARS = 14, 6, 24, 10, 60, 90
MOST_VALUE_CHARS = 20_000
MOST_DEPTH = 8
_FILLER = frozenset(
    "a an and are as at be been but by can could do does for from had has have hello hey hi how i if in is it its just"
    " like me my now of ok okay on or please so than thank thanks that the them then there these they this to too up"
    " us was we well were what will with would yes you your i'd i'll i'm i've it's let's that's really very also need"
    " want going get sure great good about".split()
)
_REFUSED = re.compile(
    r"\bI (?:can(?:no|')t|am not able|am unable|won't|will not|must not|do not have)\b[^.!?\n]*", re.I
)
_OUTCOME = frozenset({"status", "success", "ok", "error"})
_KIND = re.compile(r"^(?:Error|Refused): ")
_FRAME = re.compile(r"</?[a-z_]+>\s*")
_AT_LINE = re.compile(r"^line \d+: (.+)$", re.MULTILINE)
_TITLED = re.compile(r"[^()]{1,60} \((\w+)\)")
_FIRST_ARGUMENT = re.compile(r"\w\((\w+)[,)]")
_MARKS = ".,;:!?()\"'“”"
_FENCE = re.compile(r"(?<!`)(`{3,}+).*?\1", re.DOTALL)  # tried once for each row of them: a reply may be nothing else


def by_rules(rows: Iterable[Row], lines: Sequence[str]) -> str:
    """Return the new lines that rows come to, or :data:`NO_UPDATE`.

    Args:
        rows: of the turn.
        lines: of the log so far.
    """
    known = "\n".join(lines)
    added = new_lines("\n".join(_lines([row for row in rows if row.kind in READ], known)), lines)
    return "\n".join(added) or NO_UPDATE


def _lines(rows: Sequence[Row], known: str) -> Iterator[str]:
    call, before = "", ""
    done = " ".join(_call(row.text) for row in rows if row.kind in ("cell", "tool_call"))
    for row in rows:
        if row.kind == "user":
            goal = _goal(row)
            if goal and "user_goal:" not in known:
                yield f"user_goal: {goal}"
                known += "user_goal:"
            elif goal and not _is_in(goal, done):
                yield f"user: {goal}"
        elif row.kind == "tool_call" or (row.kind == "cell" and before != "tool_call"):  # else it says the same
            call = _call(row.text)
        elif row.kind in ("output", "tool_result") and "schema" not in row.data:
            yield from _result(call, row.text, known)
        elif row.kind == "error":
            yield f"tool_error: {_failed(call, row.text)}"
        elif row.kind == "assistant" and "```" not in row.text:
            yield from _said(row.text)
        before = row.kind


def _is_in(sentence: str, done: str) -> bool:
    """Say whether what was asked for is told by what was done: every number and name of it."""
    return bool(done) and all(word in done for word in sentence.split()[1:] if not word.isalpha() or not word.islower())


def _goal(row: Row) -> str:
    """Return what somebody asks for; "" for what a world tells, which is told anew each time."""
    text = row.text.strip()
    return "" if row.data.get("perceived") or text[:1] in "{[<" else terse(text)


def _result(call: str, text: str, known: str) -> Iterator[str]:
    plain = _FRAME.sub("", text).strip()
    value = value_of(plain)
    if isinstance(value, dict) and (error := value.get("error")):
        yield f"tool_error: {call}: {last_line(str(error))}"
    elif plain.startswith("Error"):
        kind = "agent_limitation" if "there is no" in plain else "tool_error"
        yield f"{kind}: {call}: {last_line(plain)}"
    elif value is not None:
        given = set(_words(call.replace("(", " ")))
        facts = [
            fact
            for fact in facts_of(value)
            if (told := fact.partition("=")[2]) not in f"{known} {call}" and not given.issuperset(_words(told))
        ]
        if facts or f"done: {call}" not in known:
            yield " ".join([f"done: {call}", *facts[:MOST_FACTS]])
    elif call:
        outcome = "" if plain.startswith(("Your cell ran", "done", "ok")) else terse(plain, MOST_TOLD_WORDS, told=call)
        yield f"done: {call} {outcome}".rstrip()


def _said(text: str) -> Iterator[str]:
    if refused := _REFUSED.search(text):
        yield f"agent_refusals: {terse(refused[0])}"
    sentences = [each for each in re.split(r"(?<=[.!?])\s+", text.strip()) if each.endswith("?")]
    if sentences:
        yield f"need_info: {terse(sentences[-1])}"


def terse(text: str, most_words: int = MOST_WORDS, *, told: str = "") -> str:
    """Return a text without the words that carry nothing, as a note would have it; at most so many words.

    Args:
        text: which.
        most_words: of it.
        told: what the note says already; an answer that begins with the question is not told by that.
    """
    known = {word.lower() for word in _words(told.replace("(", " "))}
    content_words = [
        word
        for word in _words(text)
        if word.lower() not in known and (word.lower() not in _FILLER or (word.isupper() and len(word) > 1))
    ]
    return " ".join(content_words[:most_words])


def _words(text: str) -> list[str]:
    return [word for part in _FENCE.sub(" ", text).split() if (word := part.strip(_MARKS))]


def last_line(text: str) -> str:
    """Return what an error says, without its frame and where it was."""
    inside = re.search(r"<(error|refusal)>\n(.*?)\n</\1>", text, re.DOTALL)
    lines = [line for line in (inside[2] if inside else _FRAME.sub("", text)).splitlines() if line.strip()]
    return " ".join(_KIND.sub("", lines[-1]).split()[:MOST_ERROR_WORDS]) if lines else ""


def _failed(call: str, text: str) -> str:
    """Return the line of a cell that failed, and why; without a title before a name that the line has already.

    Nor is what it was called with told again, where that is what the error is of: ``me.go(park): closed``.
    """
    if at := _AT_LINE.search(text):
        call = _call(at[1])
    error = last_line(text)
    if (titled := _TITLED.match(error)) and titled[1] in call:
        error = error[titled.start(1) : titled.end(1)] + error[titled.end() :]
    if subject := _FIRST_ARGUMENT.search(call):
        error = error.removeprefix(f"{subject[1]} is ")
    return f"{call}: {error}"


def facts_of(value: Any, name: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the scalars of a result as ``name=value``; what only says that it went well is left out.

    So is what lies deeper than a line has room to name: a result may nest deeper than Python can follow.
    """
    if depth > MOST_DEPTH:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if str(key) not in _OUTCOME:
                yield from facts_of(item, f"{name}.{_shown(key)}" if name else _shown(key), depth + 1)
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(item, (str, int, float)) for item in value):
            yield f"{name or 'items'}={','.join(map(_shown, value))[:VALUE_CHARS]}"
        else:
            for place, item in enumerate(value[:3]):
                yield from facts_of(item, f"{name}.{place}" if name else str(place), depth + 1)
    elif value is not None and value is not True and value != "":
        yield f"{name or 'result'}={_shown(value)}"


def value_of(text: str) -> Any:
    """Return the plain value that a result spells, as JSON or as Python does; None if it spells none, or is long."""
    if len(text) > MOST_VALUE_CHARS:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return None


def _shown(value: Any) -> str:
    return " ".join(str(value).split())[:VALUE_CHARS]


def _call(text: str) -> str:
    """Return a call or a cell in few words: of a call its name and the values of its arguments, and no comments."""
    head, brace, arguments = text.partition("({")
    given = value_of("{" + arguments.removesuffix(")")) if brace else None
    if isinstance(given, dict):
        text = f"{head}({', '.join(_shown(item) for key, item in given.items() if key != 'reason')})"
    code = " ".join(line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return shortened(re.sub(r"^print\((.*)\)$", r"\1", " ".join(code.split())), CALL_CHARS)
