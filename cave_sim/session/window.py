"""What is known of a model's window, read from a session: so a resumed run knows it too.

A provider that takes less than it was believed to says so once. How its tokens compare with our estimate is told by
the last reply; before the first, three characters are taken for a token, as code and JSON have it.
"""

from __future__ import annotations

import math
import re

from cave_sim.session.follower import Follower
from cave_sim.session.row import Row

FIRST_RATIO = 4 / 3
SLACK = 1.05
REPLY_SHARE = 4
"""A reply may take a quarter of a window, and no more: the rest is for the prompt."""
SHRINK = 0.6
_SAID = re.compile(
    r"(?:context|window|maximum)[^.\d]{0,40}(\d[\d,]*)|> ?(\d[\d,]*) ?(?:tokens )?maximum", re.IGNORECASE
)


class Window(Follower):
    """Follows one session.

    Attributes:
        learned_tokens: the window that refusals taught; None if nothing was refused.
        ratio: tokens of the model for each one that we estimate, with some slack.
        counted_ratio: the same without it, as the provider of the last reply counted; 1 before there is one.
    """

    def _begin(self) -> None:
        self.learned_tokens: int | None = None
        self.ratio: float = FIRST_RATIO
        self.counted_ratio: float = 1.0

    def _take(self, row: Row) -> None:
        if row.kind == "model_error" and "window_tokens" in row.data:
            self.learned_tokens = int(row.data["window_tokens"])
        elif row.kind == "assistant" and row.usage is not None and row.usage.prompt_tokens and row.data.get("counted"):
            self.counted_ratio = row.usage.prompt_tokens / float(row.data["counted"])
            self.ratio = SLACK * self.counted_ratio

    def tokens(self, declared: int) -> int:
        """Return how many tokens a request and its reply may take; 0 if nobody knows."""
        if self.learned_tokens is None:
            return declared
        return min(self.learned_tokens, declared) if declared > 0 else self.learned_tokens

    def used_tokens(self, counted: int) -> int:
        """Return how many tokens of the model a prompt takes that we estimate at so many.

        The last prompt takes what its provider counted, exactly; another one so much more or less as it is longer.
        """
        return math.ceil(counted * self.counted_ratio)

    def prompt_tokens(self, window: int, reply_tokens: int) -> int:
        """Return how many tokens, as we estimate them, a prompt may have."""
        return int((window - reply_tokens) / self.ratio)

    def taught(self, text: str, counted: int, reply_tokens: int) -> int:
        """Return the window that a refusal teaches: what its words say, else less than what was asked.

        Args:
            text: the words of the provider.
            counted: tokens of the refused prompt, as we estimate them.
            reply_tokens: what was kept free for the reply.
        """
        asked = counted * self.ratio + reply_tokens
        numbers = [int(number.replace(",", "")) for groups in _SAID.findall(text) for number in groups if number]
        fitting = [number for number in numbers if 0 < number < asked]
        return min(fitting) if fitting else int(asked * SHRINK)


def reply_tokens(window: int, wanted: int | None) -> int:
    """Return how many tokens of a window are kept free for the reply."""
    most = window // REPLY_SHARE
    return most if wanted is None else min(wanted, most)
