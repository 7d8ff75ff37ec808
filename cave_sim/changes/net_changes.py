"""Net changes: what a stretch of the undo log comes to.

The first old value, the last new one, equal ones dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress, count, repeat
from math import inf
from operator import attrgetter, eq, getitem, is_not, or_
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.determinism.canonical_json import same_json, same_scalar, to_json
from cave_sim.entity.containers import WHOLE, Tracked, TrackedDict, TrackedList, children_of
from cave_sim.entity.entity import Entity, encode_fields
from cave_sim.entity.graph_changes import GraphChanges
from cave_sim.entity.graph_form import key_data
from cave_sim.entity.graphs import GraphDict, TrackedGraph, graph_snapshot
from cave_sim.entity.home import Homed, home_of
from cave_sim.entity.identity import name_of
from cave_sim.entity.nested_types import OpaqueType, inner_type
from cave_sim.entity.preparation import checks_of, types_of
from cave_sim.entity.tracked_parts import graph_of, item_type_of, key_type_of, level_of
from cave_sim.entity.types import FieldType
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.entity.values import stable_order

Entry = tuple[Any, Any, Any]
_made = tuple.__new__
"""Makes a named tuple of its values in half the time."""
_values_of = attrgetter("__dict__")
MANY = 8
"""Writes to single fields of which it is quicker to tell all at once than one by one."""
TOUCHED = object()
"""Stands for the old value of a field that still holds the same container, of which a part was written."""


def net_changes(undo_log: UndoLog, mark: int) -> list[Change]:
    """Return the net changes since a mark of the undo log, in the order of first writes. Cost: what was touched."""
    entries = undo_log.undo[mark:] if mark else undo_log.undo
    if not entries:
        return []
    return _Net(undo_log, entries).changes() if undo_log.deep else _scalar_changes(entries)


def _scalar_changes(entries: list[Entry]) -> list[Change]:
    """The net of writes to single scalar fields alone, which is what most turns do."""
    entities, fields, olds = zip(*entries, strict=True)
    if len(set(zip(map(id, entities), fields, strict=True))) < len(entries):
        first: dict[tuple[Entity, str], Any] = {}
        for entity, field, old in entries:
            first.setdefault((entity, field), old)
        entries = [(entity, field, old) for (entity, field), old in first.items()]
    elif len(entries) >= MANY:
        news = list(map(getitem, map(_values_of, entities), fields))
        names = list(map(name_of, entities))
        if True not in map(eq, olds, news) and None not in names:  # all are other values, of entities that are there
            paths = {field: (field,) for field in set(fields)}
            columns = zip(names, map(paths.__getitem__, fields), repeat("set"), olds, news)
            return list(map(_made, repeat(Change), columns))
    changes: list[Change] = []
    add, paths = changes.append, {field: (field,) for _, field, _ in entries}  # one for all changes of a field
    for entity, field, old in entries:
        new = entity.__dict__[field]
        if new is not old and (new != old or not same_scalar(old, new)) and (name := name_of(entity)) is not None:
            add(_made(Change, (name, paths[field], "set", old, new)))
    return changes


class _Net:
    """The entries of one stretch, sorted by what they touched."""

    def __init__(self, undo_log: UndoLog, entries: list[Entry]) -> None:
        self.undo_log = undo_log
        self.fields: dict[tuple[int, str], tuple[Entity, str, Any]] = {}
        self.containers: dict[int, list[Entry]] = {}
        self.graphs: dict[int, list[Entry]] = {}
        self.deepest: dict[tuple[int, str], float] = {}  # of a field: how deep lies what was written of it
        self.names: dict[str, Any] = {}
        fields = self.fields
        for entry in entries:
            target, slot, old = entry
            if isinstance(target, Entity):
                key = (id(target), slot)
                if key not in fields or fields[key][2] is TOUCHED:
                    fields[key] = entry
            elif isinstance(target, Tracked):
                self._enter(self.containers, target, entry)
            elif isinstance(target, GraphDict):
                self._enter(self.graphs, graph_of(target), entry)
            else:
                self.names.setdefault(slot, old)

    def _enter(self, written: dict[int, list[Entry]], homed: Homed, entry: Entry) -> None:
        """Put an entry to those of the same container or graph; the field that holds it was touched by the first."""
        entries = written.get(id(homed))
        if entries is not None:
            entries.append(entry)
            return
        written[id(homed)] = [entry]
        home = home_of(homed)
        if isinstance(home.owner, Entity):
            place = id(home.owner), home.field
            self.fields.setdefault(place, (home.owner, home.field, TOUCHED))
            level = level_of(homed) if isinstance(homed, Tracked) else inf
            self.deepest[place] = max(level, self.deepest.get(place, 0))

    def changes(self) -> list[Change]:
        changes, settled = self._comings_and_goings()
        entities = self.undo_log.entities
        for entity, field, old in self.fields.values():
            name = name_of(entity)
            if name is None or entities.get(name) is not entity or (settled and id(entity) in settled):
                continue
            new = entity.__dict__[field]
            if old is TOUCHED or old is new:
                changes.extend(self._changes_within(name, field, types_of(entity)[field], new))
            elif field not in checks_of(entity):
                changes.extend(self._changes_of(name, field, types_of(entity)[field], old, new))
            elif old != new or not same_scalar(old, new):
                changes.append(_made(Change, (name, (field,), "set", old, new)))
        return changes

    def _comings_and_goings(self) -> tuple[list[Change], set[int]]:
        """Return what was created and removed, and the entities whose fields are told by that already."""
        changes: list[Change] = []
        settled: set[int] = set()
        for name, old in self.names.items():
            new: Any = self.undo_log.entities.get(name, MISSING)
            if new is old:
                continue
            if old is not MISSING:
                settled.add(id(old))
                changes.append(Change(name, (), "remove", self._before_entity(old), None))
            if new is not MISSING:
                settled.add(id(new))
                changes.append(
                    Change(name, (), "create", None, {"type": type(new).__name__, "fields": encode_fields(new)})
                )
        return changes, settled

    def _before_entity(self, entity: Entity) -> dict[str, Any]:
        fields = {}
        for field, field_type in types_of(entity).items():
            old = self.fields.get((id(entity), field), (None, None, TOUCHED))[2]
            fields[field] = self._data_before(field_type, entity.__dict__[field] if old is TOUCHED else old)
        return {"type": type(entity).__name__, "fields": fields}

    def _changes_within(self, name: str, field: str, field_type: FieldType, value: Any) -> Iterable[Change]:
        """Return what was written within a value that is the same object as before."""
        if isinstance(value, TrackedList):
            return self._list_changes(name, field, value)
        if isinstance(value, TrackedDict):
            return self._dict_changes(name, field, field_type, value)
        if isinstance(value, Tracked):
            return self._set_changes(name, field, value)
        if isinstance(value, TrackedGraph):
            return self._graph_changes(name, field, value)
        if type(value) is tuple:  # it holds the container that was written
            return self._whole_change(name, field, field_type, value, value)
        return ()

    def _changes_of(self, name: str, field: str, field_type: FieldType, old: Any, new: Any) -> Iterator[Change]:
        """Yield what a field that holds another value than before comes to."""
        if isinstance(codec_spec := inner_type(field_type), OpaqueType) and old is not None and new is not None:
            codec = codec_spec.codec
            if isinstance(old, TrackedGraph) and self.graphs.get(id(old)):  # it was written before it was replaced
                same = same_json(self._data_before(codec_spec, old), graph_snapshot(new))
            else:
                same = codec.same(old, new)
            if not same:
                patch = codec.patch(old, new)
                yield Change(name, (field,), "patch", patch.pop("old", None), patch)
            return
        yield from self._whole_change(name, field, field_type, old, new)

    def _whole_change(self, name: str, field: str, field_type: FieldType, old: Any, new: Any) -> Iterator[Change]:
        was, now = self._data_before(field_type, old), field_type.encode(new)
        if not same_json(was, now):
            yield Change(name, (field,), "set", was, now)

    def _set_changes(self, name: str, field: str, container: Tracked) -> Iterator[Change]:
        encode = item_type_of(container).encode
        present: dict[bytes, tuple[Any, bool, bool]] = {}  # item, whether it was there, whether it is
        for _, (item,), was in self.containers.get(id(container), ()):
            text = to_json(encode(item))
            present[text] = (item, present[text][1] if text in present else was, not was)
        gone = [item for item, was, now in present.values() if was and not now]
        new = [item for item, was, now in present.values() if now and not was]
        order = stable_order(gone + new)
        if len(set(order)) < len(order):  # 1 makes room for 1.0
            order = stable_order(gone) + stable_order(new)
        left = set(map(id, gone))
        for item in order:
            op = "discard" if id(item) in left else "add"
            yield Change(name, (field, encode(item)), op, None, None)

    def _graph_changes(self, name: str, field: str, graph: TrackedGraph) -> Iterator[Change]:
        graph_changes = GraphChanges(graph, self.graphs.get(id(graph), []))
        if graph_changes.is_reordered:
            before, after = graph_changes.snapshot_before(), graph_snapshot(graph)
            if not same_json(before, after):
                yield Change(name, (field,), "set", before, after)
            return
        for where, was, now in graph_changes:
            path = (field, where[0], *map(key_data, where[1:]))
            if now is MISSING:
                yield Change(name, path, "delete", was, None)
            else:
                yield Change(name, path, "set", None if was is MISSING else was, now)

    def _list_changes(self, name: str, field: str, container: TrackedList) -> Iterator[Change]:
        entries = self.containers.get(id(container), [])
        encode = item_type_of(container).encode
        now = list(list.__iter__(container))
        written = self._written_among(now, container)
        if entries and not written and all(copy is None for _, _, (_, copy) in entries):
            at = end = entries[0][2][0]
            was = now[:at]
        else:
            was = self._reverted(container, now)
            at = self._common(was, now, written, encode)
            end = len(was) - self._common(was[at:][::-1], now[at:][::-1], written, encode)
        old = [encode(self.before(item)) for item in was[at:end]]
        new = [encode(item) for item in now[at : len(now) - len(was) + end]]
        if old or new:
            yield Change(name, (field,), "splice", {"at": at, "items": old}, {"at": at, "items": new})

    def _common(self, was: list[Any], now: list[Any], written: set[int], encode: Callable[[Any], Any]) -> int:
        """Return how many items two lists share from the front; those that were not touched are never encoded."""
        differ: Iterable[bool] = map(is_not, was, now)
        if written:
            differ = map(or_, differ, map(written.__contains__, map(id, now)))
        for place in compress(count(), differ):
            if not same_json(encode(self.before(was[place])), encode(now[place])):
                return place
        return min(len(was), len(now))

    def _written_among(self, items: Iterable[Any], container: Tracked) -> set[int]:
        """Return the ids of those items of a container that were written, or of which a part was."""
        home, level = home_of(container), level_of(container)
        deepest = self.deepest.get((id(home.owner), home.field), level)
        if deepest <= level:
            return set()
        items = list(items)
        if deepest == level + 1 and tuple not in set(map(type, items)):  # it is one of the items themselves
            return set(filter(self.containers.__contains__, map(id, items)))
        return {id(item) for item in items if self._is_written(item)}

    def _is_written(self, value: Any) -> bool:
        if type(value) is tuple:
            return any(map(self._is_written, value))
        if not isinstance(value, Homed):
            return False
        if id(value) in self.containers or id(value) in self.graphs:
            return True
        return isinstance(value, Tracked) and any(map(self._is_written, children_of(value)))

    def _dict_changes(self, name: str, field: str, field_type: FieldType, container: TrackedDict) -> Iterator[Change]:
        encode, key_type = item_type_of(container).encode, key_type_of(container)
        encode_key = key_type.encode if key_type is not None else lambda key: key
        entries = self.containers.get(id(container), ())
        old_values: dict[Any, Any] = {}  # of keys that may have been written
        if any(slot is WHOLE for _, slot, _ in entries):  # a key was taken out, and may have come again at the end
            now = dict(dict.items(container))
            was = self._reverted(container, dict(now))
            common = list(filter(now.__contains__, was))
            in_place = zip(common, now, strict=False)  # those that stay come first, in the order in which they were
            others = compress(in_place, map(is_not, common, now))
            if not all(same_json(encode_key(old), encode_key(new)) for old, new in others):
                yield Change(
                    name, (field,), "set", field_type.encode(self.before(container)), field_type.encode(container)
                )
                return
            for key in [key for key in was if key not in now]:
                yield Change(name, (field, encode_key(key)), "delete", encode(self.before(was[key])), None)
            old_values = {key: was.get(key, MISSING) for key in now}
        else:
            for _, (key,), old in entries:
                old_values.setdefault(key, old)
        written = self._written_among(dict.values(container), container)
        holds_written = map(written.__contains__, map(id, dict.values(container) if written else ()))
        touched = {*old_values, *compress(dict.__iter__(container), holds_written)}
        for key in filter(touched.__contains__, dict.__iter__(container)):
            value = dict.__getitem__(container, key)
            stored = old_values.get(key, value)
            if stored is value and id(value) not in written:
                continue
            old = None if stored is MISSING else encode(self.before(stored))
            new = encode(value)
            if stored is MISSING or not same_json(old, new):
                yield Change(name, (field, encode_key(key)), "set", old, new)

    def _data_before(self, field_type: FieldType, stored: Any) -> Any:
        """Return what a kept value was before the stretch, as plain data."""
        if isinstance(stored, TrackedGraph):
            return GraphChanges(stored, self.graphs.get(id(stored), [])).snapshot_before()
        return field_type.encode(self.before(stored))

    def before(self, stored: Any) -> Any:
        """Return what a kept value was before the stretch, its containers as plain ones."""
        if type(stored) is tuple:
            return tuple(map(self.before, stored))
        if not isinstance(stored, Tracked):
            return stored
        content: Any = list(list.__iter__(stored)) if isinstance(stored, list) else None
        if content is None:
            content = dict(dict.items(stored)) if isinstance(stored, dict) else set(set.__iter__(stored))  # type: ignore[arg-type]
        content = self._reverted(stored, content)
        if isinstance(content, list):
            return [self.before(item) for item in content]
        return {key: self.before(item) for key, item in content.items()} if isinstance(content, dict) else content

    def _reverted(self, container: Tracked, content: Any) -> Any:
        """Return what a container held before the stretch, given a copy of what it holds; its items as they are."""
        for _, slot, old in reversed(self.containers.get(id(container), ())):
            content = _reverted(content, slot, old)
        return content


def _reverted(content: Any, slot: Any, old: Any) -> Any:
    """Return what a plain container held before one noted write."""
    if isinstance(content, list):
        length, copy = old
        return content[:length] if copy is None else list(copy)
    if isinstance(content, dict):
        if slot is WHOLE:
            return dict(old)
        if old is MISSING:
            content.pop(slot[0], None)
        else:
            content[slot[0]] = old
        return content
    (content.add if old else content.discard)(slot[0])
    return content
