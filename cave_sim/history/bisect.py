"""Bisect: the first turn that broke a condition, found by rebuilding few states of many."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.errors import JournalError
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.history.model_exchange import ModelExchange, exchange_before
from cave_sim.history.wording import change_text
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import changes_of_turn, committed_turns, last_turns, step_of_turn
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import advance, fold_at
from cave_sim.journal.rows import TurnRow


@dataclass(frozen=True, slots=True)
class Breakage:
    """The first turn after which a condition no longer held.

    Attributes:
        condition: as it was given.
        turn: the turn; ``step`` is what its clock showed, ``time`` that as ISO text.
        committed_in: the step in which it was committed.
        changes: of the turn, in words; those of fields that the condition names come first.
        asked: what a model said before it, if one was asked.
        rebuilds: how many states were rebuilt to find it.
    """

    condition: str
    turn: TurnRow
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
        return search.refined(first, last)
    if search.holds_after(last):
        search.expect_heard(last)
        return None
    return search.refined(*search.halved())


class _Search:
    def __init__(self, run: Run, condition: Condition) -> None:
        self.run, self.condition = run, condition
        self.last_turns = last_turns(run)
        self.steps = list(self.last_turns)
        self.rebuilds = 0

    def holds_after(self, step: int) -> bool:
        """Rebuild the state after a step and look."""
        return self.condition.holds(self._world(step))

    def expect_heard(self, step: int) -> None:
        """Raise WorldError where the condition asks for a class by a slip; then no answer is one."""
        expect_heard(self.condition.text, self._world(step), self.run)

    def _world(self, step: int) -> PlainWorld:
        self.rebuilds += 1
        with self.run.reading():
            return PlainWorld(fold_at(self.run, step).settle())

    def halved(self) -> tuple[int, int]:
        """Return a step after which the condition holds, and the next one, after which it does not."""
        low, high = 0, len(self.steps) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.holds_after(self.steps[middle]) else (low, middle)
        return self.steps[low], self.steps[high]

    def refined(self, after: int, until: int) -> Breakage | None:
        """Take the state after one step turn by turn up to another; return the first turn after which it fails."""
        self.rebuilds += 1
        fold, turn = fold_at(self.run, after), self.last_turns[after]
        for number in committed_turns(self.run, turn, self.last_turns[until]):
            advance(self.run, fold, turn, number)
            turn = number
            if not self.condition.holds(PlainWorld(fold.settle())):
                return self._breakage(number)
        return None

    def _breakage(self, number: int) -> Breakage:
        run = self.run
        (turn,) = run.turns(between=(number - 1, number))
        exchange = exchange_before(run, turn.agent, turn.step, turn.code) if turn.code else None
        changes = tuple(_change_texts(run, number, first=self.condition.fields))
        time, step = run.time_at(turn.step), step_of_turn(run, number)
        return Breakage(self.condition.text, turn, time, step, changes, exchange, self.rebuilds)


def _change_texts(run: Run, turn: int, first: Collection[str]) -> Iterator[str]:
    """Yield the changes of a turn in words, each with its entity; those of some fields first."""
    changes = sorted(changes_of_turn(run, turn), key=lambda change: not change.path or change.path[0] not in first)
    for entity, path, op, old, new in changes:
        text = change_text(path, op, old, new)
        yield f"{entity}.{text}" if path else f"{entity} {text}"
