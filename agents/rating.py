"""Importance by the model (Park et al. 2023, §4.1): how poignant were these memories? One question for several."""

import re
from collections.abc import Sequence

from cave_sim.session.memory import MOST_IMPORTANT
from cave_sim.session.row import Row

AT_ONCE = 8
"""So many memories are rated in one question."""
_RATING = re.compile(r"\s*(?:[-*]\s+)?(\d+)[.:)]\s*(\d+)(?:\s*(?:/|of|out of)\s*10)?\b.*")


def ratings(reply: str, rows: Sequence[Row]) -> dict[str, float]:
    """Return how important the memories of a numbered list are, by their ids; what cannot be read is left out."""
    rated: dict[str, float] = {}
    for line in reply.splitlines():
        match = _RATING.fullmatch(line)
        if match and 1 <= int(match[1]) <= len(rows) and 1 <= int(match[2]) <= MOST_IMPORTANT:
            rated[rows[int(match[1]) - 1].id] = float(match[2])
    return rated
