"""The net changes of a proposal, written again to the canonical world: as a cell writes, with every check of that."""

from __future__ import annotations

from typing import Any

from cave_sim.changes.change import Change
from cave_sim.entity.containers import TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.entity import Entity
from cave_sim.entity.graph_changes import write_graph_part
from cave_sim.entity.graph_form import key_value
from cave_sim.entity.graphs import TrackedGraph, become, graph_snapshot
from cave_sim.entity.nested_types import OpaqueType, inner_type
from cave_sim.entity.preparation import types_of
from cave_sim.entity.tracked_parts import item_type_of, key_type_of
from cave_sim.entity.undo_log import MISSING
from cave_sim.hosts.process.proposal_check import InvalidProposal
from cave_sim.policy.permissions import Rights
from cave_sim.world.state import WorldState


class ProposalWriter:
    """Writes net changes to a world as a cell would: by attributes and items, under the acting agent's rights."""

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._entities = world.undo_log.entities

    def write_all(self, changes: list[Change]) -> None:
        """Write what one stretch of the cell came to; who comes may refer to who comes after."""
        late: list[tuple[str, str, Any]] = []
        for change in changes:
            if change.path:
                self._write(change)
            else:
                late += self._population(change)
                if change.op == "create" and change is _last_arrival(changes):
                    for name, field, data in late:
                        self._as_world(setattr, self._entities[name], field, self._set_value(name, field, data))

    def _population(self, change: Change) -> list[tuple[str, str, Any]]:
        """Let an entity come or go; returns the fields that refer to entities which are not there yet."""
        rights = self._world.undo_log.guard
        if not isinstance(rights, Rights) or not rights.may_change_population() or change.entity[:1] in "$_":
            raise InvalidProposal(f"{change.entity}: this agent may not add or remove entities")
        if change.op == "remove":
            self._as_world(self._world.remove, change.entity)
            return []
        if change.op != "create":
            raise InvalidProposal(f"{change.op} {change.entity}: there is no such change")
        kind, fields = self._world.registry.class_for(change.new["type"], change.new["fields"]), change.new["fields"]
        values, late = {}, []
        for field, data in fields.items():
            try:
                values[field] = types_of(kind)[field].native(data, self._entities)
            except KeyError:
                late.append((change.entity, field, data))
        self._as_world(self._world.add, change.entity, kind(**values))
        return late

    def _as_world(self, act: Any, *args: Any) -> None:
        with self._world.undo_log.as_world():
            act(*args)

    def _set_value(self, name: str, field: str, data: Any) -> Any:
        return types_of(self._entities[name])[field].native(data, self._entities)

    def _write(self, change: Change) -> None:
        entity = self._entities[change.entity]
        field, *place = change.path
        field_type = types_of(entity)[field]
        if change.op == "patch":
            codec = inner_type(field_type)
            if not isinstance(codec, OpaqueType) or entity.__dict__[field] is None:
                raise InvalidProposal(f"{change.entity}.{field} takes no patch")
            setattr(entity, field, codec.codec.apply(entity.__dict__[field], change.new))
        elif place or change.op == "splice":
            self._write_part(entity.__dict__[field], change, place)
        elif change.op == "set":
            self._set(entity, field, field_type.native(change.new, self._entities))
        else:
            raise InvalidProposal(f"{change.op} {change.entity}.{field}: there is no such change")

    def _set(self, entity: Entity, field: str, value: Any) -> None:
        current = entity.__dict__[field]
        if isinstance(current, TrackedDict) and isinstance(value, dict) and _differs_in_order(current, value):
            current.clear()  # another order alone is written in place, or it would pass for no change at all
            current.update(value)
        elif isinstance(current, TrackedGraph) and isinstance(value, TrackedGraph):
            become(current, graph_snapshot(value))  # so did the cell, or it would be told as a patch
        else:
            setattr(entity, field, value)

    def _write_part(self, holder: Any, change: Change, place: list[Any]) -> None:
        if isinstance(holder, TrackedGraph):
            kind, *keys = place
            if (kind, len(keys)) not in (("node", 1), ("edge", 2), ("graph", 1)):
                raise InvalidProposal("there is no such part of a graph")
            where = (kind, *map(key_value, keys))
            write_graph_part(holder, where, MISSING if change.op == "delete" else change.new)
        elif isinstance(holder, TrackedList) and change.op == "splice":
            self._splice(holder, change.new["at"], len(change.old["items"]), change.new["items"])
        elif isinstance(holder, TrackedDict) and change.op in ("set", "delete") and len(place) == 1:
            key_type = key_type_of(holder)
            key = place[0] if key_type is None else key_type.native(place[0], self._entities)
            if change.op == "delete":
                del holder[key]
            else:
                holder[key] = item_type_of(holder).native(change.new, self._entities)
        elif isinstance(holder, TrackedSet) and change.op in ("add", "discard") and len(place) == 1:
            item = item_type_of(holder).native(place[0], self._entities)
            (holder.add if change.op == "add" else holder.discard)(item)
        else:
            raise InvalidProposal(f"{change.op}: nothing there has such parts")

    def _splice(self, holder: TrackedList, start: int, gone: int, items: list[Any]) -> None:
        values = [item_type_of(holder).native(item, self._entities) for item in items]
        if type(start) is not int or not 0 <= start <= len(holder):
            raise InvalidProposal("a splice outside its list")
        if start == len(holder):
            holder.extend(values)
        else:
            holder[start : start + gone] = values


def _differs_in_order(current: TrackedDict, value: dict[Any, Any]) -> bool:
    """Say whether two dicts hold the same, in another order."""
    if len(current) != len(value) or [*current] == [*value]:
        return False
    return all(key in current and current[key] == item for key, item in value.items())


def _last_arrival(changes: list[Change]) -> Change | None:
    return next((change for change in reversed(changes) if change.adds_entity), None)
