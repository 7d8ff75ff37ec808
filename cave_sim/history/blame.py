"""Blame: the chain of values of a field, and for each the turn, the line, the reply and the prompt that wrote it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

from cave_sim.canonical_json import to_json
from cave_sim.entity.json_form import read_pairs
from cave_sim.history.branches import parent_of
from cave_sim.history.code_lines import Line, reads, writers
from cave_sim.history.target import FieldTarget, fields_of, find_target, loaded, part
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rebuild import turn_at

WRITES = """
SELECT turn, step, agent, kind, cell, path, op, old, new FROM changes JOIN turns USING (turn)
WHERE parent IS NULL AND turn <= ? AND entity = ? AND {paths} ORDER BY turn DESC, position DESC
"""


Narrowed = tuple[tuple[Any, ...], str, Any, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked and answered before a turn: its name, the last message of the prompt, its reply."""

    model: str
    prompt: str
    reply: str


@dataclass(frozen=True, slots=True)
class Written:
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
    asked: Asked | None = None

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def blame(
    run: Run, target: str, *, at: int | None = None, last: int | None = None, explain: bool = True
) -> list[Written]:
    """Return the values that a field was given, oldest first, each with who wrote it and how.

    Of a branch, the chain goes on in its parent, if that lies beside it.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: ``weather.kind``, ``ann.belongings.bread``, ``world["Café Engel"].price_cents``.
        at: only what was written up to the end of this step.
        last: only so many, the latest.
        explain: False to leave out lines, what was read, and what a model said, where only the values matter.

    Raises:
        JournalError: the run has no such entity, field or step.
    """
    wanted = find_target(run, target)
    until = turn_at(run, at) if at is not None else 2**62
    found = list(islice(_written(run, wanted, until, explain), last))
    return found[::-1]


def _written(run: Run, wanted: FieldTarget, until: int, explain: bool) -> Iterator[Written]:
    """Yield what was written, latest first: in a run, and before it in the run that it came from."""
    parent = parent_of(run)
    first = -1 if parent is None else run.query("SELECT last_turn FROM steps ORDER BY step LIMIT 1")[0][0]
    yield from takewhile(lambda written: written.turn > first, _Blame(run, wanted, until, explain).written())
    if parent is not None:
        folder, step = parent
        with open_run(folder) as earlier:
            yield from _written(earlier, wanted, turn_at(earlier, step), explain)


class _Blame:
    """One question: what was written to a target up to a turn."""

    def __init__(self, run: Run, target: FieldTarget, until: int, explain: bool) -> None:
        self.run, self.target, self.until, self.explain = run, target, until, explain
        self._cells: dict[str | None, str] = {None: ""}

    def written(self) -> Iterator[Written]:
        """Yield what was written, latest first."""
        paths, parameters = "1", [self.until, self.target.entity]
        if self.target.field:
            paths = "(path = '[]' OR path = ? || ']' OR instr(path, ? || ',') = 1)"
            parameters += 2 * [to_json([self.target.field]).decode()[:-1]]
        turn: list[Any]
        for *turn, path, op, old, new in self.run.rows(WRITES.format(paths=paths), *parameters):
            narrowed = self._narrowed(tuple(loaded(self.run, path)), op, loaded(self.run, old), loaded(self.run, new))
            if narrowed is not None:
                yield self._explained(turn, path, new, narrowed)

    def _narrowed(self, path: tuple[Any, ...], op: str, old: Any, new: Any) -> Narrowed | None:
        """Return a change as it concerns the target; None if it does not."""
        wanted, key = self.target.field, self.target.key
        if not wanted:
            return path, op, old, new
        if not path:
            path, old, new = (wanted,), *(fields_of(each).get(wanted) for each in (old, new))
        if not key:
            return path, op, old, new
        place = ".".join(map(part, path[1:]))
        if len(path) > 1:
            return (path, op, old, new) if place == key or place.startswith(f"{key}.") else None
        old, new = _item(old, key), _item(new, key)
        return None if old == new else ((*path, key), op, old, new)

    def _explained(self, row: list[Any], raw_path: str, raw_new: str | None, narrowed: Narrowed) -> Written:
        turn, step, agent, kind, cell = row
        path, op, old, new = narrowed
        inside: list[int] = []
        while child := self._child(turn, raw_path, raw_new):
            inside.append(turn)
            turn, step, agent, kind, cell = child
        code, name = self._code(cell), str(path[0]) if path else ""
        run, time = self.run.folder.resolve().name, world_time(self.run, step)
        found = Written(run, turn, step, time, agent, kind, path, op, old, new, inside=tuple(inside))
        if not code or not self.explain:
            return replace(found, code=code)
        lines = writers(code, agent, self.target.entity, name, self.target.key)
        said = asked(self.run, agent, step, code) if self._models_were_asked else None
        return replace(found, code=code, lines=lines, read=reads(code, agent), asked=said)

    def _child(self, turn: int, path: str, new: str | None) -> tuple[Any, ...] | None:
        """Return the child turn whose cell left this very value; None if the turn's own cell did."""
        for child in reversed(self._children.get(turn, ())):
            found = self.run.query(
                "SELECT turn, step, agent, kind, cell FROM turns JOIN changes USING (turn) "
                "WHERE turn = ? AND entity = ? AND path = ? AND new IS ?",
                child, self.target.entity, path, new,
            )  # fmt: skip
            if found:
                return found[0]
        return None

    @cached_property
    def _models_were_asked(self) -> bool:
        return bool(self.run.query("SELECT 1 FROM calls LIMIT 1"))

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for turn, parent in self.run.query("SELECT turn, parent FROM turns WHERE parent IS NOT NULL ORDER BY turn"):
            found.setdefault(parent, []).append(turn)
        return found

    def _code(self, cell: str | None) -> str:
        if cell not in self._cells:
            found = self.run.query("SELECT code FROM cells WHERE hash = ?", cell)
            self._cells[cell] = str(found[0][0]) if found else ""
        return self._cells[cell]


def world_time(run: Run, step: int) -> str:
    """Return what the clock of a run shows in a step, as ISO text."""
    try:
        start = dt.datetime.fromisoformat(run.manifest["start"])
        return (start + dt.timedelta(seconds=step * run.manifest["step_s"])).isoformat(timespec="minutes")
    except (KeyError, TypeError, ValueError, OverflowError):
        return f"step {step}"


def asked(run: Run, agent: str, step: int, code: str) -> Asked | None:
    """Return what a model said before a cell, in short; None if none was asked."""
    call = call_of(run, agent, step, code)
    if call is None:
        return None
    with run.reading():
        return Asked(call["model"]["name"], call["request"]["messages"][-1]["text"], call["reply"]["text"])


def call_of(run: Run, agent: str, step: int, code: str) -> dict[str, Any] | None:
    """Return the call that a cell came from: the last one whose reply holds it, or else the last that was answered."""
    with run.reading():
        calls = [call for call in run.calls(agent=agent, step=step) if call["reply"]]
        fitting = [call for call in calls if code.strip() in call["reply"]["text"]]
        return (fitting or calls)[-1] if calls else None


def _item(held: Any, key: str) -> Any:
    """Return what a plain dict holds under a key written as text; None if nothing."""
    pairs = read_pairs(held) if isinstance(held, dict) else ()
    return next((value for known, value in pairs if str(known) == key), None)
