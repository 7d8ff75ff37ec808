"""Rules: what they say in words and as conditions, and where a run breaks them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from cave_sim.rules.table import ColumnKey, Frame, RunTable, Truths


@dataclass(frozen=True)
class Breach:
    """Where a run breaks a rule first.

    Attributes:
        run: the name of its folder.
        step: the step after which it is broken.
        entity: whose field breaks it; "" where the rule names it.
    """

    run: str
    step: int
    entity: str


class Rule(ABC):
    """What held in runs."""

    family: ClassVar[str]

    @property
    @abstractmethod
    def keys(self) -> tuple[ColumnKey, ...]:
        """What it is about."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """It in plain words."""

    @abstractmethod
    def breach(self, table: RunTable) -> Breach | Literal["unknown"] | None:
        """Return where runs break it first; None if they keep it; ``unknown`` if they lack what it is about."""

    @abstractmethod
    def condition(self) -> str:
        """Return it as a condition; one that looks back where it takes two moments to see it."""

    def places(self) -> list[tuple[Any, ...]]:
        """Return what it tells something of: a less surprising rule that tells of the same adds little."""
        return [(type(self).__name__, *self.keys)]


class RowRule(Rule):
    """A rule that each row of one frame keeps or breaks by itself."""

    @abstractmethod
    def is_broken(self, frame: Frame) -> Truths:
        """Say where it does not hold, shape (rows, steps); a condition on all rows says it in the first."""

    def breach(self, table: RunTable) -> Breach | Literal["unknown"] | None:
        frame = table.frame_of(self.keys)
        if frame is None:
            return "unknown"
        broken = self.is_broken(frame)
        if not broken.any():
            return None
        steps = np.where(broken, frame.steps, np.iinfo(np.int64).max)
        row, place = divmod(int(steps.argmin()), steps.shape[1])
        run, entity = frame.units[row]
        return Breach(table.runs[run], int(steps[row, place]), entity if self.keys[0].is_class else "")


def everywhere(key: ColumnKey, text: str) -> str:
    """Return a condition on ``p`` as one on all entities of its class; one on a single entity as it is."""
    return f"all({text} for p in world.all({key.subject}))" if key.is_class else text
