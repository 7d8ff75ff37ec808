"""Applying recorded changes to a world: what merging and rebuilding are made of. It runs no code."""

from __future__ import annotations

from typing import Any

from cave_sim.changes.change import Change
from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.graph_changes import write_graph_part
from cave_sim.entity.graph_form import key_value
from cave_sim.entity.graphs import TrackedGraph
from cave_sim.entity.identity import undo_log_of
from cave_sim.entity.nested_types import OpaqueType, inner_type
from cave_sim.entity.preparation import checks_of, types_of
from cave_sim.entity.tracked_parts import item_type_of, key_type_of, settle_in
from cave_sim.entity.undo_log import MISSING
from cave_sim.errors import WorldError
from cave_sim.world.state import WorldState


def apply_change(world: WorldState, change: Change) -> None:
    """Write one change to a world, noted in its undo log like any write.

    Raises:
        WorldError: the change names an entity, a field or a type that this world does not have.
        SchemaError: the new value does not fit the field.
    """
    if change.op == "create":
        world.registry.enter(change.entity, world.registry.build(change.new))
        return
    entity = world.undo_log.entities.get(change.entity)
    if entity is None:
        raise WorldError(f"{change.op} {change.entity}: there is no such entity in this world")
    if change.op == "remove":
        world.registry.leave(change.entity)
        return
    field, *place = change.path
    if field not in types_of(entity):
        raise WorldError(f"{change.entity}.{field}: {type(entity).__name__} has no such field")
    if change.op == "patch":
        codec = inner_type(types_of(entity)[field])
        assert isinstance(codec, OpaqueType)
        write_stored(entity, field, codec.codec.apply(entity.__dict__[field], change.new))
    elif place or change.op == "splice":
        _write_part(entity, entity.__dict__[field], change, place)
    else:
        write_data(entity, field, change.new)


def mirror_changes(world: WorldState, changes: list[Change]) -> None:
    """Write what landed in another process already: no rule is asked, nobody is told, but the state hash follows."""
    world.undo_log.mark()
    for change in changes:
        apply_change(world, change)
    world.undo_log.close()
    world.turns.state_hash.touch(changes)


def write_data(entity: Entity, field: str, data: Any) -> None:
    """Set a field to what its plain data says; scalars are checked against type and bounds."""
    check = checks_of(entity).get(field)
    write_stored(entity, field, types_of(entity)[field].decode(data) if check is None else check(data))


def write_stored(entity: Entity, field: str, value: Any) -> None:
    """Set a field to a value in the form in which entities hold it, noting the old one."""
    settle_in(value, entity, field)
    undo_log = undo_log_of(entity)
    if undo_log is not None:
        undo_log.deep = True
        undo_log.checkouts.pop((id(entity), field), None)
        undo_log.undo.append((entity, field, entity.__dict__[field]))
    entity.__dict__[field] = value


def _write_part(entity: Entity, holder: Any, change: Change, place: list[Any]) -> None:
    field = change.path[0]
    if isinstance(holder, TrackedGraph):
        where = (place[0], *map(key_value, place[1:]))
        write_graph_part(holder, where, MISSING if change.op == "delete" else change.new)
    elif isinstance(holder, TrackedList):
        start = change.new["at"]
        items = [settle_in(item_type_of(holder).decode(item), entity, field, 1) for item in change.new["items"]]
        holder._note(growth=start == len(holder))
        list.__setitem__(holder, slice(start, start + len(change.old["items"])), items)
    elif isinstance(holder, TrackedDict):
        key_type = key_type_of(holder)
        key = place[0] if key_type is None else key_type.decode(place[0])
        if change.op == "delete":
            del holder[key]
        else:
            holder._store(key, settle_in(item_type_of(holder).decode(change.new), entity, field, 1))
    elif isinstance(holder, TrackedSet):
        holder._flip(item_type_of(holder).decode(place[0]), change.op == "add")
    else:
        raise WorldError(f"{change.entity}.{field}: nothing there has parts to {change.op}")
