"""What nearly every change is, read at once: the number or word of somebody on the map.

A thousand who walk change thousands of fields in a step. SQLite lays them end to end, which costs half of what rows do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from msgspec.json import decode
from numpy.typing import NDArray

from cave_sim import Run

COMING_AND_GOING = ("create", "remove")
BETWEEN = "FROM turns t JOIN changes c ON c.turn = t.turn WHERE t.turn > ? AND t.turn <= ? AND t.parent IS NULL"
ALL_BETWEEN = "FROM changes c WHERE c.turn > ? AND c.turn <= ?"
"""The same where no turn has a parent; a third of the time goes into asking each."""
PARTS = "SELECT 1 FROM turns WHERE turn > ? AND turn <= ? AND parent IS NOT NULL LIMIT 1"
IN_ORDER = f"""SELECT c.entity, c.path, c.op, c.new, t.step {BETWEEN}
               AND (c.op IN ('create', 'remove') OR c.path IN ({{}}) OR c.entity IN ({{}}))
               ORDER BY c.turn, c.position"""
LAID = """SELECT {} {} AND (c.path IN ({}) OR c.op IN ('create', 'remove') OR +c.entity IN ({}))"""
"""In one look and in their order: by ``+`` no index is used but the table's own."""
WRITTEN = "json_group_array(c.entity), json_group_array(c.path), json_group_array(c.new), total(c.op <> 'set')"
OPS = "json_group_array(c.op)"

Change = tuple[str, str, str, str | None, int]
"""Entity, path, op, what is there now, and the step."""


@dataclass(frozen=True)
class Moves:
    """What changed in a stretch of turns.

    Attributes:
        slots: what changed that has a slot, in order; the last one of a slot is what is there now.
        texts: what it was set to, as JSON.
        others: changes of whatever has no slot, or that set nothing, in order.
        count: how many changes there were.
    """

    slots: NDArray[np.intp]
    texts: list[str]
    others: list[Change]
    count: int


def moves_between(
    run: Run, after: int, until: int, *, slots: Mapping[tuple[str, str], int], paths: Collection[str],
    entities: Collection[str],
) -> Moves | None:  # fmt: skip
    """Return what changed behind a turn, up to another one; None where order matters: somebody came,
    went, or was set to nothing.

    Args:
        run: the journal.
        after: the turn behind which is read.
        until: the last turn that is.
        slots: where what of whom goes, by entity and path.
        paths: of the fields that count.
        entities: of which every change counts.
    """
    between = BETWEEN if run.query(PARTS, after, until) else ALL_BETWEEN
    chosen = between, marks(paths), marks(entities)
    *laid, not_set = run.query(LAID.format(WRITTEN, *chosen), after, until, *paths, *entities)[0]
    names, fields, texts = map(decode, laid)
    written = list(map(slots.get, zip(names, fields, strict=True)))
    ops = ["set"] * len(names)
    if not_set:  # seldom: so it is asked of each only then
        ops = decode(run.query(LAID.format(OPS, *chosen), after, until, *paths, *entities)[0][0])
        if any(op in COMING_AND_GOING for op in set(ops)):
            return None
        written = [slot if op == "set" else None for slot, op in zip(written, ops, strict=True)]
    if None in texts and any(new is None and slot is not None for new, slot in zip(texts, written, strict=True)):
        return None
    unknown = [at for at, slot in enumerate(written) if slot is None] if None in written else []
    others = [(names[at], fields[at], ops[at], texts[at], 0) for at in unknown]
    for at in reversed(unknown):
        del written[at], texts[at]
    return Moves(np.array(written, np.intp), texts, others, len(ops))


def marks(values: Collection[object]) -> str:
    """Return the place holders of so many values."""
    return ",".join("?" * len(values))
