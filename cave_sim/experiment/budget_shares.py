"""Splits the budget of a study between trials that run at the same time and cannot coordinate."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from typing import Any

from cave_sim.models.budget import Budget, Spent


class BudgetShares:
    """Gives each trial a share of the remaining budget and takes back what it did not spend; never exceeds the limits.

    Args:
        limits: of the whole study.
        hands: how many trials may hold a share at once.
    """

    def __init__(self, limits: Budget, hands: int) -> None:
        self._limits = limits
        self._hands = hands
        self._out: dict[str, Budget] = {}
        self.spent: Spent = Spent()

    def take(self, trial: str) -> Budget | None:
        """Return the share of a trial; None if nothing is left."""
        shares: dict[str, Any] = {}
        for resource in fields(Budget):
            limit = getattr(self._limits, resource.name)
            if limit is None:
                continue
            reserved = sum(getattr(share, resource.name) for share in self._out.values())
            remainder = limit - getattr(self.spent, resource.name) - reserved
            if limit and remainder <= 0:
                return None
            share = remainder / max(1, self._hands - len(self._out))
            shares[resource.name] = math.ceil(share) if isinstance(limit, int) else share
        self._out[trial] = Budget(**shares)
        return self._out[trial]

    def settle(self, trial: str, spent: Spent | None) -> None:
        """Take back a share; if a trial never reported its spending (None), the whole share counts as spent."""
        share = self._out.pop(trial)
        if spent is None:
            spent = Spent(**{name: limit or 0 for name, limit in asdict(share).items()})
        self.spent += spent
