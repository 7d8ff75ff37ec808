"""Rules of two fields: what holds while, soon after, or only after something else does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cave_sim.rules.happening import Happening, happens
from cave_sim.rules.rule import RowRule, everywhere
from cave_sim.rules.table import ColumnKey, Frame, Truths


class PairRule(RowRule):
    """A rule of two fields."""

    def places(self) -> list[tuple[Any, ...]]:
        one, other = self.keys  # the pair of them, and the one that follows
        return [(self.family, *sorted((one, other))), (self.family, other)]


@dataclass(frozen=True)
class Implication(PairRule):
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
    def sentence(self) -> str:
        return f"while {_is(self.key, self.value)}, {_is(self.other, self.other_value, its=self.key)}"

    def is_broken(self, frame: Frame) -> Truths:
        other = frame.columns[self.other]
        holds = frame.columns[self.key].is_at(self.value)
        return holds & ~other.is_at(self.other_value) & ~np.isnan(other.values)

    def condition(self) -> str:
        return everywhere(self.key, f"{self.key.unlike(self.value)} or {self.other.like(self.other_value)}")


@dataclass(frozen=True)
class Response(PairRule):
    """Whenever one thing happens, another one does within some steps."""

    family: ClassVar[str] = "responses"
    event: Happening
    answer: Happening
    within: int

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.event.key, self.answer.key

    @property
    def sentence(self) -> str:
        soon = {0: "in the same step", 1: "in the same step or the next"}
        when = soon.get(self.within, f"within {self.within} steps")
        return f"whenever {self.event.words()}, {self.answer.words(self.event.key)} {when}"

    def is_broken(self, frame: Frame) -> Truths:
        return happens(frame, self.event) & ~follows(happens(frame, self.answer), self.within) & watched(frame, self)

    def condition(self) -> str:
        answered = " or ".join(f"({self.answer.condition(ago)})" for ago in range(self.within + 1))
        return everywhere(self.event.key, f"not ({self.event.condition(self.within)}) or {answered}")


@dataclass(frozen=True)
class Precedence(PairRule):
    """One thing happens for the first time only after another one has."""

    family: ClassVar[str] = "orders"
    first: Happening
    then: Happening

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        return self.first.key, self.then.key

    @property
    def sentence(self) -> str:
        return f"{self.then.words()} only after {self.first.words(self.then.key)}"

    def is_broken(self, frame: Frame) -> Truths:
        done = np.logical_or.accumulate(happens(frame, self.first), axis=1)
        before = np.zeros_like(done)
        before[:, 1:] = done[:, :-1]
        return happens(frame, self.then) & ~before

    def condition(self) -> str:
        return everywhere(self.then.key, f"not ({self.then.condition()}) or earlier({self.first.condition()})")


def follows(answers: Truths, within: int) -> Truths:
    """Say at which steps something happens then or within some more."""
    soon = answers.copy()
    for later in range(1, min(within, answers.shape[1] - 1) + 1):
        soon[:, :-later] |= answers[:, later:]
    return soon


def watched(frame: Frame, rule: Response) -> Truths:
    """Say from which steps on it is known whether an answer came in time: the entity is there until then."""
    there = ~np.isnan(frame.columns[rule.answer.key].values)
    is_known = np.zeros_like(there)
    is_known[:, : there.shape[1] - rule.within] = there[:, rule.within :]
    return is_known


def _is(key: ColumnKey, value: Any, its: ColumnKey | None = None) -> str:
    what = key.phrase if its is None or not its.is_class else f"its {key.field}"
    if key.form == "none":
        return f"{what} is {'not set' if value else 'set'}"
    return f"{what} is {value!r}"
