"""Fields that entity classes got since a state was written: entities begin them with the default, which is a change.

It is the change that a script would make which writes the default to every entity, so whoever goes on with the state
has to tell of it as of any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from cave_sim.changes.change import Change
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.entity import Entity, blank
from cave_sim.entity.preparation import fields_of, types_of
from cave_sim.entity.undo_log import MISSING
from cave_sim.world.state import WorldState


def with_new_fields(world: WorldState, state: bytes) -> tuple[bytes, list[Change]]:
    """Return a snapshot with the fields that this world's classes have besides, and the changes that this comes to.

    A class that lost a field, or got one without a default, stays as it is there: restoring refuses it.

    Raises:
        WorldError: an entity's class is not loaded, or is another one than was recorded.
        SchemaError: a default does not fit its field.
    """
    data: dict[str, Any] = msgspec.json.decode(state)
    origins = data.get("classes", {})  # older snapshots do not say
    new = {
        kind: _defaults(world.registry.class_named(kind, fields, origins.get(kind)), fields)
        for kind, fields in data["types"].items()
    }
    changes = []
    for name, kind, values in data["entities"]:
        values += new[kind].values()
        changes += [Change(name, (field,), "set", None, default) for field, default in new[kind].items()]
    for kind, fields in data["types"].items():
        fields += new[kind]
    return (to_json(data), changes) if changes else (state, [])


def fields_of_changes(world: WorldState, changes: Iterable[Change]) -> list[str]:
    """Return the fields that changes wrote, as ``Class.field``, each once and sorted."""
    return sorted({f"{type(world[change.entity]).__name__}.{change.path[0]}" for change in changes})


def _defaults(cls: type[Entity], recorded: Collection[str]) -> dict[str, Any]:
    """Return the defaults, as plain data, of the fields that a class has beyond those that were recorded of it."""
    declared = fields_of(cls)
    new = {name: field.default for name, field in declared.items() if name not in recorded}
    if any(default is MISSING for default in new.values()) or not declared.keys() >= set(recorded):
        return {}
    types, entity = types_of(cls), blank(cls)
    for name, default in new.items():
        setattr(entity, name, default)
    return {name: types[name].encode(entity.__dict__[name]) for name in new}
