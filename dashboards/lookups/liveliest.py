"""The step at which most is going on: where a page of a finished run opens, at whose end all may be asleep."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

DAY_H = (8, 20)
DAY_S = 86_400


class Liveliest:
    """The step by day after which the largest group that does the same is smallest, kept while a run is read on.

    A run that has no day, or a night only, is looked at whole.

    Args:
        start: when the run begins, as ISO 8601 says it; "" if nobody said.
    """

    def __init__(self, start: str) -> None:
        self._start: datetime | None = None
        with suppress(ValueError, TypeError):  # a stranger's
            self._start = datetime.fromisoformat(start).replace(year=2000, tzinfo=None)
        self._best: tuple[bool, int, int] | None = None
        self._sizes: set[int] = set()

    @property
    def step(self) -> int | None:
        """The first such step; None while all steps are alike."""
        return self._best[2] if self._best and len(self._sizes) > 1 else None

    def count(self, step: int, time_s: float, states: NDArray[np.uint8]) -> None:
        """Note how many do the same after a step.

        Args:
            step: later than all before.
            time_s: simulated seconds since the run began.
            states: the code of what each does.
        """
        alike = int(np.bincount(states, minlength=1).max())
        moment = not self._is_day(time_s), alike, step
        self._best = min(self._best or moment, moment)
        if len(self._sizes) < 2:
            self._sizes.add(alike)

    def _is_day(self, time_s: float) -> bool:
        if self._start is None:
            return False
        return DAY_H[0] <= (self._start + timedelta(seconds=time_s % DAY_S)).hour < DAY_H[1]
