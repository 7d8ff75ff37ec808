"""Diff: where two runs part, what differs in their states, their measures and their costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run, TurnRow
from cave_sim.journal.rebuild import Entities, entities_at, turn_at

Unlike = tuple[str, tuple[Any, Any]]
COMPARED = ("agent", "kind", "code", "status", "output", "error")
ABSENT = "(absent)"
"""Stands for the value of a field whose entity is not there."""


@dataclass(frozen=True, slots=True)
class Parted:
    """The first step after which two runs are not the same, and the first turns in it that differ.

    Attributes:
        step: the step.
        one, other: the turns; None where a run has no more of them.
        differ: which of agent, kind, code, status, output, error, changes.
    """

    step: int
    one: TurnRow | None
    other: TurnRow | None
    differ: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not the same in two runs.

    Attributes:
        parted: where they part; None if they never do as far as both go.
        state_parted: the first step after which their states differ, which may be later; or None.
        at: the step whose states and measures are compared.
        until: the last step that both have.
        steps: how many steps each has.
        fields: entity -> field -> (one value, the other), for what differs at that step.
        measures: name -> (one value, the other), for what differs at that step.
        costs: turns, seconds of work, model calls, tokens and dollars -> (one, the other).
    """

    parted: Parted | None
    state_parted: int | None
    at: int
    until: int
    steps: tuple[int, int]
    fields: dict[str, dict[str, tuple[Any, Any]]]
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
        JournalError: they have no step in common, or not the one asked for.
    """
    steps = [dict(run.query("SELECT step, state_hash || hash FROM steps ORDER BY step")) for run in (one, other)]
    common = sorted(steps[0].keys() & steps[1].keys())
    if not common:
        raise JournalError(f"{one.folder} and {other.folder} have no step in common")
    at = common[-1] if at is None else at
    entities = entities_at(one, at), entities_at(other, at)
    same = entities[0] == entities[1]
    return Difference(
        parted=_parted(one, other, common),
        state_parted=_first_unlike(one, other, common, "state_hash"),
        at=at,
        until=common[-1],
        steps=(len(steps[0]), len(steps[1])),
        fields={} if same else dict(_fields(*entities)),
        measures=dict(_unlike(_measures(one, at), _measures(other, at))),
        costs={name: (cost, _costs(other)[name]) for name, cost in _costs(one).items()},
    )


def _first_unlike(one: Run, other: Run, common: list[int], column: str) -> int | None:
    """Return the first step, of those that both have, for which a column differs."""
    sql = f"SELECT step, {column} FROM steps"
    left, right = dict(one.query(sql)), dict(other.query(sql))
    return next((step for step in common if left[step] != right[step]), None)


def _parted(one: Run, other: Run, common: list[int]) -> Parted | None:
    """Return the first turn that is not the same. Where the chains agree there is none, so those steps are skipped."""
    unlike = _first_unlike(one, other, common, "hash")
    if unlike is None:
        return None
    start = max((step for step in common if step < unlike), default=None)
    if start is None and _first_unlike(one, other, common, "state_hash") != unlike:
        start = unlike  # a branch: its chain begins anew, with the state that its parent had there
    turns = [run.turns(between=(_turn_at(run, start), turn_at(run, common[-1]))) for run in (one, other)]
    for left, right in zip_longest(*turns):
        differ = _differ(one, left, other, right)
        if differ:
            run, turn = (one, left) if left is not None else (other, right)
            return Parted(_committed_in(run, turn), left, right, differ)
    return None


def _turn_at(run: Run, step: int | None) -> int:
    return 0 if step is None else turn_at(run, step)


def _committed_in(run: Run, turn: TurnRow) -> int:
    return int(run.query("SELECT min(step) FROM steps WHERE last_turn >= ?", turn.turn)[0][0])


def _differ(one: Run, left: TurnRow | None, other: Run, right: TurnRow | None) -> tuple[str, ...]:
    if left is None or right is None:
        return ("presence",)
    differ = [name for name in COMPARED if getattr(left, name) != getattr(right, name)]
    if _changes(one, left) != _changes(other, right):
        differ.append("changes")
    return tuple(differ)


def _changes(run: Run, turn: TurnRow) -> list[tuple[Any, ...]]:
    sql = "SELECT entity, path, op, old, new FROM changes WHERE turn = ? ORDER BY position"
    return run.query(sql, turn.turn)


def _fields(one: Entities, other: Entities) -> Iterator[tuple[str, dict[str, tuple[Any, Any]]]]:
    for name in sorted(one.keys() | other.keys()):
        left, right = (each.get(name, {"fields": {}}) for each in (one, other))
        found = dict(_unlike(left["fields"], right["fields"], ABSENT))
        if found:
            yield name, found


def _unlike(one: Mapping[str, Any], other: Mapping[str, Any], absent: Any = None) -> Iterator[Unlike]:
    for name in [*one, *(name for name in other if name not in one)]:
        values = one.get(name, absent), other.get(name, absent)
        if values[0] != values[1]:
            yield name, values


def _measures(run: Run, step: int) -> dict[str, float]:
    return dict(run.query("SELECT name, value FROM measures WHERE step = ? ORDER BY name", step))


def _costs(run: Run) -> dict[str, float]:
    turns, work_s = run.query("SELECT count(*), coalesce(sum(duration_s), 0) FROM turns WHERE kind = 'cell'")[0]
    calls, reused, tokens, dollars = run.query(
        "SELECT count(*), coalesce(sum(reused), 0), "
        "coalesce(sum((json_extract(reply, '$.usage.prompt_tokens') + json_extract(reply, '$.usage.completion_tokens'))"
        " * (1 - reused)), 0), coalesce(sum(json_extract(reply, '$.cost_usd') * (1 - reused)), 0) FROM calls"
    )[0]
    return {"turns": turns, "work_s": round(work_s, 6), "calls": calls - reused, "tokens": tokens, "cost_usd": dollars}
