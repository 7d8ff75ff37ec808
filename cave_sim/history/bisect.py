"""Bisect: the first turn that broke a condition, found by rebuilding few states of many."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.errors import JournalError
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.measures_by_name import MEASURES, holds
from cave_sim.history.model_exchange import ModelExchange, exchange_before
from cave_sim.history.wording import change_text
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import (
    changes_of_turn,
    committed_turns,
    last_turns,
    measures_of,
    names_of_measures,
    step_of_turn,
)
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import advance, fold_at
from cave_sim.journal.rows import TurnRow


@dataclass(frozen=True, slots=True)
class Breakage:
    """The first turn after which a condition no longer held, or the first step, where it names measures.

    Attributes:
        condition: as it was given.
        turn: the turn; ``step`` is what its clock showed. None where a measure broke it: these are taken once a step.
        time: of the turn, or of the step, as ISO text.
        committed_in: the step in which it was committed, or after which the measures were taken.
        changes: of the turn, in words, those of fields that the condition names first; or of the measures it names.
        asked: what a model said before it, if one was asked.
        rebuilds: how many states were rebuilt to find it.
    """

    condition: str
    turn: TurnRow | None
    time: str
    committed_in: int
    changes: tuple[str, ...]
    asked: ModelExchange | None
    rebuilds: int

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@of_run
def bisect(run: Run, condition: str, *, scan: bool = False) -> Breakage | None:
    """Return the turn that broke a condition; None if it holds after every state that was looked at.

    What a run measures may stand in it by name. Then it is asked after whole steps, and the step is what is found.

    Halving finds the one border there is. A condition that breaks, mends and breaks again has several, and halving
    finds one of them, or none if it holds at the end.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        condition: such as ``world["town"].treasury_cents >= 0``; see :class:`~cave_sim.history.condition.Condition`.
        scan: look at the state after every turn from the first on, and find the very first break.

    Raises:
        WorldError: the condition cannot be read, or not worked out on a state.
        JournalError: it does not hold at the start, so that nothing broke it; or the run has no step.
    """
    search = _Search(run, Condition(condition))
    if not search.steps:
        raise JournalError(f"{run.folder} has no step yet")
    first, last = search.steps[0], search.steps[-1]
    if not search.holds_after(first):
        search.expect_heard(last)
        raise JournalError(
            f"{run.folder}: {condition} does not even hold at step {first}, so no turn broke it;"
            f" which one brought it about is found by not ({condition})"
        )
    if scan:
        return search.refined(search.steps)
    if search.holds_after(last):
        search.expect_heard(last)
        return None
    return search.refined(search.halved())


class _Search:
    def __init__(self, run: Run, condition: Condition) -> None:
        self.run, self.condition = run, condition
        self.last_turns = last_turns(run)
        self.steps = list(self.last_turns)
        self.rebuilds = 0
        self._own = names_of_measures(run)

    def holds_after(self, step: int) -> bool:
        """Rebuild the state after a step and look."""
        return self._holds(self._world(step), step)

    def _holds(self, world: PlainWorld, step: int) -> bool:
        measures = measures_of(self.run, step)
        if absent := sorted(self._measures(world) - measures.keys()):
            raise JournalError(f"{self.run.folder}: there is nothing to measure of {absent[0]!r} at step {step}")
        return holds(ConditionOverSteps(self.condition), world, measures, sorted(self._own))

    def _measures(self, world: PlainWorld) -> set[str]:
        """Return the measures that the condition names, where no entity has the name."""
        return {name for name in self.condition.names & self._own if name not in world}

    def expect_heard(self, step: int) -> None:
        """Raise WorldError where the condition asks for a class by a slip; then no answer is one."""
        expect_heard(self.condition.text, self._world(step), self.run)

    def _world(self, step: int) -> PlainWorld:
        self.rebuilds += 1
        with self.run.reading():
            return PlainWorld(fold_at(self.run, step).settle())

    def halved(self) -> Sequence[int]:
        """Return a step after which the condition holds, and the next one, after which it does not."""
        low, high = 0, len(self.steps) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.holds_after(self.steps[middle]) else (low, middle)
        return self.steps[low : high + 1]

    def refined(self, steps: Sequence[int]) -> Breakage | None:
        """Take the state after the first of some steps on to the last; return the first turn after which it fails."""
        self.rebuilds += 1
        fold, turn = fold_at(self.run, steps[0]), self.last_turns[steps[0]]
        if MEASURES in self.condition.names or self._measures(PlainWorld(fold.settle())):
            for before, step in pairwise(steps):
                advance(self.run, fold, self.last_turns[before], self.last_turns[step])
                if not self._holds(PlainWorld(fold.settle()), step):
                    return self._breakage_of_step(before, step)
            return None
        for number in committed_turns(self.run, turn, self.last_turns[steps[-1]]):
            advance(self.run, fold, turn, number)
            turn = number
            if not self.condition.holds(PlainWorld(fold.settle())):
                return self._breakage(number)
        return None

    def _breakage_of_step(self, before: int, step: int) -> Breakage:
        old, new = measures_of(self.run, before), measures_of(self.run, step)
        named = self._own if MEASURES in self.condition.names else self.condition.names & self._own
        changed = [name for name in sorted(named) if name in new and old.get(name) != new[name]]
        changes = tuple(change_text((name,), "set", _short(old.get(name)), _short(new[name])) for name in changed)
        return Breakage(self.condition.text, None, self.run.time_at(step), step, changes, None, self.rebuilds)

    def _breakage(self, number: int) -> Breakage:
        run = self.run
        (turn,) = run.turns(between=(number - 1, number))
        exchange = exchange_before(run, turn.agent, turn.step, turn.code) if turn.code else None
        changes = tuple(_change_texts(run, number, first=self.condition.fields))
        time, step = run.time_at(turn.step), step_of_turn(run, number)
        return Breakage(self.condition.text, turn, time, step, changes, exchange, self.rebuilds)


def _short(measure: float | None) -> float | None:
    """Return a measure as it is told: a count without a fraction."""
    return int(measure) if measure is not None and measure.is_integer() else measure


def _change_texts(run: Run, turn: int, first: Collection[str]) -> Iterator[str]:
    """Yield the changes of a turn in words, each with its entity; those of some fields first."""
    changes = sorted(changes_of_turn(run, turn), key=lambda change: not change.path or change.path[0] not in first)
    for entity, path, op, old, new in changes:
        text = change_text(path, op, old, new)
        yield f"{entity}.{text}" if path else f"{entity} {text}"
