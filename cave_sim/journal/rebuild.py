"""The state after any step of a run, from its file alone: the nearest snapshot, and the changes since.

No entity class is needed and no code runs, so a stranger's file can be looked at safely.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from cave_sim.canonical_json import to_json
from cave_sim.changes.plain_state import Fold
from cave_sim.changes.state_hash import MODULUS
from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import DIGEST_BYTES
from cave_sim.journal.reader import Run

SNAPSHOT_BYTES = 2**31
"""A snapshot that unpacks to more is taken for an attack."""

CHANGES = (
    "SELECT entity, path, op, old, new FROM changes JOIN turns USING (turn) "
    "WHERE turn > ? AND turn <= ? AND parent IS NULL ORDER BY turn, position"
)

NEAREST = (
    "SELECT step, last_turn FROM steps JOIN snapshots USING (step) "
    f"WHERE step <= ? AND length(state) <> {DIGEST_BYTES} ORDER BY step DESC LIMIT 1"
)

Entities = dict[str, dict[str, Any]]


def entities_at(run: Run, step: int) -> Entities:
    """Return the world after a step as plain data: name -> ``{"type": class, "fields": {...}}``, in order of arrival.

    Cost: reading the nearest snapshot, and some 2 us for each change since.

    Raises:
        JournalError: the run has no such step, or its file is damaged.
    """
    with run.reading():
        return fold_at(run, step).settle()


def fold_at(run: Run, step: int) -> Fold:
    """Return the fold of everything up to a step, to be taken further."""
    last_turn = turn_at(run, step)
    found = run.query(NEAREST, step)
    start, first_turn = found[0] if found else (None, 0)
    fold = Fold() if start is None else Fold(entities_of(snapshot(run, start)))
    advance(run, fold, first_turn, last_turn)
    return fold


def advance(run: Run, fold: Fold, after_turn: int, last_turn: int) -> None:
    """Apply the changes of the turns behind one and up to another."""
    with run.reading():
        apply = fold.apply
        for change in run.rows(CHANGES, after_turn, last_turn):
            apply(*change)


def state_at(run: Run, step: int) -> bytes:
    """Return the world after a step as :meth:`World.snapshot` gives it; agents' variables are those kept until then.

    Raises:
        JournalError: the run has no such step, or its file is damaged.
    """
    with run.reading():
        entities = entities_at(run, step)
        start = run.query("SELECT min(step) FROM snapshots")[0][0]
        if start is None:
            raise JournalError(f"{run.folder} holds no snapshot, so nothing says how its world was set up")
        kept = run.kept(step)
        return to_json(
            {
                **snapshot(run, start),
                "classes": classes_at(run, step),
                "turns": turn_at(run, step),
                "types": {each["type"]: list(each["fields"]) for each in entities.values()},
                "entities": [[name, each["type"], list(each["fields"].values())] for name, each in entities.items()],
                "namespaces": {agent: data for (agent, kind), data in kept.items() if kind == "variables" and data},
            }
        )


def classes_at(run: Run, step: int) -> dict[str, str]:
    """Return ``module:qualname`` of entity classes by bare name, as the nearest snapshot has them; none in old runs."""
    nearest = run.query(NEAREST, step)
    classes: dict[str, str] = snapshot(run, nearest[0][0]).get("classes", {}) if nearest else {}
    return classes


def state_hash(entities: Entities) -> str:
    """Return the digest of a state given as plain data: the same as :meth:`World.state_hash` of the world itself."""
    return f"{sum(entity_digest(name, entity) for name, entity in entities.items()) % MODULUS:064x}"


def entity_digest(name: str, entity: dict[str, Any]) -> int:
    """Return the part of a state's digest that is one entity's."""
    data = to_json([name, entity["type"], entity["fields"]], sort=True)
    return int.from_bytes(hashlib.sha256(data).digest(), "big")


def folded(run: Run) -> Iterator[tuple[int, str, str]]:
    """Yield each step with its recorded state hash and the one of the changes folded from nothing, step by step."""
    fold, root, last = Fold(), 0, 0
    parts: dict[str, int] = {}
    for step, last_turn, recorded in run.query("SELECT step, last_turn, state_hash FROM steps ORDER BY step"):
        advance(run, fold, last, last_turn)
        with run.reading():
            entities = fold.settle()
            for name in fold.touched:
                root -= parts.pop(name, 0)
                if name in entities:
                    parts[name] = entity_digest(name, entities[name])
                    root += parts[name]
        fold.touched.clear()
        last = last_turn
        yield step, recorded, f"{root % MODULUS:064x}"


def turn_at(run: Run, step: int) -> int:
    """Return the last turn of a step; raises JournalError if the run has no such step."""
    found = run.query("SELECT last_turn FROM steps WHERE step = ?", step)
    if found:
        return int(found[0][0])
    first, last = run.query("SELECT min(step), max(step) FROM steps")[0]
    has = "no step at all" if first is None else f"the steps from {first} to {last}"
    raise JournalError(f"{run.folder} has no step {step}; it has {has}")


def snapshot(run: Run, step: int) -> dict[str, Any]:
    """Return the snapshot that was kept after a step, decoded."""
    with run.reading():
        packed = run.query("SELECT state FROM snapshots WHERE step = ?", step)[0][0]
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(packed, SNAPSHOT_BYTES)
        except zlib.error as error:
            raise JournalError(f"{run.folder} is damaged: snapshot {step} does not unpack: {error}") from None
        found: dict[str, Any] = msgspec.json.decode(data)
        return found


def entities_of(state: dict[str, Any]) -> Entities:
    """Return the entities of a snapshot."""
    types = state["types"]
    return {
        name: {"type": kind, "fields": dict(zip(types[kind], values, strict=True))}
        for name, kind, values in state["entities"]
    }
