"""Everybody at every step: a row for each entity and step with its fields, folded once from a run's changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from cave_sim.changes.plain_state import Fold
from cave_sim.entity.json_form import referenced
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import last_turns
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import advance

SCALARS = frozenset({int, float, str, bool, type(None)})


@of_run
def panel(run: Run, *, kind: str | None = None, fields: Sequence[str] = ()) -> pd.DataFrame:
    """Return the fields of all entities after every step, as Mesa's ``get_agent_vars_dataframe`` does.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        kind: name of an entity class, for its entities alone.
        fields: which fields; those that hold numbers, texts, truth values and references if none are named.

    Returns:
        Indexed by step and entity: ``type``, and a column for each field; a reference is the other entity's name.

    Raises:
        JournalError: no entity is of that class, or none has one of the fields.
    """
    kinds: set[str] = set()
    declared: set[str] = set()
    columns: dict[str, list[Any]] = {}
    index: list[tuple[int, str]] = []
    types: list[str] = []
    rows: dict[str, tuple[str, dict[str, Any]]] = {}
    for step, entities, touched in states(run):
        for name in touched:
            if name in entities and name[0] != "$":
                rows[name] = entities[name]["type"], _shown(entities[name]["fields"], fields)
                kinds.add(entities[name]["type"])
                declared |= entities[name]["fields"].keys()
            else:
                rows.pop(name, None)
        for name in sorted(name for name, (type_, _) in rows.items() if kind in (None, type_)):
            type_, values = rows[name]
            index.append((step, name))
            types.append(type_)
            for field in values.keys() - columns.keys():
                columns[field] = []
            for field, value in values.items():
                column = columns[field]
                column.extend([None] * (len(index) - 1 - len(column)))
                column.append(value)
    _expect_known(kind, kinds, "entity is a")
    for field in fields:
        _expect_known(field, declared, "entity has a field")
    for column in columns.values():
        column.extend([None] * (len(index) - len(column)))
    placed = pd.MultiIndex.from_tuples(index, names=["step", "entity"])
    return pd.DataFrame({"type": types, **{field: columns[field] for field in sorted(columns)}}, index=placed)


def states(run: Run) -> Iterator[tuple[int, Mapping[str, Any], set[str]]]:
    """Yield each step of a run with its entities as plain data, and the names of those that changed in it.

    The entities are those of one fold: what is to be kept of them is to be copied.
    """
    fold, previous = Fold(), 0
    for step, turn in last_turns(run).items():
        advance(run, fold, previous, turn)
        with run.reading():
            entities = fold.settle()
        touched = set(fold.touched)
        fold.touched.clear()
        previous = turn
        yield step, entities, touched


def _shown(values: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
    if wanted:
        return {field: _plain(values[field]) for field in wanted if field in values}
    return {field: plain for field, value in values.items() if type(plain := referenced(value) or value) in SCALARS}


def _plain(value: Any) -> Any:
    """Return a value that does not change with the fold that holds it."""
    if isinstance(value, dict):
        return referenced(value) or {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _expect_known(word: str | None, known: Any, what: str) -> None:
    if word is not None and word not in known:
        raise JournalError(f"no {what} {word!r}.{did_you_mean(word, known)} There are: {', '.join(sorted(known))}")
