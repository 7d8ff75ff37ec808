"""What a mind does about a model that stalls: asks for less, goes another way, and at last leaves it alone.

It is read from the session, so a resumed mind knows it too. The cascade is that of
:mod:`cave_sim.capacity.strategies`: an answer that was cut off goes on in chunks; one that never came is asked anew,
half as long; then in words that say how to do without: what is long is data, and rendered. After that each step asks
once, and the run leaves the agent alone for longer and longer (:mod:`cave_sim.simulation.quarantine`).
"""

from __future__ import annotations

import ast
from typing import Any

from cave_sim.capacity.stalls import StallLimit, outcome_of
from cave_sim.llm_agent import feedback
from cave_sim.models.base import Reply
from cave_sim.models.code_blocks import Reading
from cave_sim.session.follower import Follower
from cave_sim.session.row import Row
from cave_sim.session.session import Session

USUAL_TOKENS = 1_024
WORDS_PER_TOKEN = 0.6
CHARS_PER_TOKEN = 8
"""More than a token of code or of prose has; what is longer than that for each that was asked for is not repeated."""
UNASKED_TOKENS = 8_192
"""What is repeated of a reply whose length was left to the provider."""
SILENT_AFTER = 3
"""After so many empty replies in a row a mind is asked once in a step, and not followed up."""


class Stalls(Follower):
    """Follows one session."""

    def _begin(self) -> None:
        self._limit = StallLimit()

    def _take(self, row: Row) -> None:
        if row.kind == "assistant":
            outcome, asked = row.data.get("outcome", "complete"), row.data.get("asked_tokens") or USUAL_TOKENS
            self._limit.note(outcome, int(asked), row.usage.completion_tokens if row.usage else 0)

    def asked_tokens(self, session: Session, wanted: int | None) -> int | None:
        """Return the longest answer to ask for, where so long a one is wanted."""
        self.follow(session)
        return self._limit.asked(wanted)

    def continuations(self, session: Session, usual: int) -> int:
        """Return how often to follow up a reply that is not whole."""
        self.follow(session)
        return 0 if self._limit.in_a_row >= SILENT_AFTER else usual

    def follow_up(self, session: Session, reading: Reading, reply: Reply, *, can_render: bool) -> str:
        """Return what to say to a reply that is not whole; "" if it is."""
        self.follow(session)
        if self._limit.in_a_row < 2:
            return feedback.follow_up(reading, reply)
        return feedback.silent(int(WORDS_PER_TOKEN * (self._limit.tokens or USUAL_TOKENS)), can_render=can_render)

    def follow_up_to_caller(self, session: Session, reply: Reply) -> str:
        """Return what to say to one who acts by calls, and whose reply makes none; "" if it is whole.

        A call cannot be written in pieces, so what was cut off is asked for anew.
        """
        self.follow(session)
        match outcome_of(reply):
            case "empty" if self._limit.in_a_row >= 2:
                return feedback.silent_caller(int(WORDS_PER_TOKEN * (self._limit.tokens or USUAL_TOKENS)))
            case "empty":
                return feedback.EMPTY_CALL
            case "truncated":
                return feedback.CUT_CALL
        return ""


def is_code(cell: str) -> bool:
    """Say whether a cell of a reply that was cut off is more than a piece of one."""
    try:
        return bool(ast.parse(cell).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def outcome_data(reply: Reply, asked_tokens: int | None) -> dict[str, Any]:
    """Return what a row is to say of a reply that is not complete, or much longer than was asked for.

    Servers that know no limit exist; what they wrote is kept whole, but the next request repeats its ends alone.
    """
    outcome, most = outcome_of(reply), CHARS_PER_TOKEN * (asked_tokens or UNASKED_TOKENS)
    facts = {} if outcome == "complete" else {"outcome": outcome, "asked_tokens": asked_tokens}
    return facts if len(reply.text) <= most else {**facts, "shown_chars": most}
