"""The state after any step of a run, from its file alone: the nearest snapshot, and the changes since.

No entity class is needed and no code runs, so a stranger's file can be looked at safely.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from cave_sim.changes.plain_state import Fold
from cave_sim.changes.state_hash import MODULUS, entity_digest
from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import JournalError
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import (
    changes_between,
    last_turn_of,
    last_turns,
    nearest_snapshot,
    packed_snapshot,
    snapshot_sizes,
    state_hashes,
)
from cave_sim.journal.reader import Run

SNAPSHOT_BYTES = 2**31
"""A snapshot that unpacks to more is taken for an attack."""

Entities = dict[str, dict[str, Any]]


@of_run
def entities_at(run: Run, step: int) -> Entities:
    """Return the world after a step as plain data: name -> ``{"type": class, "fields": {...}}``, in order of arrival.

    Cost: reading the nearest snapshot, and some 2 us for each change since.

    Raises:
        JournalError: the run has no such step, or its file is damaged.
    """
    with run.reading():
        return fold_at(run, step).settle()


def entities_by_step(run: Run, every: int = 1) -> Iterator[tuple[int, Entities]]:
    """Yield each step with the world after it; every so many steps, and the last one in any case.

    What is yielded is good until the next one is asked for: states are folded on, not rebuilt each from its snapshot.
    """
    turns = list(last_turns(run).items())
    if not turns:
        return
    first, turn = turns[0]
    with run.reading():
        fold = fold_at(run, first)
        for number, (step, last) in enumerate(turns):
            advance(run, fold, turn, last)
            turn = last
            if number % max(1, every) == 0 or number == len(turns) - 1:
                yield step, fold.settle()


def fold_at(run: Run, step: int) -> Fold:
    """Return the fold of everything up to a step, to be taken further."""
    last_turn = last_turn_of(run, step)
    nearest = nearest_snapshot(run, step)
    fold = Fold() if nearest is None else Fold(entities_of(snapshot(run, nearest[0])))
    advance(run, fold, 0 if nearest is None else nearest[1], last_turn)
    return fold


def advance(run: Run, fold: Fold, after_turn: int, last_turn: int) -> None:
    """Apply the changes of the turns behind one and up to another."""
    with run.reading():
        apply = fold.apply
        for change in changes_between(run, after_turn, last_turn):
            apply(*change)


@of_run
def state_at(run: Run, step: int) -> bytes:
    """Return the world after a step as :meth:`World.snapshot` gives it; agents' variables are those kept until then.

    Raises:
        JournalError: the run has no such step, or its file is damaged.
    """
    with run.reading():
        entities = entities_at(run, step)
        start = next(iter(snapshot_sizes(run)), None)
        if start is None:
            raise JournalError(f"{run.folder} holds no snapshot, so nothing says how its world was set up")
        types = {entity["type"]: list(entity["fields"]) for entity in entities.values()}
        rows = [
            [name, kind := entity["type"], [entity["fields"][field] for field in types[kind]]]
            for name, entity in entities.items()
        ]  # entities of one class may have their fields in other orders: a field that came later came last
        private_data = run.private_data(step)
        return to_json(
            {
                **snapshot(run, start),
                "classes": classes_at(run, step),
                "turns": last_turn_of(run, step),
                "types": types,
                "entities": rows,
                "namespaces": {
                    agent: data for (agent, kind), data in private_data.items() if kind == "variables" and data
                },
            }
        )


def classes_at(run: Run, step: int) -> dict[str, str]:
    """Return ``module:qualname`` of entity classes by bare name, as the nearest snapshot has them; none in old runs."""
    nearest = nearest_snapshot(run, step)
    classes: dict[str, str] = snapshot(run, nearest[0]).get("classes", {}) if nearest else {}
    return classes


def state_hash(entities: Entities) -> str:
    """Return the digest of a state given as plain data: the same as :meth:`World.state_hash` of the world itself."""
    total = sum(entity_digest(name, entity["type"], entity["fields"]) for name, entity in entities.items())
    return f"{total % MODULUS:064x}"


def folded(run: Run) -> Iterator[tuple[int, str, str]]:
    """Yield each step with its recorded state hash and the one of the changes folded from nothing, step by step."""
    fold, root, previous_turn = Fold(), 0, 0
    parts: dict[str, int] = {}
    turns = last_turns(run)
    for step, recorded in state_hashes(run).items():
        advance(run, fold, previous_turn, turns[step])
        with run.reading():
            entities = fold.settle()
            for name in fold.touched:
                root -= parts.pop(name, 0)
                if name in entities:
                    parts[name] = entity_digest(name, entities[name]["type"], entities[name]["fields"])
                    root += parts[name]
        fold.touched.clear()
        previous_turn = turns[step]
        yield step, recorded, f"{root % MODULUS:064x}"


def snapshot(run: Run, step: int) -> dict[str, Any]:
    """Return the snapshot that was kept after a step, decoded."""
    with run.reading():
        packed = packed_snapshot(run, step)
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(packed, SNAPSHOT_BYTES)
        except zlib.error as error:
            raise JournalError(f"{run.folder} is damaged: snapshot {step} does not unpack: {error}") from None
        state: dict[str, Any] = msgspec.json.decode(data)
        return state


def entities_of(state: dict[str, Any]) -> Entities:
    """Return the entities of a snapshot."""
    types = state["types"]
    return {
        name: {"type": kind, "fields": dict(zip(types[kind], values, strict=True))}
        for name, kind, values in state["entities"]
    }
