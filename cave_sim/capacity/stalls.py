"""What became of a reply: whole, cut off, or nothing at all; and how much silence teaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cave_sim.models.base import Reply

Outcome = Literal["complete", "truncated", "empty", "withheld"]
LEAST_TOKENS = 64
"""A model that cannot write so much is not asked for less: it is left alone instead."""
SHRINK = 0.5


def outcome_of(reply: Reply) -> Outcome:
    """Return what became of a reply.

    An output stall is an *empty* one: no text, no tool call, no refusal, and no error either (Gen-Pilot, §1). A reply
    that was cut off before its first word is empty, too: it has cost all of its prompt and brought nothing.
    """
    if reply.is_withheld:
        return "withheld"
    if not reply.text.strip() and not reply.tool_calls:
        return "empty"
    return "truncated" if reply.is_truncated else "complete"


@dataclass(slots=True)
class StallLimit:
    """The longest output that a model is asked for, as its stalls teach it.

    Attributes:
        tokens: None while it never stalled.
        in_a_row: how many replies were empty, one after another.
    """

    tokens: int | None = None
    in_a_row: int = 0

    def note(self, outcome: Outcome, asked_tokens: int, written_tokens: int) -> None:
        """Take in what became of a reply.

        An empty one halves what is asked for next; a whole one that was longer than the limit lifts it. One that was
        cut off wrote what it was allowed, which is no stall.

        Args:
            outcome: what became of it.
            asked_tokens: the longest answer that was asked for.
            written_tokens: what came.
        """
        if outcome == "empty":
            self.in_a_row += 1
            self.tokens = max(LEAST_TOKENS, int(SHRINK * min(asked_tokens, self.tokens or asked_tokens)))
            return
        self.in_a_row = 0
        if outcome == "complete" and self.tokens is not None:
            self.tokens = max(self.tokens, 2 * written_tokens)

    def asked(self, wanted_tokens: int | None) -> int | None:
        """Return the longest answer to ask for."""
        if self.tokens is None or wanted_tokens is None:
            return wanted_tokens
        return min(self.tokens, wanted_tokens)
