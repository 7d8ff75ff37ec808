"""Rules of a field by itself, and of what fields sum up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from cave_sim.rules.happening import Happening, happens
from cave_sim.rules.rule import Breach, RowRule, Rule, everywhere
from cave_sim.rules.table import ColumnKey, Frame, RunTable, Truths
from cave_sim.rules.wording import number

TOLERANCE = 1e-6
"""How far a conserved sum of numbers that are not whole may be off, as a share of it."""


@dataclass(frozen=True)
class FieldRule(RowRule):
    """A rule of one field.

    Attributes:
        key: of the field.
    """

    key: ColumnKey

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return (self.key,)


@dataclass(frozen=True)
class Bound(FieldRule):
    """A number never leaves a side.

    Attributes:
        side: which one.
        bound: where it is.
    """

    family: ClassVar[str] = "bounds"
    side: Literal["low", "high"]
    bound: float

    @property
    def sentence(self) -> str:
        return f"{self.key.phrase} is never {'below' if self.side == 'low' else 'above'} {number(self.bound)}"

    def is_broken(self, frame: Frame) -> Truths:
        values = frame.columns[self.key].values
        broken: Truths = values < self.bound if self.side == "low" else values > self.bound
        return broken

    def condition(self) -> str:
        return everywhere(self.key, f"{self.key.text()} {'>=' if self.side == 'low' else '<='} {number(self.bound)}")

    def places(self) -> list[tuple[Any, ...]]:
        return [("Bound", self.key, self.side)]


@dataclass(frozen=True)
class Trend(FieldRule):
    """A number never falls, or never rises."""

    family: ClassVar[str] = "trends"
    never: Literal["falls", "rises"]

    @property
    def sentence(self) -> str:
        return f"{self.key.phrase} never {self.never}"

    def is_broken(self, frame: Frame) -> Truths:
        return happens(frame, Happening(self.key, self.never))

    def condition(self) -> str:
        text = self.key.text()
        return everywhere(self.key, f"{text} {'>=' if self.never == 'falls' else '<='} was({text})")


@dataclass(frozen=True)
class Settled(FieldRule):
    """A field never changes after a step."""

    family: ClassVar[str] = "rests"
    after: int

    @property
    def sentence(self) -> str:
        return f"{self.key.phrase} never changes after step {self.after}"

    def is_broken(self, frame: Frame) -> Truths:
        return happens(frame, Happening(self.key, "changes")) & (frame.steps > self.after)

    def condition(self) -> str:
        return everywhere(self.key, f"world.step <= {self.after} or not ({Happening(self.key, 'changes').condition()})")


@dataclass(frozen=True)
class Conserved(Rule):
    """A sum over all that have a field, or two of them, stays what it is."""

    family: ClassVar[str] = "sums"
    summed: tuple[ColumnKey, ...]
    total: float
    is_whole: bool

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.summed

    @property
    def sentence(self) -> str:
        each = (f"all {key.subject}s’ {key.field}" if key.is_class else key.phrase for key in self.summed)
        return f"{' and '.join(each)} together stay{'s' * (len(self.summed) == 1)} {number(self.total)}"

    def breach(self, table: RunTable) -> Breach | Literal["unknown"] | None:
        totals = self.totals(table)
        if totals is None:
            return "unknown"
        steps = steps_of_runs(table)
        for run, name in enumerate(table.runs):
            off = np.abs(totals[run] - self.total) > (0 if self.is_whole else TOLERANCE * max(1.0, abs(self.total)))
            off &= steps[run] >= 0
            if off.any():
                return Breach(name, int(steps[run][off.argmax()]), "")
        return None

    def totals(self, table: RunTable) -> Any:
        """Return the sum in each run after each step, shape (runs, steps); None if there is nothing to be summed."""
        parts = [total_of(table, key) for key in self.summed]
        return None if any(part is None for part in parts) else sum(parts)

    def condition(self) -> str:
        parts = [_sum_text(key) for key in self.summed]
        if self.is_whole:
            return f"{' + '.join(parts)} == {number(self.total)}"
        return f"abs({' + '.join(parts)} - {number(self.total)}) <= {TOLERANCE * max(1.0, abs(self.total))!r}"


def _sum_text(key: ColumnKey) -> str:
    return f"sum({key.text()} for p in world.all({key.subject}))" if key.is_class else key.text()


def total_of(table: RunTable, key: ColumnKey) -> Any:
    """Return the sum of a column in each run after each step, shape (runs, steps); None if there is no such column."""
    frame = table.frame_of([key])
    if frame is None:
        return None
    totals = np.zeros((len(table.runs), frame.steps.shape[1]))
    np.add.at(totals, [run for run, _ in frame.units], np.nan_to_num(frame.columns[key].values))
    return totals


def steps_of_runs(table: RunTable) -> Any:
    """Return which step each place of a run is of, shape (runs, steps); -1 behind its end."""
    steps = {run: frame.steps[row] for frame in table.frames.values() for row, (run, _) in enumerate(frame.units)}
    return np.stack([steps[run] for run in range(len(table.runs))])
