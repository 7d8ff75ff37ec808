"""How long a study will still take, by how long its trials took."""

from __future__ import annotations

from collections.abc import Sequence


class TimeLeft:
    """Estimates the time that trials will take, which are done in blocks and told when their block is.

    Workers take a while to begin, which is no measure of a trial: time is counted from the first blocks on. The trials
    of a block are told in one moment, so that they count together and not one by one.
    """

    def __init__(self, blocks: Sequence[Sequence[str]], at_once: int):
        """Know what is to be done.

        Args:
            blocks: the names of its trials.
            at_once: how many blocks are under way at once; so many are the first ones.
        """
        self._blocks = [set(block) for block in blocks if block]
        self._at_once = at_once
        self._told: list[set[str]] = []
        self._since_s = 0.0

    def after(self, trial: str, now_s: float) -> float | None:
        """Return how many seconds those will take that are left after a trial; None as long as nothing tells it."""
        block = next(each for each in self._blocks if trial in each)
        if block not in self._told:
            self._told.append(block)
        first, later = self._told[: self._at_once], self._told[self._at_once :]
        if not later:
            self._since_s = now_s
            return None
        counted = sum(map(len, later))
        left = sum(map(len, self._blocks)) - sum(map(len, first)) - counted
        return (now_s - self._since_s) / counted * left
