"""Comparing what was recorded of a run with what comes out when it is run again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import from_json
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.journal.queries import last_turn_of, state_hashes, variables_at
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_at, entities_of
from cave_sim.journal.rows import Row, data_of_reads, row_of_turn, rows_of_changes
from cave_sim.runtime.cell import cell_hash
from cave_sim.runtime.graph.plain_view import MISSING, differences, view
from cave_sim.world.world import World

COMPARED = ("turn", "step", "agent", "parent", "kind", "cell", "status", "output", "error")
ENTITY, PATH, OP, OLD, NEW = range(2, 7)
"""Places in a row of the table ``changes``."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing that came out otherwise.

    Attributes:
        turn: in which turn.
        step: the step that the turn was committed with.
        what: a column of the turn, an entity's field, ``state``, or an agent's variable.
        recorded, now: both outcomes, as text.
        reordered: whether both hold the same, in another order.
    """

    turn: int
    step: int
    what: str
    recorded: str
    now: str
    reordered: bool = False

    def __str__(self) -> str:
        return f"turn {self.turn} (step {self.step}) differs in {self.what}: recorded {self.recorded}, now {self.now}"


def turn_mismatch(step: int, row: Row, changes: Sequence[Row], turn: Turn) -> Mismatch | None:
    """Compare a recorded turn and its changes with a turn that was just run; None if they are alike."""
    row_now = row_of_turn(turn, cell_hash(turn.code) if turn.code else None)
    for place, column in enumerate(COMPARED):
        if row[place] != row_now[place]:
            return Mismatch(turn.id, step, column, _short(row[place]), _short(row_now[place]))
    changes_now = rows_of_changes(turn)
    for recorded, now in zip(changes, changes_now, strict=False):
        if recorded != now:
            both = _written(recorded), _written(now)
            return Mismatch(turn.id, step, _target(recorded), *both, _is_reordered(recorded, now))
    if len(changes) > len(changes_now):
        row = changes[len(changes_now)]
        return Mismatch(turn.id, step, _target(row), _written(row), "not written")
    if len(changes) < len(changes_now):
        row = changes_now[len(changes)]
        return Mismatch(turn.id, step, _target(row), "not written", _written(row))
    return None


def reads_mismatch(step: int, recorded: Mapping[str, Sequence[str]], turn: Turn) -> Mismatch | None:
    """Compare what a turn was recorded to have read of others with what it read now; None if it is the same."""
    now = data_of_reads(turn)["read"]
    return None if now == recorded else Mismatch(turn.id, step, "reads", _short(recorded), _short(now))


def founding_mismatch(run: Run, world: World, step: int) -> Mismatch | None:
    """Compare a world as it is made now with the one that a run began with; None if they are alike."""
    if world.state_hash() == state_hashes(run)[step]:
        return None
    turn = last_turn_of(run, step)
    entities, entities_now = entities_at(run, step), entities_of(from_json(world.snapshot()))
    for name in {**entities, **entities_now}:
        recorded, now = entities.get(name), entities_now.get(name)
        if recorded == now:
            continue
        if recorded is None or now is None or recorded["type"] != now["type"]:
            return Mismatch(turn, step, name, _short(recorded and recorded["type"]), _short(now and now["type"]))
        fields, fields_now = recorded["fields"], now["fields"]
        field = next(name for name in {**fields, **fields_now} if fields.get(name) != fields_now.get(name))
        return Mismatch(turn, step, f"{name}.{field}", _short(fields.get(field)), _short(fields_now.get(field)))
    return Mismatch(turn, step, "state", "another", "than now")


def variables_mismatch(run: Run, world: World, step: int, recorded: str) -> Mismatch | None:
    """Compare the variables that agents had after a step with those of a world; None if they are alike.

    Args:
        run: the run.
        world: run again up to the step.
        step: the step.
        recorded: the digest of all variables then.
    """
    now = world.variables_hash()
    if recorded == now:
        return None
    turn, then = last_turn_of(run, step), variables_at(run, step)
    if not recorded and any(then.values()):
        return None  # it was recorded when there were no digests of variables yet
    for agent in sorted({*then, *world.interpreter.namespaces}):
        one, other = then.get(agent, {}), world.interpreter.namespace(agent).data
        for name in sorted({*one, *other}):
            if name not in one or name not in other or one[name] != other[name]:
                views = [view(variables, name) if name in variables else MISSING for variables in (one, other)]
                return next(_unlike(turn, step, agent, name, *views))
    return Mismatch(turn, step, "variables", recorded[:12], now[:12])


def _unlike(turn: int, step: int, agent: str, name: str, then: Any, now: Any) -> Iterator[Mismatch]:
    for path, one, other in differences(then, now, (name,)):
        yield Mismatch(turn, step, f"variable {'.'.join(path)} of {agent}", _short(one), _short(other))
    yield Mismatch(turn, step, f"variable {name} of {agent}", "another kind of value", _short(now))


def _is_reordered(recorded: Row, now: Row) -> bool:
    """Say whether two changes write the same to the same place, but for the order of what is in it."""
    alike = recorded[ENTITY : OP + 1] == now[ENTITY : OP + 1] and None not in (recorded[NEW], now[NEW])
    return alike and _sorted(from_json(recorded[NEW])) == _sorted(from_json(now[NEW]))


def _sorted(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _sorted(value) for key, value in data.items()}
    return sorted(map(json.dumps, map(_sorted, data))) if isinstance(data, list) else data


def _target(row: Row) -> str:
    return ".".join(map(str, (row[ENTITY], *from_json(row[PATH]))))


def _written(row: Row) -> str:
    return f"{row[OP]} {_target(row)} {_short(row[NEW])}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) or value is MISSING else json.dumps(value)
    return shortened(str(text), 80)
