"""What nearly every change is, read at once: the number or word of somebody on the map that was set last.

A thousand who walk change thousands of fields in a step. SQLite lays them end to end, which costs half of what rows do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cave_sim import Run

COMING_AND_GOING = ("create", "remove")
BETWEEN = "FROM turns t JOIN changes c ON c.turn = t.turn WHERE t.turn > ? AND t.turn <= ? AND t.parent IS NULL"
BY_ORDER = "ORDER BY c.turn, c.position"
IN_ORDER = f"""SELECT c.entity, c.path, c.op, c.new, t.step {BETWEEN}
               AND (c.op IN ('create', 'remove') OR c.path IN ({{}}) OR c.entity IN ({{}})) {BY_ORDER}"""
LAID = f"""SELECT group_concat(entity || x'1f' || path, x'1e'), group_concat(new, x'1e')
           FROM (SELECT c.entity, c.path, c.new {BETWEEN} AND c.op = 'set' AND c.path IN ({{}}) {BY_ORDER})"""
FIELD, CHANGE = "\x1f", "\x1e"

Change = tuple[str, str, str, str | None, int]
"""Entity, path, op, what is there now, and the step."""


@dataclass(frozen=True)
class Moves:
    """What changed in a stretch of turns.

    Attributes:
        last: what is there now, as JSON, by slot.
        others: changes of whatever has no slot, in order.
        count: how many changes there were.
    """

    last: dict[int, str]
    others: list[Change]
    count: int


def last_moves(
    run: Run, after: int, until: int, *, plain: Collection[str], slots: Mapping[str, int], paths: Collection[str],
    entities: Collection[str],
) -> Moves | None:  # fmt: skip
    """Return what changed behind a turn, up to another one; None where order matters: somebody came, or went.

    Args:
        run: the journal.
        after: the turn behind which is read.
        until: the last turn that is.
        plain: paths of the fields that have slots.
        slots: where what of whom goes, by :func:`slot_key`.
        paths: of the other fields that count.
        entities: of which every change counts.
    """
    rest = run.query(IN_ORDER.format(marks(paths), marks(entities)), after, until, *paths, *entities)
    if any(op in COMING_AND_GOING for _, _, op, _, _ in rest):
        return None
    laid = run.query(LAID.format(marks(plain)), after, until, *plain)[0]
    fields, words = (text.split(CHANGE) if text else [] for text in laid)
    if len(fields) != len(words):  # one was set to nothing
        return None
    found = dict(zip(map(slots.get, fields), words, strict=True))
    others: list[Change] = [*rest]
    if found.pop(None, None) is not None:
        at_all = zip(fields, words, strict=True)
        unknown = [(*field.split(FIELD, 1), word) for field, word in at_all if field not in slots]
        others += [(entity, path, "set", word, 0) for entity, path, word in unknown]
    return Moves({slot: word for slot, word in found.items() if slot is not None}, others, len(fields) + len(rest))


def slot_key(entity: str, path: str) -> str:
    """Return how an entity's field is called in `slots`."""
    return f"{entity}{FIELD}{path}"


def marks(values: Collection[object]) -> str:
    """Return the place holders of so many values."""
    return ",".join("?" * len(values))
