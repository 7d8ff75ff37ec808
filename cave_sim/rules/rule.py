"""Rules: what they say in words and as conditions, and where a run breaks them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from cave_sim.rules.happening import Happening, happens
from cave_sim.rules.table import ColumnKey, Frame, RunTable, Truths
from cave_sim.rules.wording import number

TOLERANCE = 1e-6
"""How far a conserved sum of numbers that are not whole may be off, as a share of it."""


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
    def told(self) -> str:
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
    def told(self) -> str:
        return f"{self.key.told} is never {'below' if self.side == 'low' else 'above'} {number(self.bound)}"

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
    def told(self) -> str:
        return f"{self.key.told} never {self.never}"

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
    def told(self) -> str:
        return f"{self.key.told} never changes after step {self.after}"

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
    def told(self) -> str:
        each = (f"all {key.subject}s’ {key.field}" if key.is_class else key.told for key in self.summed)
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


@dataclass(frozen=True)
class Implication(RowRule):
    """While a field has one value, another one has one of its own."""

    family: ClassVar[str] = "implications"
    key: ColumnKey
    value: Any
    other: ColumnKey
    other_value: Any

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.key, self.other

    @property
    def told(self) -> str:
        return f"while {_is(self.key, self.value)}, {_is(self.other, self.other_value, its=self.key)}"

    def is_broken(self, frame: Frame) -> Truths:
        other = frame.columns[self.other]
        holds = frame.columns[self.key].is_at(self.value)
        return holds & ~other.is_at(self.other_value) & ~np.isnan(other.values)

    def condition(self) -> str:
        return everywhere(self.key, f"{self.key.unlike(self.value)} or {self.other.like(self.other_value)}")

    def places(self) -> list[tuple[Any, ...]]:
        return of_two(self)


@dataclass(frozen=True)
class Response(RowRule):
    """Whenever one thing happens, another one does within some steps."""

    family: ClassVar[str] = "responses"
    event: Happening
    answer: Happening
    within: int

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.event.key, self.answer.key

    @property
    def told(self) -> str:
        soon = {0: "in the same step", 1: "in the same step or the next"}
        when = soon.get(self.within, f"within {self.within} steps")
        return f"whenever {self.event.told()}, {self.answer.told(self.event.key)} {when}"

    def is_broken(self, frame: Frame) -> Truths:
        return happens(frame, self.event) & ~follows(happens(frame, self.answer), self.within) & watched(frame, self)

    def condition(self) -> str:
        answered = " or ".join(f"({self.answer.condition(ago)})" for ago in range(self.within + 1))
        return everywhere(self.event.key, f"not ({self.event.condition(self.within)}) or {answered}")

    def places(self) -> list[tuple[Any, ...]]:
        return of_two(self)


@dataclass(frozen=True)
class Precedence(RowRule):
    """One thing happens for the first time only after another one has."""

    family: ClassVar[str] = "orders"
    first: Happening
    then: Happening

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.first.key, self.then.key

    @property
    def told(self) -> str:
        return f"{self.then.told()} only after {self.first.told(self.then.key)}"

    def is_broken(self, frame: Frame) -> Truths:
        done = np.logical_or.accumulate(happens(frame, self.first), axis=1)
        before = np.zeros_like(done)
        before[:, 1:] = done[:, :-1]
        return happens(frame, self.then) & ~before

    def condition(self) -> str:
        return everywhere(self.then.key, f"not ({self.then.condition()}) or earlier({self.first.condition()})")

    def places(self) -> list[tuple[Any, ...]]:
        return of_two(self)


def of_two(rule: Rule) -> list[tuple[Any, ...]]:
    """Return the places of a rule of two fields: the pair of them, and the one that follows."""
    one, other = rule.keys
    return [(rule.family, *sorted((one, other))), (rule.family, other)]


def follows(answers: Truths, within: int) -> Truths:
    """Say at which steps something happens then or within some more."""
    found = answers.copy()
    for later in range(1, min(within, answers.shape[1] - 1) + 1):
        found[:, :-later] |= answers[:, later:]
    return found


def watched(frame: Frame, rule: Response) -> Truths:
    """Say from which steps on it is known whether an answer came in time: the entity is there until then."""
    there = ~np.isnan(frame.columns[rule.answer.key].values)
    found = np.zeros_like(there)
    found[:, : there.shape[1] - rule.within] = there[:, rule.within :]
    return found


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
    found = {run: frame.steps[row] for frame in table.frames.values() for row, (run, _) in enumerate(frame.units)}
    return np.stack([found[run] for run in range(len(table.runs))])


def everywhere(key: ColumnKey, text: str) -> str:
    """Return a condition on ``p`` as one on all entities of its class; one on a single entity as it is."""
    return f"all({text} for p in world.all({key.subject}))" if key.is_class else text


def _is(key: ColumnKey, value: Any, its: ColumnKey | None = None) -> str:
    what = key.told if its is None or not its.is_class else f"its {key.field}"
    if key.form == "none":
        return f"{what} is {'not set' if value else 'set'}"
    return f"{what} is {value!r}"
