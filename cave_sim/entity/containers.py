"""Tracked list, dict and set: they check what enters, know their owner, and note every write in its undo log.

They are real lists, dicts and sets, so reading them costs what it costs anywhere and every library takes them.
A container belongs to one place: assigning it elsewhere copies it in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import is_
from typing import Any, Protocol, Self, SupportsIndex

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.home import NOWHERE, Home, Homed
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.entity.values import NodeCounter, StableSet
from cave_sim.errors import SchemaError


class Items(Protocol):
    """How the items of a container are checked, written as plain data and read back; a field type is one."""

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        """Return the value as it is kept; raises SchemaError."""

    def encode(self, value: Any) -> Any:
        """Return the kept value as plain data."""

    def decode(self, data: Any) -> Any:
        """Return the kept value for what :meth:`encode` gave."""

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        """Return the value that plain data stands for, in the form in which a cell would hand it in."""


WHOLE = "*"
"""The slot of an undo entry that holds a copy of a whole container."""


class Tracked(Homed):
    """What the three containers share: where they live, and how they take items in."""

    __slots__ = ()

    _items: Items  # how one item is admitted
    _keys: Items | None  # how one key is admitted (dict only)
    _epoch: int  # the undo log's epoch in which it was last copied
    _level: int  # how many containers of its field it lies in: what it takes in is nested as much deeper

    def _settle_in(self, home: Home, level: int = 0) -> None:
        self._home, self._epoch, self._level = home, 0, level  # type: ignore[misc]  # slots of the subclasses
        settle(children_of(self), home, level + 1)

    def _admit(self, value: Any, item_type: Items | None = None) -> Any:
        """Check one item (or key) and copy it in; the error names the owner and the field."""
        try:
            admitted = (item_type or self._items).admit(value, NodeCounter(level=self._level + 1))
        except SchemaError as error:
            raise self._home.refusal(error, f"an item of {type(self).__name__}") from None
        if isinstance(admitted, (Tracked, tuple)):
            settle((admitted,), self._home, self._level + 1)
        return admitted


def tracked_in(values: Iterable[Any]) -> Iterator[Tracked]:
    """Yield the containers among values, and those within tuples among them."""
    for value in values:
        if isinstance(value, Tracked):
            yield value
        elif type(value) is tuple:
            yield from tracked_in(value)


def children_of(container: Tracked) -> list[Tracked]:
    """Return the containers that are items of a container."""
    values: Iterable[Any] = ()
    if isinstance(container, dict):
        values = dict.values(container)
    elif isinstance(container, list):
        values = list.__iter__(container)
    return list(tracked_in(values))


def settle(values: Iterable[Any], home: Home, level: int = 0) -> None:
    """Let values be part of a field, with every container and graph among them; scalars are nobody's."""
    for value in values:
        if isinstance(value, Homed):
            value._settle_in(home, level)
        elif type(value) is tuple:
            settle(value, home, level + 1)


class TrackedList(Tracked, list[Any]):
    """A list in a field. Growing at the end is noted by its old length; any other write by a copy, once a turn."""

    __slots__ = ("_before", "_epoch", "_home", "_items", "_keys", "_level")

    def __init__(self, items: Iterable[Any], item_type: Items) -> None:
        list.__init__(self, items)
        self._items, self._home, self._epoch, self._level = item_type, NOWHERE, 0, 0

    def _note(self, *, growth: bool = False) -> None:
        undo_log = self._home.begin_write()
        if undo_log is None:
            return
        if self._epoch != undo_log.epoch:
            self._epoch = undo_log.epoch
            self._before: list[Any] = [len(self), None]  # length at the border; a copy once more than growth happens
            undo_log.undo.append((self, WHOLE, self._before))
        if not growth and self._before[1] is None:
            self._before[1] = list.__getitem__(self, slice(0, self._before[0]))

    def _revert(self, slot: Any, old: list[Any]) -> None:
        length, copy = old
        if copy is None:
            list.__delitem__(self, slice(length, None))
        else:
            list.__setitem__(self, slice(None), copy)

    def append(self, item: Any) -> None:
        item = self._admit(item)
        self._note(growth=True)
        list.append(self, item)

    def extend(self, items: Iterable[Any]) -> None:
        items = [self._admit(item) for item in items]
        self._note(growth=True)
        list.extend(self, items)

    def __iadd__(self, items: Iterable[Any]) -> TrackedList:  # type: ignore[misc]
        self.extend(items)
        return self

    def __imul__(self, times: SupportsIndex) -> TrackedList:
        error = SchemaError("write `x = x * n` instead of multiplying a kept list in place")
        raise self._home.refusal(error, f"an item of {type(self).__name__}")

    def insert(self, index: SupportsIndex, item: Any) -> None:
        item = self._admit(item)
        self._note()
        list.insert(self, index, item)

    def __setitem__(self, index: Any, item: Any) -> None:
        item = [self._admit(entry) for entry in item] if isinstance(index, slice) else self._admit(item)
        self._note()
        list.__setitem__(self, index, item)

    def __delitem__(self, index: Any) -> None:
        self._note()
        list.__delitem__(self, index)

    def pop(self, index: SupportsIndex = -1) -> Any:
        self._note()
        return list.pop(self, index)

    def remove(self, item: Any) -> None:
        self._note()
        list.remove(self, item)

    def clear(self) -> None:
        self._note()
        list.clear(self)

    def reverse(self) -> None:
        self._note()
        list.reverse(self)

    def sort(self, **options: Any) -> None:
        self._be_sorted(sorted, options)

    def _be_sorted(self, in_order: Callable[..., list[Any]], options: Mapping[str, Any]) -> None:
        """Take on an order; raises ValueError where what compares the items, which runs meanwhile, wrote to it."""
        before = [*list.__iter__(self)]
        ordered = in_order(self, **options)
        if len(self) != len(before) or not all(map(is_, list.__iter__(self), before)):
            raise ValueError("list modified during sort")
        self._note()
        list.__setitem__(self, slice(None), ordered)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return list, (list(self),)


class NotedDict(dict[Any, Any]):
    """A dict that notes what is written to it: a key alone; a removal by a copy, once a turn, for that keeps order."""

    __slots__ = ()

    _epoch: int  # the undo log's epoch in which it was last copied

    def _begin_write(self) -> UndoLog | None:
        raise NotImplementedError

    def _note_removal(self) -> None:
        undo_log = self._begin_write()
        if undo_log is not None and self._epoch != undo_log.epoch:
            self._epoch = undo_log.epoch
            undo_log.undo.append((self, WHOLE, dict(dict.items(self))))

    def _store(self, key: Any, value: Any) -> None:
        undo_log = self._begin_write()
        if undo_log is not None:
            undo_log.undo.append((self, (key,), dict.get(self, key, MISSING)))
        dict.__setitem__(self, key, value)

    def _revert(self, slot: Any, old: Any) -> None:
        if slot is WHOLE:
            dict.clear(self)
            dict.update(self, old)
        elif old is MISSING:
            dict.pop(self, slot[0], None)
        else:
            dict.__setitem__(self, slot[0], old)

    def __delitem__(self, key: Any) -> None:
        self._note_removal()
        dict.__delitem__(self, key)

    def pop(self, key: Any, *default: Any) -> Any:
        self._note_removal()
        return dict.pop(self, key, *default)

    def popitem(self) -> tuple[Any, Any]:
        self._note_removal()
        return dict.popitem(self)

    def clear(self) -> None:
        self._note_removal()
        dict.clear(self)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if not dict.__contains__(self, key):
            self[key] = default
        return self[key]

    def update(self, *others: Any, **items: Any) -> None:
        for key, value in dict(*others, **items).items():
            self[key] = value

    def __ior__(self, other: Any) -> Self:  # type: ignore[misc]
        self.update(other)
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self),)


class TrackedDict(Tracked, NotedDict):
    """A dict in a field."""

    __slots__ = ("_epoch", "_home", "_items", "_keys", "_level")

    def __init__(self, items: Mapping[Any, Any], item_type: Items, keys: Items | None) -> None:
        dict.__init__(self, items)
        self._items, self._keys, self._home = item_type, keys, NOWHERE
        self._epoch = self._level = 0

    def _begin_write(self) -> UndoLog | None:
        return self._home.begin_write()

    def __setitem__(self, key: Any, value: Any) -> None:
        key = self._admit(key, self._keys) if self._keys is not None else key
        self._store(key, self._admit(value))


class TrackedSet(Tracked, StableSet):
    """A set in a field, read in sorted order. Every item that comes or goes is noted alone."""

    __slots__ = ("_epoch", "_home", "_items", "_keys", "_level")

    def __init__(self, items: Iterable[Any], item_type: Items) -> None:
        set.__init__(self, items)
        self._items, self._home, self._epoch, self._level = item_type, NOWHERE, 0, 0

    def _flip(self, item: Any, present: bool) -> None:
        """Bring an item in, or take it out, and note it if that is a change."""
        undo_log = self._home.begin_write()
        if set.__contains__(self, item) is present:
            return
        if not present:
            item = self._own(item)
        if undo_log is not None:
            undo_log.undo.append((self, (item,), not present))
        (set.add if present else set.discard)(self, item)

    def _own(self, item: Any) -> Any:
        """Return the item that the set itself holds for one that is equal to it: that one is put back by an undo."""
        if type(item) is str or type(item) is getattr(self._items, "annotation", None):
            return item  # no item of another type is equal to it: a set of any numbers may hold 1.0 for 1
        return next(own for own in set.__iter__(self) if own is item or own == item)

    def _revert(self, slot: Any, old: bool) -> None:
        (set.add if old else set.discard)(self, slot[0])

    def add(self, item: Any) -> None:
        self._flip(self._admit(item), True)

    def discard(self, item: Any) -> None:
        self._flip(item, False)

    def remove(self, item: Any) -> None:
        if item not in self:
            raise KeyError(item)
        self._flip(item, False)

    def clear(self) -> None:
        for item in list(self):
            self._flip(item, False)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for item in list(other):
                self.add(item)

    def difference_update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for item in list(other):
                self.discard(item)

    def intersection_update(self, *others: Iterable[Any]) -> None:
        self.difference_update(self.difference(self.intersection(*others)))

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        for item in list(other):
            self._flip(self._admit(item), item not in self)

    def __ior__(self, other: Any) -> TrackedSet:
        self.update(other)
        return self

    def __isub__(self, other: Any) -> TrackedSet:
        self.difference_update(other)
        return self

    def __iand__(self, other: Any) -> TrackedSet:
        self.intersection_update(other)
        return self

    def __ixor__(self, other: Any) -> TrackedSet:
        self.symmetric_difference_update(other)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return StableSet, (list(self),)


for _kind, _name in ((TrackedList, "list"), (NotedDict, "dict"), (TrackedDict, "dict"), (TrackedSet, "set")):
    told_as(_kind, _name)
