"""What goes back to a model after its reply: what its cell did or why it failed, and what to do next.

Each text says what happened first and the way out last (CaveAgent, App. B.3, in our own and fewer words). What a cell
printed stands between tags that it cannot forge, so that it reads as data and not as a word of ours.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass

from cave_sim.changes.turn import Turn
from cave_sim.models.base import Reply
from cave_sim.models.code_blocks import Reading
from cave_sim.policy.text_cleaning import clean
from cave_sim.session.row import storable

OUTPUT_CHARS = 4_000
"""How much output a model is shown by default; the rest waits in a variable."""

LAST_OUTPUT = "last_output"
"""The variable in which a long output waits, until the next one."""

PREVIEW_CHARS = 1_000
QUOTE_CHARS = 2_000
MAX_SAME_FAILURES = 3
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})  # not Cn: what is unassigned depends on the Python
_WHERE = re.compile(r"^line \d+: .*\n", re.MULTILINE)
_HEADLINES = {
    "failed": "Your cell failed, and the world is as it was before.",
    "blocked": "Your cell was refused by the rules of this world, and did nothing.",
    "timeout": "Your cell took too long, was stopped, and did nothing.",
    "conflict": "Your cell ran, but another agent was faster, so that nothing of it counts.",
}
_WAYS_OUT = {
    "failed": "The variables that you set before the error are still there. Mend the cell and write it anew.",
    "blocked": "Do not try the same again: reach your goal in a way that the message allows.",
    "timeout": "Do less in one cell: look at fewer things, or split the work over several turns.",
    "conflict": "Look at how things are now, and decide again.",
}


@dataclass(frozen=True, slots=True)
class Feedback:
    """A text for the model, and full outputs to keep for it.

    Attributes:
        text: what the model reads.
        keep: variable name -> full output, to be injected as the agent's own; empty if all was shown.
    """

    text: str
    keep: dict[str, str]


def of_turn(turn: Turn, *, limit_chars: int = OUTPUT_CHARS) -> Feedback:
    """Return the feedback to a turn of any status."""
    output = of_output(turn.output, limit_chars=limit_chars)
    if turn.status == "committed":
        return output
    output_text = f"{output.text}\n" if turn.output else ""
    error = framed("refusal" if turn.status == "blocked" else "error", turn.error or "no message")
    return Feedback(f"{_HEADLINES[turn.status]}\n{output_text}{error}\n{_WAYS_OUT[turn.status]}", output.keep)


def of_output(output: str, name: str = LAST_OUTPUT, *, limit_chars: int = OUTPUT_CHARS) -> Feedback:
    """Return the feedback to an output; one that is too long is kept in full under ``name``.

    Truncation is explicit: the model is told how much there was, where it is, and to ask for less (§3.1.2, eq. 4).
    """
    if not output:
        return Feedback("Your cell ran. It printed nothing.", {})
    if len(output) <= limit_chars:
        return Feedback(framed("output", output), {})
    preview = framed("beginning_of_output", output[: min(PREVIEW_CHARS, limit_chars)])
    advice = (
        f"The output has {len(output):,} characters; at most {limit_chars:,} are shown at once. All of it is in your"
        f" variable {name}, a str: search it or slice it. Next time print a summary: a count, an average, the few"
        " lines that matter."
    )
    return Feedback(f"{preview}\n{advice}", {name: output})


def truncated(*, inside_code: bool) -> str:
    """Return what to say when a reply hit the limit of length."""
    if inside_code:
        return (
            "Your reply was cut off inside a code block, so nothing has run. Go on exactly where it stopped, without"
            " repeating anything and without opening the block again; then close the block."
        )
    return "Your reply was cut off. Go on exactly where it stopped, and be brief: a short thought, then the code."


def empty() -> str:
    """Return what to say when a reply had neither text nor code."""
    return "Your reply was empty. Write one Python code block, or a plain sentence if there is nothing to do."


EMPTY_CALL = "Your reply was empty. Call a tool, or answer in plain words."
CUT_CALL = (
    "Your reply was cut off, and nothing of it was done. Write it anew, shorter: the call alone, or one sentence."
)


def silent_caller(words: int) -> str:
    """Return what to say to one who acts by calls, when replies were empty again and again."""
    return (
        f"Your replies stay empty: what you mean to write is too long. Write {words} words at the most: one call with"
        " short arguments, and what is long in several calls; or one sentence."
    )


def silent(words: int, *, can_render: bool) -> str:
    """Return what to say when replies were empty again and again: another way, and not the same once more."""
    way = (
        " What is long is data: put it into a variable, and have it rendered with render(template, data)."
        if can_render
        else " What is long is built up in a variable, a piece in each cell."
    )
    return f"Your replies stay empty: what you mean to write is too long. Write {words} words at the most.{way}"


def follow_up(reading: Reading, reply: Reply) -> str:
    """Return what to say to a reply that is not whole; "" if it is."""
    if reply.is_truncated:
        return truncated(inside_code=bool(reading.blocks) and reading.truncated)
    return "" if reading.blocks or reading.prose else empty()


def repeated(error: str, times: int) -> str:
    """Return one text for a failure that came again and again, to stand in place of all of them."""
    failure = framed("error", error)
    return (
        f"{times} cells in a row failed in the same way:\n{failure}\nDo not try it again. Do something else, or stop."
    )


def same_failure(one: str, other: str) -> bool:
    """Say whether two errors are the same mistake, wherever in its cell it was made."""
    return _WHERE.sub("", one) == _WHERE.sub("", other)


class Failures:
    """Counts how often in a row a mind has failed in the same way.

    Attributes:
        error: the latest failure; "" after a success.
        times: how often in a row.
    """

    def __init__(self) -> None:
        self.error: str = ""
        self.times: int = 0

    def note(self, turn: Turn) -> bool:
        """Take a turn, and say whether it is time to stop: the same failure for the third time."""
        error = turn.error or ""
        self.times = (self.times + 1 if same_failure(error, self.error) else 1) if error else 0
        self.error = error
        return self.times >= MAX_SAME_FAILURES


def quote(text: str, *, limit_chars: int = QUOTE_CHARS) -> str:
    """Return text by others as one line in quotation marks, so that it reads as data and not as instructions.

    Line breaks and quotation marks are escaped. Invisible characters are removed: control characters, zero-width
    and direction marks, tag characters. Text longer than ``limit_chars`` is cut and ends in "…".
    """
    visible = "".join(c for c in storable(text) if c in "\n\t" or unicodedata.category(c) not in _UNSEEN)
    return json.dumps(visible if len(visible) <= limit_chars else visible[:limit_chars] + "…", ensure_ascii=False)


def framed(tag: str, text: str) -> str:
    """Return text between tags; a closing tag inside of it, however it is spaced, is made harmless."""
    inside = re.sub(rf"<\s*/\s*(?={tag}\b)", r"<\\/", clean(text), flags=re.IGNORECASE)
    return f"<{tag}>\n{inside.rstrip()}\n</{tag}>"
