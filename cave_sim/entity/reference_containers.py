"""Lists, dicts and sets of references: names are kept, live entities are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import Any, SupportsIndex

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.containers import Items, Tracked, TrackedDict, TrackedList, TrackedSet
from cave_sim.entity.home import home_of
from cave_sim.entity.identity import EntityBase, label_of, live, name_of, undo_log_of
from cave_sim.entity.values import StableSet
from cave_sim.errors import SchemaError, WorldError


def kept_form(entity: Any) -> Any:
    """Return what a container of references keeps for an entity."""
    name = name_of(entity) if isinstance(entity, EntityBase) else None
    return entity if name is None else name


def expect_same_world(owner: EntityBase | None, value: Any) -> None:
    """Refuse an entity of another world, alone or in a list and the like: one of this world may have its name.

    Raises:
        SchemaError: there is one.
    """
    undo_log = None if owner is None else undo_log_of(owner)
    if undo_log is None:
        return
    for each in _parts_of(value):
        if isinstance(each, EntityBase) and undo_log_of(each) not in (None, undo_log):
            raise SchemaError(f"Input should be of this world (got {label_of(each)!r} of another one)")


def _parts_of(value: Any) -> Iterable[Any]:
    if type(value) is dict:
        return value.values()
    return value if type(value) in (list, tuple, set) else (value,)


def _admit_named(self: Any, value: Any, item_type: Items | None = None) -> Any:
    """Admit an item of a container of references: what is in the world refers to nothing that is not."""
    expect_same_world(self._home.owner, value)
    admitted = Tracked._admit(self, value, item_type)
    owner = self._home.owner
    in_world = owner is not None and name_of(owner) is not None
    return name_in_world(admitted) if in_world and item_type is None else admitted


class RefList(TrackedList):
    """A list of references; an entity that has left the world reads as None."""

    __slots__ = ()

    _admit = _admit_named

    def __iter__(self) -> Iterator[Any]:
        return (live(self._home.owner, reference) for reference in list.__iter__(self))

    def __getitem__(self, index: Any) -> Any:
        target = list.__getitem__(self, index)
        return (
            [live(self._home.owner, reference) for reference in target]
            if isinstance(index, slice)
            else live(self._home.owner, target)
        )

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __contains__(self, entity: object) -> bool:
        return list.__contains__(self, kept_form(entity))

    def __eq__(self, other: object) -> bool:
        return list(self) == (list(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return list(self) + list(other)

    def __mul__(self, times: SupportsIndex) -> Any:
        return list(self) * times

    def __repr__(self) -> str:
        return repr(list(self))

    def index(self, entity: Any, *bounds: Any) -> int:
        return list.index(self, kept_form(entity), *bounds)

    def count(self, entity: Any) -> int:
        return list.count(self, kept_form(entity))

    def copy(self) -> list[Any]:
        return list(self)

    def pop(self, index: SupportsIndex = -1) -> Any:
        return live(self._home.owner, TrackedList.pop(self, index))

    def remove(self, entity: Any) -> None:
        TrackedList.remove(self, kept_form(entity))

    def sort(self, **options: Any) -> None:
        self._be_sorted(lambda entities, **given: list(map(kept_form, sorted(entities, **given))), options)


class RefDict(TrackedDict):
    """A dict whose values are references."""

    __slots__ = ()

    _admit = _admit_named

    def __getitem__(self, key: Any) -> Any:
        return live(self._home.owner, dict.__getitem__(self, key))

    def __iter__(self) -> Iterator[Any]:  # with its own, dict(x) asks for the items instead of copying the names
        return iter(dict.keys(self))

    def get(self, key: Any, default: Any = None) -> Any:
        return live(self._home.owner, dict.get(self, key, default))

    def values(self) -> Any:
        return [live(self._home.owner, reference) for reference in dict.values(self)]

    def items(self) -> Any:
        return [(key, live(self._home.owner, reference)) for key, reference in dict.items(self)]

    def pop(self, key: Any, *default: Any) -> Any:
        return (
            live(self._home.owner, TrackedDict.pop(self, key, *default))
            if key in self
            else TrackedDict.pop(self, key, *default)
        )

    def popitem(self) -> tuple[Any, Any]:
        key, reference = TrackedDict.popitem(self)
        return key, live(self._home.owner, reference)

    def copy(self) -> dict[Any, Any]:
        return dict(self.items())

    def __eq__(self, other: object) -> bool:
        return dict(self.items()) == (dict(other.items()) if isinstance(other, dict) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class RefSet(MutableSet[Any]):
    """A set of references as it is read: the live entities, in the order of their names.

    It is no builtin set, because those copy each other past ``__iter__`` and would hand out the names.
    """

    __slots__ = ("_names",)

    def __init__(self, names: TrackedSet) -> None:
        self._names = names

    def __iter__(self) -> Iterator[Any]:
        return (live(home_of(self._names).owner, reference) for reference in self._names)

    def __contains__(self, entity: object) -> bool:
        return set.__contains__(self._names, kept_form(entity))

    def __len__(self) -> int:
        return len(self._names)

    def add(self, value: Any) -> None:
        self._names.add(value)

    def discard(self, value: Any) -> None:
        self._names._flip(kept_form(value), False)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for entity in list(other):
                self.add(entity)

    def copy(self) -> StableSet:
        owner = home_of(self._names).owner
        return StableSet([live(owner, reference) for reference in set.__iter__(self._names)])

    def union(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().union(*others)

    def intersection(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().intersection(*others)

    def difference(self, *others: Iterable[Any]) -> StableSet:
        return self.copy().difference(*others)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:
        return StableSet(it)

    def __repr__(self) -> str:
        return repr(self.copy())


def name_in_world(reference: Any) -> str:
    """Return the name of what a reference is kept for; raises WorldError if that is in no world."""
    if type(reference) is str:
        return reference
    name = name_of(reference)
    if name is None:
        raise WorldError(f"it refers to a {type(reference).__name__} that is not in the world yet: add that one first")
    return name


for _kind, _name in ((RefList, "list"), (RefDict, "dict"), (RefSet, "set")):
    told_as(_kind, _name)
