"""Blame: the chain of values of a field, and for each the turn, the line, the reply and the prompt that wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.plain_state import Fold
from cave_sim.determinism.canonical_json import same_json, to_json
from cave_sim.history.branches import parent_of
from cave_sim.history.code_lines import Line, reads, writers
from cave_sim.history.field_target import FieldTarget, fields_of, find_target
from cave_sim.history.model_exchange import ModelExchange, exchange_before
from cave_sim.history.part import concerns, part
from cave_sim.history.path_steps import GONE
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import child_turns, code_of, last_turn_of, last_turns, write_of_turn, writes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rows import Row, change_of_columns
from cave_sim.journal.tallies import call_counts

Narrowed = tuple[tuple[Any, ...], str, Any, Any]


@dataclass(frozen=True, slots=True)
class FieldWrite:
    """One value that a field was given.

    Attributes:
        run: name of the run: what was written before a branch began is its parent's.
        turn, step: when; the step is what the clock showed.
        time: world time as ISO text.
        agent: who; ``world`` for dynamics and events, ``operator`` for the researcher.
        kind: of the turn: ``cell``, ``world`` or ``outside``.
        path, op, old, new: of the change, as in docs/journal.md; of ``create`` and ``remove`` the field's own value.
        code: the cell; empty if there was none.
        lines: of the cell that wrote it: one, or all that may have.
        read: what the cell read by name.
        inside: the turns around this one, outermost first; of a cell that another agent ran.
        asked: what a model said before it, if one was asked.
    """

    run: str
    turn: int
    step: int
    time: str
    agent: str
    kind: str
    path: tuple[Any, ...]
    op: str
    old: Any
    new: Any
    code: str = ""
    lines: tuple[Line, ...] = ()
    read: tuple[str, ...] = ()
    inside: tuple[int, ...] = ()
    asked: ModelExchange | None = None

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@of_run
def blame(
    run: Run, target: str, *, at: int | None = None, last: int | None = None, explain: bool = True
) -> list[FieldWrite]:
    """Return the values that a field was given, oldest first, each with who wrote it and how.

    Of a branch, the chain goes on in its parent, if that lies beside it.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: a field, ``weather.kind``, ``world["Café Engel"].price_cents``; or a part of one: ``ann.plan["18:00"]``,
            ``queue[3]``, ``town.relations.nodes["ann"].mood``, ``town.relations.edges["ann", "bob"]``.
        at: only what was written up to the end of this step.
        last: only so many, the latest.
        explain: False to leave out lines, what was read, and what a model said, where only the values matter.

    Raises:
        JournalError: the run has no such entity, field or step.
    """
    until = last_turn_of(run, at) if at is not None else 2**62
    latest_first = _writes_with_ancestors(run, find_target(run, target), until, explain)
    return list(islice(latest_first, last))[::-1]


def _writes_with_ancestors(run: Run, target: FieldTarget, until: int, explain: bool) -> Iterator[FieldWrite]:
    """Yield what was written, latest first: in a run, and before it in the run that it came from."""
    parent = parent_of(run)
    first = -1 if parent is None else next(iter(last_turns(run).values()))
    began_with = None
    for write in _WriteSearch(run, target, until, explain).writes():
        if write.turn <= first:
            began_with = write
            break
        yield write
    if parent is not None:
        folder, step = parent
        with open_run(folder) as earlier:
            for write in _writes_with_ancestors(earlier, target, last_turn_of(earlier, step), explain):
                began_with = None
                yield write
    if began_with is not None:  # a field that the ancestors had not: it came with the branch
        yield began_with


class _WriteSearch:
    """The search for what was written to a target up to a turn."""

    def __init__(self, run: Run, target: FieldTarget, until: int, explain: bool) -> None:
        self.run, self.target, self.until, self.explain = run, target, until, explain
        self._cells: dict[str, str] = {}

    def writes(self) -> Iterator[FieldWrite]:
        """Yield what was written, latest first."""
        field = to_json(self.target.field).decode() if self.target.field else ""
        latest_first = writes(self.run, self.target.entity, field, self.until)
        if self.target.steps:
            yield from self._writes_of_part(list(latest_first)[::-1])
            return
        turn: list[Any]
        for *turn, path, op, old, new in latest_first:
            with self.run.reading():
                change = change_of_columns(self.target.entity, path, op, old, new)
                if self._is_about_target(change):
                    yield self._explained(turn, path, new, self._narrowed(*change[1:]))

    def _is_about_target(self, change: Change) -> bool:
        """Return False where an entity came or went that had no such field: its class got that later."""
        described = change.new or change.old
        return not self.target.field or bool(change.path) or self.target.field in fields_of(described)

    def _narrowed(self, path: tuple[Any, ...], op: str, old: Any, new: Any) -> Narrowed:
        """Return a change as it concerns the target."""
        wanted = self.target.field
        if wanted and not path:
            path, old, new = (wanted,), *(fields_of(description).get(wanted) for description in (old, new))
        return path, op, old, new

    def _writes_of_part(self, oldest_first: list[Row]) -> Iterator[FieldWrite]:
        """Yield what was written to a part of the field, latest first.

        The field is folded from change to change, and the part is looked up behind each that may concern it: what
        stands at a position of a list may be another item because one before it went.
        """
        writes: list[tuple[list[Any], str, str | None, Narrowed]] = []
        fold, now = Fold(), list[Any]()
        turn: list[Any]
        for *turn, path, op, old, new in oldest_first:
            with self.run.reading():
                fold.apply(self.target.entity, path, op, old, new)
                if not concerns(tuple(self.run.data(path)[1:]), self.target.steps):
                    continue
                before, now = now, self._part(fold)
                if same_json(before, now):
                    continue
            if op not in ("create", "remove"):
                op = "set" if now else "delete"
            place = (self.target.field, *self.target.steps)
            writes.append((turn, path, new, (place, op, *(each[0] if each else None for each in (before, now)))))
        return (self._explained(*write) for write in reversed(writes))

    def _part(self, fold: Fold) -> list[Any]:
        """Return a list with what the part is now; an empty one if it is not there."""
        if self.target.entity not in fold.entities:
            return []
        if self.target.field not in fold.entities[self.target.entity]["fields"]:
            return []
        value = part(fold.field_data(self.target.entity, self.target.field), self.target.steps)
        return [] if value is GONE else [deepcopy(value)]  # what is folded changes in place

    def _explained(self, row: list[Any], raw_path: str, raw_new: str | None, narrowed: Narrowed) -> FieldWrite:
        turn, step, agent, kind, cell = row
        path, op, old, new = narrowed
        inside: list[int] = []
        while child := self._child(turn, raw_path, raw_new):
            inside.append(turn)
            turn, step, agent, kind, cell = child
        code, name = self._code(cell), str(path[0]) if path else ""
        run, time = self.run.folder.resolve().name, self.run.time_at(step)
        write = FieldWrite(run, turn, step, time, agent, kind, path, op, old, new, code, inside=tuple(inside))
        if not code or not self.explain:
            return write
        key = str(self.target.steps[0]) if self.target.steps else ""
        lines = writers(code, agent, self.target.entity, name, key)
        exchange = exchange_before(self.run, agent, step, code) if self._models_were_asked else None
        return replace(write, lines=lines, read=reads(code, agent), asked=exchange)

    def _child(self, turn: int, path: str, new: str | None) -> tuple[Any, ...] | None:
        """Return the child turn whose cell left this very value; None if the turn's own cell did."""
        for child in reversed(self._children.get(turn, ())):
            row = write_of_turn(self.run, child, self.target.entity, path, new)
            if row is not None:
                return row
        return None

    @cached_property
    def _models_were_asked(self) -> bool:
        return call_counts(self.run)[0] > 0

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        return child_turns(self.run)

    def _code(self, cell: str | None) -> str:
        if cell is None:
            return ""
        if cell not in self._cells:
            self._cells[cell] = code_of(self.run, cell)
        return self._cells[cell]
