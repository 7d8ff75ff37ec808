"""The context state: what lasts of a session, as a log of short lines that is only ever appended to.

"Efficient on-device agents" (§3.2, A.3) replaces the history of a conversation by such a log, its Context State Object:
CSO_t = CSO_(t-1) + the new lines of turn t. A *tracker* writes the lines after each turn, an *executor* reads them.
What was said beside them is ephemeral: it is sent while its turn lasts, and then no more.

The rows of kind ``context_state`` are owned by this file: their text is the new lines, or :data:`NO_UPDATE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.models.base import Usage
from cave_sim.models.tokens import estimate_tokens
from cave_sim.policy.text_cleaning import clean
from cave_sim.session.follower import Follower
from cave_sim.session.row import Row
from cave_sim.session.session import Session

KIND = "context_state"
START = "# This is the start of the conversation."
NO_UPDATE = "# NO_UPDATE"
LINE_CHARS = 240
MOST_LINES = 12
"""At most so many new lines are taken of one turn."""
GOALS = frozenset({"user_goal", "there"})
"""The keys of a first line that stays: what it is all about."""
PROGRESS = frozenset({"done", "completed_steps", "need_info"})
"""The keys whose oldest lines make room first: what was done or asked."""
ERRORS = frozenset({"tool_error"})
"""Those that make room next: what failed may work by now. Goals, refusals, who came and facts last longer."""
_SAME = re.compile(r"[\W_]+")
_KEY = re.compile(r"[\w-]+:")
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)])\s+")


class ContextState(Follower):
    """Follows one session; costs what is new in it.

    Attributes:
        lines: of the log, in order, without its first line.
        covered: how many rows of the session the log covers.
        there: entity class -> names, as far as the log has told of them; None before it did.
    """

    def _begin(self) -> None:
        self.lines: list[str] = []
        self.covered: int = 0
        self.there: Mapping[str, Sequence[str]] | None = None

    def _take(self, row: Row) -> None:
        if row.kind != KIND:
            return
        if row.data.get("anew"):
            self.lines = []
        self.lines += [line for line in row.text.splitlines() if line != NO_UPDATE]
        self.covered = max(self.covered, int(row.data.get("covers", 0)))
        self.there = row.data.get("there", self.there)

    @property
    def text(self) -> str:
        """The whole log, as it is sent."""
        return "\n".join([START, *self.lines])

    def values(self, key: str) -> list[str]:
        """Return what the lines of a key say, oldest first."""
        return [line.partition(": ")[2] for line in self.lines if line.startswith(f"{key}: ")]


def new_lines(written: str, lines: Iterable[str]) -> list[str]:
    """Return the lines of a tracker that may be appended: short, one for each thing, and none that is there already.

    Args:
        written: what a tracker wrote; code fences, headings and bullets are taken off, however it came to write them,
            and what stands below a key gets it.
        lines: of the log so far.
    """
    known = {_same(NO_UPDATE), *map(_same, lines)}
    missing: list[str] = []
    key = ""
    for line in written.splitlines():
        words = " ".join(clean(line).replace("`", "").split())
        text = _BULLET.sub("", words)
        if _KEY.fullmatch(text):
            key = text
        elif key and ": " not in text and (line[:1].isspace() or text != words):
            text = f"{key} {text}"
        elif text:
            key = ""
        text = shortened(text, LINE_CHARS)
        if not text or text[0] in "#[" or text.endswith(":") or (same := _same(text)) in known or not same:
            continue
        known.add(same)
        missing.append(text)
    return missing[:MOST_LINES]


def append(
    session: Session,
    lines: Sequence[str],
    *,
    by: str,
    usage: Usage | None = None,
    data: Mapping[str, Any] | None = None,
) -> Row:
    """Add new lines to the log of a session, which covers all of its rows then; returns their row.

    Args:
        session: whose log it is.
        lines: as :func:`new_lines` returned them.
        by: who wrote them: ``rules``, ``model`` or ``world``.
        usage: what that cost.
        data: more about it, plain.
    """
    about = {"by": by, "covers": len(session) + 1, **(data or {})}
    return session.append(KIND, "\n".join(lines) or NO_UPDATE, usage=usage, data=about)


def fitted(lines: Sequence[str], most_tokens: int) -> list[str]:
    """Return the lines that are kept of a log which outgrew its room: half of it, so that the next time is far.

    The oldest lines on progress go first, then the oldest errors, then the oldest of all; a goal in the first line
    stays, and so does the last.
    """
    room = most_tokens // 2
    fitting = list(lines)
    begin = int(bool(fitting) and fitting[0].partition(":")[0] in GOALS)
    for keys in (PROGRESS, ERRORS, None):
        place = begin
        while place < len(fitting) - 1 and _tokens(fitting) > room:
            if keys is None or fitting[place].partition(":")[0] in keys:
                del fitting[place]
            else:
                place += 1
    return fitting


def is_full(lines: Sequence[str], most_tokens: int) -> bool:
    """Say whether a log takes more than so many tokens."""
    return _tokens(lines) > most_tokens


def _tokens(lines: Sequence[str]) -> int:
    return estimate_tokens("\n".join(lines))


def _same(line: str) -> str:
    """Return what two lines share that say the same."""
    return _SAME.sub(" ", line).strip().lower()
