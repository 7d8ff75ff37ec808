"""Running the recorded cells of a run again, on a world made anew, and comparing turn by turn.

No agent chooses anything and no model is asked: what is run is what was run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn
from cave_sim.errors import JournalError
from cave_sim.journal.integrity import suspecting
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_at, entities_of, turn_at
from cave_sim.journal.rows import Row, change_rows, turn_row
from cave_sim.replay.resume import recall
from cave_sim.runtime.cell import cell_hash
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.apply_changes import apply_change
from cave_sim.world.world import World

STEPS = "SELECT step, last_turn, state_hash FROM steps WHERE step > ? AND step <= ? ORDER BY step"
TURNS = "SELECT * FROM turns WHERE turn > ? AND turn <= ? ORDER BY turn"
CHANGES = "SELECT * FROM changes WHERE turn > ? AND turn <= ? ORDER BY turn, position"
TOGETHER = "SELECT data FROM events WHERE step = ? AND kind = 'together' ORDER BY entry"
COMPARED = ("turn", "step", "agent", "parent", "kind", "cell", "status", "output", "error")
ENTITY, PATH, OP, OLD, NEW = range(2, 7)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing that came out otherwise.

    Attributes:
        turn: in which turn.
        step: the step that the turn was committed with.
        what: a column of the turn, ``changes``, or ``state``.
        recorded, now: both outcomes, as text.
    """

    turn: int
    step: int
    what: str
    recorded: str
    now: str

    def __str__(self) -> str:
        return f"turn {self.turn} (step {self.step}) differs in {self.what}: recorded {self.recorded}, now {self.now}"


def reexecute(run: Run, simulation: Simulation, until: int | None = None) -> Mismatch | None:
    """Run a run's cells again; return the first difference, or None if everything came out the same.

    Args:
        run: the run.
        simulation: one made just as the run's was, with no ``out``; it is left at the last step that was compared.
        until: the last step to compare; the run's last unless given.

    Raises:
        JournalError: the run has no steps, or its file is damaged.
    """
    first = _first_step(run)
    if run.manifest.get("parents"):
        recall(simulation, run, first)
    elif different := _founding_difference(run, simulation.world, first):
        return different
    simulation.follow(run.folder)
    return repeat(run, simulation.world, first, run.last_step if until is None else until)


def repeat(run: Run, world: World, first: int, until: int) -> Mismatch | None:
    """Run a run's cells again behind the step that a world is at; return the first difference, or None."""
    with suspecting(run):
        return _Replay(run, world).steps(first, until)


@dataclass
class _Step:
    """What was recorded of one step: rows of turns, rows of changes by turn, and which turns saw one state."""

    number: int
    turns: list[Row]
    changes: dict[int, list[Row]]
    together: list[Mapping[str, int]]
    lent: dict[str, dict[str, Any]] = field(default_factory=dict)

    def roots(self) -> Iterator[Row]:
        """Yield the turns that no other turn ran."""
        return (row for row in self.turns if row[3] is None)

    def batch(self, row: Row) -> list[Row] | None:
        """Return the cells that saw the same state as this one; None if it ran alone."""
        for span in self.together:
            if span["first"] <= row[0] <= span["last"]:
                return [each for each in self.roots() if span["first"] <= each[0] <= span["last"] and each[4] == "cell"]
        return None


class _Replay:
    """A world in which the turns of a run happen again."""

    def __init__(self, run: Run, world: World) -> None:
        self.run, self.world = run, world
        self.told: list[Turn] = []
        world.sink = self.told.append
        self.codes: dict[str, str] = {}

    def steps(self, first: int, until: int) -> Mismatch | None:
        """Replay the steps behind one."""
        last = self.world.turns.last_id = turn_at(self.run, first)
        for number, last_turn, state_hash in self.run.query(STEPS, first, until):
            step = self._step(number, last, last_turn)
            if different := self._step_difference(step):
                return different
            if (now := self.world.state_hash()) != state_hash:
                return Mismatch(last_turn, number, "state", state_hash[:12], now[:12])
            last = last_turn
        return None

    def _step(self, number: int, after: int, last_turn: int) -> _Step:
        changes: dict[int, list[Row]] = {}
        for row in self.run.rows(CHANGES, after, last_turn):
            changes.setdefault(row[0], []).append(row)
        together = [json.loads(data) for (data,) in self.run.query(TOGETHER, number)]
        return _Step(number, self.run.query(TURNS, after, last_turn), changes, together, self._lent(number))

    def _step_difference(self, step: _Step) -> Mismatch | None:
        done: set[int] = set()
        recorded = {row[0]: row for row in step.turns}
        for row in step.roots():
            if row[0] in done:
                continue
            self.told.clear()
            done |= self._repeat(step, row)
            for turn in sorted(self.told, key=lambda each: each.id):
                if turn.id not in recorded:
                    return Mismatch(turn.id, step.number, "turn", "no such turn", f"a turn of {turn.agent}")
                if different := _difference(step, recorded.pop(turn.id), turn):
                    return different
        for turn_id, row in recorded.items():
            return Mismatch(turn_id, step.number, "turn", f"a turn of {row[2]}", "no such turn")
        return None

    def _repeat(self, step: _Step, row: Row) -> set[int]:
        """Let a turn happen again, with those that saw the same state; returns their numbers."""
        turn_id, _, agent, _, kind, cell = row[:6]
        world = self.world
        if kind == "world":
            world.advance()
        elif kind == "outside":
            for change in step.changes.get(turn_id, ()):
                apply_change(world, _change(change))
            world.turns.record_script_writes()
        elif (batch := step.batch(row)) is not None:
            for each in batch:
                self._lend(step, each)
            world.execute_batch({each[2]: self._code(each[5]) for each in batch}, "simultaneous")
            return {each[0] for each in batch}
        else:
            self._lend(step, row)
            world.execute(self._code(cell), agent)
        return {turn_id}

    def _code(self, name: str | None) -> str:
        if name is None:
            return ""
        if name not in self.codes:
            self.codes[name] = str(self.run.query("SELECT code FROM cells WHERE hash = ?", name)[0][0])
        return self.codes[name]

    def _lent(self, step: int) -> dict[str, dict[str, Any]]:
        rows = self.run.query("SELECT agent, data FROM kept WHERE step = ? AND kind = 'variables'", step)
        return {agent: json.loads(data) for agent, data in rows}

    def _lend(self, step: _Step, row: Row) -> None:
        """Give an agent the variables that it was given in this step by the program around it, not by a cell."""
        given = step.lent.get(row[2])
        if not given:
            return
        namespace = self.world.interpreter.namespace(row[2])
        cells = [self._code(each[5]) for each in step.turns if each[2] == row[2]]
        missing = given.keys() - namespace.variables().keys() - set().union(*map(_bound, cells))
        lent = {name: given[name] for name in missing if "$source" not in given[name]}
        namespace.restore(lent, self.world.undo_log.entities, _refuse)


def _refuse(*_: Any) -> None:
    raise JournalError("a variable that no cell made holds code")


def _bound(code: str) -> set[str]:
    """Return the names that a cell binds at its top."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return names | {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def _difference(step: _Step, row: Row, turn: Turn) -> Mismatch | None:
    now = turn_row(turn, cell_hash(turn.code) if turn.code else None)
    for place, column in enumerate(COMPARED):
        if row[place] != now[place]:
            return Mismatch(turn.id, step.number, column, _short(row[place]), _short(now[place]))
    recorded, changed = step.changes.get(turn.id, []), change_rows(turn)
    for old, new in zip(recorded, changed, strict=False):
        if old != new:
            return Mismatch(turn.id, step.number, _where(old), _written(old), _written(new))
    if len(recorded) != len(changed):
        more = (recorded if len(recorded) > len(changed) else changed)[min(len(recorded), len(changed))]
        sides = [_written(more), "not written"]
        return Mismatch(turn.id, step.number, _where(more), *(sides if len(recorded) > len(changed) else sides[::-1]))
    return None


def _founding_difference(run: Run, world: World, step: int) -> Mismatch | None:
    """Compare the world as it is made now with the one that the run began with."""
    if world.state_hash() == run.query("SELECT state_hash FROM steps WHERE step = ?", step)[0][0]:
        return None
    recorded, now = entities_at(run, step), entities_of(json.loads(world.snapshot()))
    for name in {**recorded, **now}:
        old, new = recorded.get(name), now.get(name)
        if old == new:
            continue
        if old is None or new is None or old["type"] != new["type"]:
            return Mismatch(turn_at(run, step), step, name, _short(old and old["type"]), _short(new and new["type"]))
        was, is_ = old["fields"], new["fields"]
        what = next(each for each in {**was, **is_} if was.get(each) != is_.get(each))
        told = (_short(each.get(what)) for each in (was, is_))
        return Mismatch(turn_at(run, step), step, f"{name}.{what}", *told)
    return Mismatch(turn_at(run, step), step, "state", "another", "than now")


def _first_step(run: Run) -> int:
    first = run.query("SELECT min(step) FROM steps")[0][0]
    if first is None:
        raise JournalError(f"{run.folder} was stopped before its first step: there is nothing to replay")
    return int(first)


def _change(row: Row) -> Change:
    old, new = (None if text is None else json.loads(text) for text in (row[OLD], row[NEW]))
    return Change(row[ENTITY], tuple(json.loads(row[PATH])), row[OP], old, new)


def _where(row: Row) -> str:
    return ".".join(map(str, (row[ENTITY], *json.loads(row[PATH]))))


def _written(row: Row) -> str:
    return f"{row[OP]} {_where(row)} {_short(row[NEW])}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
