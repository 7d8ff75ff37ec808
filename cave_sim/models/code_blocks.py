"""Finding the code in a model's reply, in whatever fence it stands, while the reply is still being written.

A reply is read line by line, so how it was cut into chunks makes no difference. Code ends at a fence that stands
outside of Python's strings and comments, which is how a cell may itself write Markdown. A fence around a fence, as a
model writes that quotes its own reply, is no part of the code. What a model thinks aloud (``<think>``) is none either.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

from cave_sim.models.python_lines import CLOSING, OpenBlock

PYTHON = frozenset("python python3 py py3 ipython tool_code code cell".split())
"""What a model calls a fence of Python, in any case; an untagged fence is Python too."""

OTHERS = frozenset("bash console csv html json markdown md output sh shell sql text txt xml yaml".split())
"""Languages that may follow a closing fence on its line, and open the next."""

_FENCE = re.compile(r"(?P<lead>[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
_LANGUAGE = re.compile(r"[{.\s]*([\w+#-]*)")
_TAG = re.compile(r"[ \t]*<(?P<tag>python|py|code|cell|execute|execute_python|tool_code)(?:\s[^<>]*)?>", re.IGNORECASE)
_THINK = re.compile(r"[ \t]*<(?P<tag>think|thinking|thought|thoughts|reasoning)>", re.IGNORECASE)
_STRAY = re.compile(r"[ \t]*</(?:think|thinking|thought|thoughts|reasoning)>", re.IGNORECASE)

_PYTHON_AT_END = re.compile(rf"(?<!`)`{{3,}}[ \t]*(?:{'|'.join(sorted(PYTHON))})[ \t]*$", re.IGNORECASE)

State = Literal["prose", "thought", "code", "quote"]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of code.

    Attributes:
        code: without its fence and its common indentation.
        closed: False if the reply ended before the block did.
    """

    code: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """What a whole reply came to.

    Attributes:
        blocks: the code in it, in order.
        prose: the rest, without thoughts; fences in other languages stay in it.
        truncated: whether it ended inside a block or a thought.
    """

    blocks: tuple[Block, ...]
    prose: str
    truncated: bool

    def cell(self, *, only_first: bool = False, unclosed: bool = False) -> str:
        """Return the code to run, "" if there is none: all blocks in order, as one cell.

        Args:
            only_first: take the first block only.
            unclosed: take a block that never closed, too: right when the model stopped by itself.
        """
        codes = [block.code for block in self.blocks if block.closed or unclosed]
        return "\n\n".join(codes[:1] if only_first else codes)


class FenceReader:
    """Reads a reply as it arrives.

    A reply that was cut off can be continued: feed what the model writes next, and finish only then.

    Args:
        thinking: whether the reply begins inside a thought, as with models whose template has opened it for them.
            Without it, a ``</think>`` out of nowhere takes back what came before: :meth:`finish` returns none of it,
            but :meth:`feed` has handed it out.
    """

    def __init__(self, *, thinking: bool = False) -> None:
        self._state: State = "thought" if thinking else "prose"
        self._pending: list[str] = []
        self._blocks: list[Block] = []
        self._fresh: list[Block] = []
        self._prose: list[str] = []
        self._open = OpenBlock("")
        self._lenient = False
        self._end_of_thought = _STRAY
        self._fence, self._depth, self._nests = "", 0, False  # of the open fence, and of nesting in another language
        self._around: list[str] = []  # fences that hold a fence of code

    @property
    def is_open(self) -> bool:
        """Whether a reply that ended here would have been cut off, inside a block or a thought."""
        return deepcopy(self)._ends_inside()

    def _ends_inside(self) -> bool:
        self._end_line()
        return self._is_inside()

    def feed(self, chunk: str) -> list[Block]:
        """Take the next piece of the reply and return the blocks that it closed."""
        *lines, rest = chunk.split("\n")
        for line in lines:
            self._pending.append(line)
            self._end_line()
        if rest:
            self._pending.append(rest)
        fresh, self._fresh = self._fresh, []
        return fresh

    def finish(self) -> Reading:
        """End the reply and return all of it."""
        self._end_line()
        if self._state == "code" and self._open.spare is not None:
            self._second_chance(self._open.spare)
        truncated = self._is_inside()
        if self._state == "code":
            self._close(closed=False)
        return Reading(tuple(self._blocks), "\n".join(self._prose).strip(), truncated)

    # ---- one line at a time: each state takes it, and hands back what it leaves of it

    def _end_line(self) -> None:
        rest: str | None = "".join(self._pending).removesuffix("\r") if self._pending else None
        self._pending.clear()
        self._read(rest)

    def _read(self, rest: str | None) -> None:
        while rest is not None:
            match self._state:
                case "prose":
                    rest = self._in_prose(rest)
                case "thought":
                    rest = self._in_thought(rest)
                case "code":
                    rest = self._in_code(rest)
                case "quote":
                    rest = self._in_quote(rest)

    def _in_prose(self, line: str) -> str | None:
        fence = _FENCE.match(line)
        if fence and self._around and _closes(fence, self._around[-1]):
            self._around.pop()
        elif fence:
            self._open_fence(fence)
        elif tag := _TAG.match(line):
            return self._open_tag(tag, line)
        elif thought := _THINK.match(line):
            self._state, self._end_of_thought = "thought", _closing_tag(thought["tag"])
            return line[thought.end() :]
        elif stray := _STRAY.match(line):  # so it was all a thought, opened before the reply began
            self._prose.clear()
            self._blocks.clear()
            return _or_none(line[stray.end() :])
        elif code := _one_line(line):
            self._add(Block(code))
        elif opening := _PYTHON_AT_END.search(line):
            self._prose.append(line[: opening.start()])
            self._open_code("`{3,}", fence="```")
        elif not CLOSING.fullmatch(line.strip()):
            self._prose.append(line)
        return None

    def _in_thought(self, line: str) -> str | None:
        end = self._end_of_thought.search(line)
        if end is None:
            return None
        self._state = "prose"
        return _or_none(line[end.end() :])

    def _in_code(self, line: str) -> str | None:
        fence = _FENCE.match(line)
        if fence and self._holds(fence):
            self._prose += self._open.lines
            self._around += [self._fence] if self._fence else []
            self._open_fence(fence)
            return None
        rest = self._open.take(line)
        if rest is None:
            return None
        self._close()
        again = _FENCE.match(rest)
        if again and _language(again) in PYTHON | OTHERS:
            return rest
        return _or_none(CLOSING.sub("", rest, count=1))

    def _in_quote(self, line: str) -> str | None:
        self._prose.append(line)
        fence = _FENCE.match(line)
        if fence and fence["fence"].startswith(self._fence):
            if not fence["info"].strip():
                self._depth -= 1
            elif self._nests:
                self._depth += 1
            if not self._depth:
                self._state = "prose"
        return None

    def _is_inside(self) -> bool:
        return self._state in ("code", "thought")

    def _holds(self, fence: re.Match[str]) -> bool:
        """Say whether a fence is where the code begins, and the open block only stands around it."""
        is_inner = not self._fence or not fence["fence"].startswith(self._fence)
        return is_inner and self._open.may_hold_fence(says_python=_language(fence) in PYTHON)

    # ---- opening and closing

    def _open_fence(self, fence: re.Match[str]) -> None:
        language, run = _language(fence), fence["fence"]
        if language in PYTHON or not language:
            least = f"{run[0]}{{{len(run)},}}"
            mark = least if run[0] == "`" else rf"^[ \t]*{least}[ \t]*$"
            self._open_code(mark, len(fence["lead"]), fence=run, is_unnamed=not language)
        else:
            self._prose.append(fence[0])
            self._state, self._fence, self._depth = "quote", run, 1
            self._nests = language in ("markdown", "md")

    def _open_tag(self, tag: re.Match[str], line: str) -> str | None:
        closing, rest = f"</{tag['tag'].lower()}>", line[tag.end() :]
        if closing in rest.lower() and not rest.lower().rstrip().endswith(closing):  # <code>x</code> amid a sentence
            self._prose.append(line)
            return None
        self._open_code(closing)
        return _or_none(rest)

    def _open_code(self, mark: str, width: int = 0, *, fence: str = "", is_unnamed: bool = False) -> None:
        self._state, self._fence = "code", fence
        self._open = OpenBlock(mark, width, is_unnamed=is_unnamed, lenient=self._lenient)

    def _close(self, *, closed: bool = True) -> None:
        self._state = "prose"
        code = self._open.text()
        if code.strip():
            self._add(Block(code, closed))

    def _add(self, block: Block) -> None:
        self._blocks.append(block)
        self._fresh.append(block)

    def _second_chance(self, spare: int) -> None:
        """Close an unclosed block where that may have been meant, and read on from there."""
        rest = self._open.lines[spare + 1 :]
        del self._open.lines[spare:]
        self._close()
        self._lenient = True
        for line in rest:
            self._read(line)


def read_reply(text: str, *, thinking: bool = False) -> Reading:
    """Read a whole reply at once."""
    reader = FenceReader(thinking=thinking)
    reader.feed(text)
    return reader.finish()


def _language(fence: re.Match[str]) -> str:
    match = _LANGUAGE.match(fence["info"])
    return match[1].lower() if match else ""


def _closes(fence: re.Match[str], opening: str) -> bool:
    return fence["fence"].startswith(opening) and not fence["info"].strip()


def _one_line(line: str) -> str:
    """Return the code of a whole fence on one line that says it is Python, or ""."""
    text = line.strip()
    language, _, code = text.strip("`").partition(" ")
    fenced = text.startswith("```") and text.endswith("```") and "```" not in code
    return code.strip() if fenced and language.lower() in PYTHON else ""


def _closing_tag(name: str) -> re.Pattern[str]:
    return re.compile(f"</{name}>", re.IGNORECASE)


def _or_none(rest: str) -> str | None:
    return rest if rest.strip() else None
