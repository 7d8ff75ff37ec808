"""What nearly every change is, read at once: the number or word of somebody on the map.

A thousand who walk change thousands of fields in a step. SQLite lays them end to end, which costs half of what rows do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cave_sim import Run

COMING_AND_GOING = ("create", "remove")
BETWEEN = "FROM turns t JOIN changes c ON c.turn = t.turn WHERE t.turn > ? AND t.turn <= ? AND t.parent IS NULL"
ALL_BETWEEN = "FROM changes c WHERE c.turn > ? AND c.turn <= ?"
"""The same where no turn has a parent; a third of the time goes into asking each."""
PARTS = "SELECT 1 FROM turns WHERE turn > ? AND turn <= ? AND parent IS NOT NULL LIMIT 1"
BY_ORDER = "ORDER BY c.turn, c.position"
IN_ORDER = f"""SELECT c.entity, c.path, c.op, c.new, t.step {BETWEEN}
               AND (c.op IN ('create', 'remove') OR c.path IN ({{}}) OR c.entity IN ({{}})) {BY_ORDER}"""
LAID = f"""SELECT count(*), group_concat(entity, x'1e'), group_concat(path, x'1e'), group_concat(new, x'1e')
           FROM (SELECT c.entity, c.path, c.new {{}} AND c.op = 'set' AND c.path IN ({{}}) {BY_ORDER})"""
END = "\x1e"

Change = tuple[str, str, str, str | None, int]
"""Entity, path, op, what is there now, and the step."""


@dataclass(frozen=True)
class Moves:
    """What changed in a stretch of turns.

    Attributes:
        slots: what changed that has a slot, in order; the last one of a slot is what is there now.
        texts: what it was set to, as JSON.
        others: changes of whatever has no slot, in order.
        count: how many changes there were.
    """

    slots: NDArray[np.intp]
    texts: NDArray[np.object_]
    others: list[Change]
    count: int


def moves_between(
    run: Run, after: int, until: int, *, plain: Collection[str], slots: Mapping[tuple[str, str], int],
    paths: Collection[str], entities: Collection[str],
) -> Moves | None:  # fmt: skip
    """Return what changed behind a turn, up to another one; None where order matters: somebody came, or went.

    Args:
        run: the journal.
        after: the turn behind which is read.
        until: the last turn that is.
        plain: paths of the fields that have slots.
        slots: where what of whom goes, by entity and path.
        paths: of the other fields that count.
        entities: of which every change counts.
    """
    rest = run.query(IN_ORDER.format(marks(paths), marks(entities)), after, until, *paths, *entities)
    if any(op in COMING_AND_GOING for _, _, op, _, _ in rest):
        return None
    between = BETWEEN if run.query(PARTS, after, until) else ALL_BETWEEN
    count, *laid = run.query(LAID.format(between, marks(plain)), after, until, *plain)[0]
    names, fields, words = (text.split(END) if text is not None else [] for text in laid)
    if not len(names) == len(fields) == len(words) == count:  # one was set to nothing
        return None
    found = list(map(slots.get, zip(names, fields, strict=True)))
    others: list[Change] = [*rest]
    texts = np.array(words, object)
    if None in found:
        unknown = [at for at, slot in enumerate(found) if slot is None]
        others += [(names[at], fields[at], "set", words[at], 0) for at in unknown]
        texts = np.delete(texts, unknown)
    return Moves(np.array([slot for slot in found if slot is not None], np.intp), texts, others, count + len(rest))


def marks(values: Collection[object]) -> str:
    """Return the place holders of so many values."""
    return ",".join("?" * len(values))
