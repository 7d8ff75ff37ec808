"""Rewards that anybody can check: what a turn was worth follows from the states before and after it, and its changes.

The same numbers come from a live run and from its journal, because both fold the same changes.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from inspect import signature
from pathlib import Path
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.plain_state import Fold, decode
from cave_sim.changes.plain_world import Entities, PlainWorld
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.entity import encode_fields
from cave_sim.errors import WorldError
from cave_sim.files.whole_files import in_place_of
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.history.model_exchange import call_before
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import changes_of_turn, last_turns, steps_with_replies
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import fold_at
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.journal.rows import TurnRow, columns_of_change
from cave_sim.world.state import WorldState

Reward = Callable[[PlainWorld, PlainWorld, Sequence[Change]], float]
"""(before, after, changes) -> what the turn was worth. The states are plain data, good until the function returns."""


def delta_reward(figure: str) -> Reward:
    """Return the reward that is what a figure gained: ``delta_reward('world["town"].treasury_cents')``.

    Args:
        figure: see :class:`~cave_sim.history.condition.Condition`.
    """
    formula = Condition(figure)

    def reward(before: PlainWorld, after: PlainWorld, changes: Sequence[Change]) -> float:
        if not changes:
            return 0.0
        now, then = (_number(figure, formula.value(state)) for state in (after, before))
        return now - then

    return reward


class RewardTracker:
    """Takes turns in their order, and says what each was worth. Cost: what the turn changed, and the reward's own.

    Args:
        reward: what a turn is worth; a text is short for :func:`delta_reward`.
        fold: the state at the start; it is taken along.
        run: that the turns are of, if they are recorded.

    Raises:
        WorldError: the text cannot be worked out, or asks for a class by a slip; it is neither a text nor a function of
            three arguments.
    """

    def __init__(self, reward: Reward | str, fold: Fold, run: Run | None = None) -> None:
        self._reward = delta_reward(reward) if isinstance(reward, str) else reward
        self._fold = fold
        if isinstance(reward, str):
            expect_heard(reward, self.state, run)
            _number(reward, Condition(reward).value(self.state))
        else:
            _expect_function(reward)

    @property
    def state(self) -> PlainWorld:
        """The state after the turns so far."""
        return PlainWorld(self._fold.settle())

    def of(self, changes: Sequence[Change]) -> float:
        """Return what a turn with these changes was worth."""
        before = PlainWorld(_Before(self._fold.settle(), changes))
        for change in changes:
            self._fold.apply(*columns_of_change(change))
        return _number("of its function", self._reward(before, self.state, changes))


def _number(origin: str, worth: Any) -> float:
    try:
        if not isinstance(worth, str):
            return float(worth)
    except (TypeError, ValueError, OverflowError):
        pass
    raise WorldError(f"the reward {origin} comes to {reprlib.repr(worth)}, which is no number")


def _expect_function(reward: object) -> None:
    """Refuse what cannot be called with the states before and after, and the changes."""
    way = "it is a figure, as in 'town.turnover_cents', or a function of (before, after, changes)"
    if not callable(reward):
        raise WorldError(f"the reward {reprlib.repr(reward)} is neither: {way}")
    try:
        signature(reward).bind(None, None, ())
    except TypeError as error:
        raise WorldError(f"the reward's function does not take three arguments ({error}): {way}") from None
    except ValueError:  # of some that are written in C nothing can be told
        return


class _Before(Mapping[str, Mapping[str, Any]]):
    """The entities as they are now, with copies of those that are about to change."""

    def __init__(self, entities: Entities, changes: Sequence[Change]) -> None:
        self._entities = entities
        self._copies: dict[str, dict[str, Any] | None] = {}
        for change in changes:
            if change.entity not in self._copies:
                entity = entities.get(change.entity)
                self._copies[change.entity] = None if entity is None else {**entity, "fields": dict(entity["fields"])}
            before = self._copies[change.entity]
            if before is not None and change.path and change.path[0] in before["fields"]:
                # parts are replaced, never changed
                before["fields"][change.path[0]] = copy(before["fields"][change.path[0]])

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        if name not in self._copies:
            return self._entities[name]
        before = self._copies[name]
        if before is None:
            raise KeyError(name)
        return before

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._entities if name not in self._copies)
        yield from (name for name, before in self._copies.items() if before is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def fold_of(world: WorldState) -> Fold:
    """Return the state of a live world as a fold of its own."""
    entities = world.undo_log.entities.items()
    plain = {name: {"type": type(entity).__name__, "fields": encode_fields(entity)} for name, entity in entities}
    return Fold(decode(to_json(plain)))


@of_run
def trajectories(run: Run, reward: Reward | str) -> Iterator[dict[str, Any]]:
    """Yield what agents were asked, answered, ran, changed and were worth, turn by turn: what training is made of.

    Each is ``{"turn", "step", "agent", "prompt", "reply", "cell", "status", "output", "error", "changes", "reward"}``;
    ``prompt`` is the list of messages and ``reply`` the text, both None where no model was asked. What the world did by
    itself is folded in, and credited to nobody; a turn that another turn ran is part of that one.

    Raises:
        JournalError: the file is damaged. WorldError: the reward's text cannot be worked out.
    """
    expect_prompts(run.folder, run.manifest.get(REDACTED))
    steps = list(last_turns(run).items())
    with run.reading():
        tracker = RewardTracker(reward, fold_at(run, steps[0][0]), run)
    calls = _Calls(run)
    for turn, changes in turns_between(run, steps[0][1], steps[-1][1]):
        worth = tracker.of(changes)
        if turn.kind == "cell":
            prompt, reply = calls.before(turn.agent, turn.step, turn.code)
            yield {
                "turn": turn.turn, "step": turn.step, "agent": turn.agent, "prompt": prompt, "reply": reply,
                "cell": turn.code, "status": turn.status, "output": turn.output, "error": turn.error,
                "changes": [change._asdict() for change in changes], "reward": worth,
            }  # fmt: skip


def write_trajectories(run: Run, reward: Reward | str, path: Path) -> None:
    """Write the trajectories of a run, one JSON object a line."""
    with in_place_of(path) as fresh, fresh.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in trajectories(run, reward))


def turns_between(run: Run, after_turn: int, last_turn: int) -> Iterator[tuple[TurnRow, list[Change]]]:
    """Yield the turns behind one and up to another with their changes, child turns left out."""
    for turn in run.turns(between=(after_turn, last_turn)):
        if turn.parent is None:
            yield turn, changes_of_turn(run, turn.turn)


class _Calls:
    """The answered calls of a run, one step at a time."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._steps = steps_with_replies(run)

    def before(self, agent: str, step: int, code: str) -> tuple[Any, Any]:
        """Return messages and reply of the call that a cell came from."""
        if step not in self._steps:
            return None, None
        call = call_before(self._run, agent, step, code)
        return (None, None) if call is None else (call["request"]["messages"], call["reply"]["text"])
