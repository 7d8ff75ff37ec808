"""``get``, ``keys``, ``values`` and ``items`` of mappings of ours: what is computed of them is read in sorted order."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

from cave_sim.entity.values import StableSet


class MappingKeys(KeysView[Any]):
    """The keys of a mapping."""

    __slots__ = ()

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return StableSet(items)


class MappingItems(ItemsView[Any, Any]):
    """The items of a mapping."""

    __slots__ = ()

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return StableSet(items)


class MappingValues(ValuesView[Any]):
    """The values of a mapping."""

    __slots__ = ()


for _kind, _name in ((MappingKeys, "KeysView"), (MappingItems, "ItemsView"), (MappingValues, "ValuesView")):
    _kind.__name__ = _name


def get(mapping: Any, key: Any, default: Any = None) -> Any:
    """Return what is there for a key."""
    return mapping[key] if key in mapping else default  # noqa: SIM401 -- which is this


def keys(mapping: Any) -> MappingKeys:
    """Return the keys."""
    return MappingKeys(mapping)


def items(mapping: Any) -> MappingItems:
    """Return the items."""
    return MappingItems(mapping)


def values(mapping: Any) -> MappingValues:
    """Return the values."""
    return MappingValues(mapping)
