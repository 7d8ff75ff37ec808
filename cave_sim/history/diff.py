"""Diff: where two runs part, what differs in their states, their measures and their costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.history.field_target import ours_last
from cave_sim.journal.opened import expect_opened
from cave_sim.journal.queries import (
    last_turn_of,
    measures_of,
    recorded_changes,
    state_hashes,
    step_hashes,
    variables_at,
)
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import Entities, entities_at
from cave_sim.journal.rows import Row, TurnRow
from cave_sim.journal.tallies import costs
from cave_sim.loading.views import Viewed
from cave_sim.runtime.graph.plain_view import MISSING, differences, view

Variables = Mapping[str, Mapping[str, Any]]
Unlike = tuple[str, tuple[Any, Any]]
COMPARED = ("agent", "kind", "code", "status", "output", "error")
ABSENT = "(absent)"
"""Stands for the value of a field whose entity is not there."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two runs are no longer the same: the first turns that differ.

    Attributes:
        step: what the clock showed, as of any turn; that step's turns are committed with the next state.
        one, other: the turns; None where a run has no more of them.
        differ: which of agent, kind, code, status, output, error, changes.
    """

    step: int
    one: TurnRow | None
    other: TurnRow | None
    differ: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference(Viewed):
    """What is not the same in two runs.

    Attributes:
        parted: where they part; None if they never do as far as both go.
        state_parted: the first step after which their states differ, which may be later; or None.
        at: the step whose states and measures are compared.
        until: the last step that both have.
        steps: the last step of each.
        fields: entity -> field -> (one value, the other), for what differs at that step.
        variables: agent -> path in its variables -> (one value, the other), for what differs at that step.
        measures: name -> (one value, the other), for what differs at that step.
        costs: turns, seconds of work, model calls, tokens and dollars -> (one, the other).
    """

    parted: Divergence | None
    state_parted: int | None
    at: int
    until: int
    steps: tuple[int, int]
    fields: dict[str, dict[str, tuple[Any, Any]]]
    variables: dict[str, dict[str, tuple[Any, Any]]]
    measures: dict[str, tuple[float | None, float | None]]
    costs: dict[str, tuple[float, float]]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def diff(one: Run, other: Run, *, at: int | None = None) -> Difference:
    """Compare two runs.

    Args:
        one: a run.
        other: another; a branch of the first, or one with another seed, model or option.
        at: compare the states after this step; the last that both have if not given.

    Raises:
        JournalError: they have no step in common, or not the one asked for; or one is no opened run.
    """
    expect_opened("diff", one, other)
    steps = [step_hashes(run) for run in (one, other)]
    common = sorted(steps[0].keys() & steps[1].keys())
    if not common:
        raise JournalError(f"{one.folder} and {other.folder} have no step in common")
    at = common[-1] if at is None else at
    entities = entities_at(one, at), entities_at(other, at)
    same = entities[0] == entities[1]
    other_costs = costs(other)
    return Difference(
        parted=divergence(one, other),
        state_parted=_first_unlike(state_hashes(one), state_hashes(other), common),
        at=at,
        until=common[-1],
        steps=(max(steps[0]), max(steps[1])),
        fields={} if same else dict(_fields(*entities)),
        variables=dict(_variables(variables_at(one, at), variables_at(other, at))),
        measures=dict(_unlike(measures_of(one, at), measures_of(other, at))),
        costs={name: (cost, other_costs[name]) for name, cost in costs(one).items()},
    )


def _first_unlike(one: Mapping[int, str], other: Mapping[int, str], common: list[int]) -> int | None:
    """Return the first step, of those that both have, whose hash differs."""
    return next((step for step in common if one[step] != other[step]), None)


def divergence(one: Run, other: Run) -> Divergence | None:
    """Return where two runs part; None if they never do as far as both go.

    Where their chains of hashes agree no turn differs, so those steps are skipped.
    """
    common = sorted(step_hashes(one).keys() & step_hashes(other).keys())
    unlike = _first_unlike(step_hashes(one), step_hashes(other), common)
    if unlike is None:
        return None
    start = max((step for step in common if step < unlike), default=None)
    if start is None and _first_unlike(state_hashes(one), state_hashes(other), common) != unlike:
        start = unlike  # a branch: its chain begins anew, with the state that its parent had there
    turns = [run.turns(between=(_turn_at(run, start), last_turn_of(run, common[-1]))) for run in (one, other)]
    for left, right in zip_longest(*turns):
        differ = _differ(one, left, other, right)
        if differ:
            step = min(turn.step for turn in (left, right) if turn is not None)
            return Divergence(step, left, right, differ)
    return None


def _turn_at(run: Run, step: int | None) -> int:
    return 0 if step is None else last_turn_of(run, step)


def _differ(one: Run, left: TurnRow | None, other: Run, right: TurnRow | None) -> tuple[str, ...]:
    if left is None or right is None:
        return ("presence",)
    differ = [name for name in COMPARED if getattr(left, name) != getattr(right, name)]
    if _columns(one, left.turn) != _columns(other, right.turn):
        differ.append("changes")
    return tuple(differ)


def _columns(run: Run, turn: int) -> list[Row]:
    """Return the changes of a turn as they are kept: 1 and 1.0 are not the same."""
    return [row[2:] for row in recorded_changes(run, turn - 1, turn).get(turn, ())]


def _fields(one: Entities, other: Entities) -> Iterator[tuple[str, dict[str, tuple[Any, Any]]]]:
    for name in sorted(one.keys() | other.keys(), key=ours_last):
        left, right = (entities.get(name, {"fields": {}}) for entities in (one, other))
        fields = dict(_unlike(left["fields"], right["fields"], ABSENT))
        if fields:
            yield name, fields


def _variables(one: Variables, other: Variables) -> Iterator[tuple[str, dict[str, tuple[Any, Any]]]]:
    for agent in sorted(one.keys() | other.keys()):
        left_view, right_view = (
            {name: view(variables, name) for name in sorted(variables)}
            for variables in (one.get(agent, {}), other.get(agent, {}))
        )
        unlike = {
            ".".join(path): (_shown(left), _shown(right)) for path, left, right in differences(left_view, right_view)
        }
        if unlike:
            yield agent, unlike


def _shown(value: Any) -> Any:
    return ABSENT if value is MISSING else value


def _unlike(one: Mapping[str, Any], other: Mapping[str, Any], absent: Any = None) -> Iterator[Unlike]:
    for name in [*one, *(name for name in other if name not in one)]:
        values = one.get(name, absent), other.get(name, absent)
        if values[0] != values[1]:
            yield name, values
