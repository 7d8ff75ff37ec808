"""Sets that trusted code hands to cells: read in sorted order there, as every set that a cell makes.

A method that returns ``{"ann", "bob"}`` returns a plain set, whose order follows the salt of its process's hashes.
Cells that go through one would come to another state in the next process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import GeneratorType
from typing import Any

from cave_sim.entity.values import LIMITS, StableFrozenSet, StableSet, stable_order

_ITERATOR = type(iter(set[Any]()))
_SHAPES = frozenset({set, frozenset, list, tuple, dict, _ITERATOR})


def handed(value: Any) -> Any:
    """Return what a cell gets of what trusted code returns: the same, but for plain sets, within containers too.

    What holds no plain set is handed over as it is; what does is handed over as a copy.
    """
    if type(value) is GeneratorType:
        return _each(value)
    return _handed(value, {}, 0) if type(value) in _SHAPES else value


def _each(items: Iterator[Any]) -> Iterator[Any]:
    for item in items:
        yield handed(item)


def _handed(value: Any, known: dict[int, tuple[Any, Any]], depth: int) -> Any:
    kind = type(value)
    if kind not in _SHAPES or depth > LIMITS.depth:
        return value
    if kind is _ITERATOR:
        items = list(value)
        with suppress(TypeError):  # nothing but their places in memory tells them apart
            items = stable_order(items)
        return iter(items)
    if id(value) in known:  # met before, or on the way down to itself
        return known[id(value)][1]
    known[id(value)] = value, value
    found = _made(value, kind, known, depth + 1)
    known[id(value)] = value, found
    return found


def _made(value: Any, kind: type, known: dict[int, tuple[Any, Any]], depth: int) -> Any:
    if kind is dict:
        keys, items = _items([*value], known, depth), _items([*value.values()], known, depth)
        if keys is None and items is None:
            return value
        return dict(zip(keys or value, items or value.values(), strict=True))
    items = _items(value, known, depth)
    if kind is set or kind is frozenset:
        return (StableSet if kind is set else StableFrozenSet)(value if items is None else items)
    return value if items is None else kind(items)


def _items(values: Any, known: dict[int, tuple[Any, Any]], depth: int) -> list[Any] | None:
    """Return what is handed over of items, or None where it is what they are."""
    if _SHAPES.isdisjoint(map(type, values)):
        return None
    items = [_handed(item, known, depth) for item in values]
    return items if any(one is not other for one, other in zip(items, values, strict=True)) else None
