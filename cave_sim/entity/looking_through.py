"""What containers hold, at any depth, by its classes alone."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from cave_sim.entity.values import LIMITS, StableFrozenSet, StableSet

ROWS = frozenset({list, collections.deque})
SETS = frozenset({set, StableSet, frozenset, StableFrozenSet})
DICTS = frozenset({dict, collections.Counter, collections.OrderedDict, collections.defaultdict})
CONTAINERS = ROWS | SETS | DICTS | {tuple}
MAX_LEVELS = 500
"""What holds itself is followed so deep."""
SCALARS = frozenset({str, int, float, bool, type(None)})

_PARTS: dict[type, tuple[Callable[[Any], Iterable[Any]], ...]] = {
    **dict.fromkeys(DICTS, (dict.keys, dict.values)),
    **dict.fromkeys({set, StableSet}, (set.__iter__,)),
    **dict.fromkeys({frozenset, StableFrozenSet}, (frozenset.__iter__,)),
    **dict.fromkeys(ROWS | {tuple}, (iter,)),
}


def is_row_type(kind: type) -> bool:
    """Say whether a class is one of named tuples."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def kinds_within(value: Any) -> set[type]:
    """Return the classes of all that a list, set, dict or tuple holds, at any depth; what holds nothing has none.

    It looks a level at a time, most of it in C: an object may hold a hundred thousand rows, and whoever reads one of
    them is handed all. What lies deeper than a value may be counts as an ``object``.
    """
    all_kinds: set[type] = set()
    level = [value]
    for _ in range(LIMITS.depth + 1):
        deeper: list[Any] = []
        for parts, holders in _by_part(level):
            kinds = set(map(type, chain.from_iterable(map(parts, holders))))
            all_kinds |= kinds
            if within := set(filter(_holds, kinds)):
                items = chain.from_iterable(map(parts, holders))
                deeper += items if kinds == within else [item for item in items if type(item) in within]
        if not deeper:
            return all_kinds
        level = list(dict(zip(map(id, deeper), deeper, strict=True)).values())  # what is shared, once
    return all_kinds | {object}


def count_parts(values: Iterable[Any], most: int) -> int:
    """Return how many parts values have, at any depth, each counted as often as something leads to it.

    So often it is hashed and compared: a tuple of thirty that hold each other twice is a billion. It stops beyond
    ``most``, and looks a level at a time as :func:`kinds_within` does.
    """
    holding = set(filter(_holds, set(map(type, values := list(values)))))
    level, count = [value for value in values if type(value) in holding], 0
    for _ in range(MAX_LEVELS):
        deeper: list[Any] = []
        for parts, holders in _by_part(level):
            count += sum(map(len, holders))
            if count > most:
                return count
            kinds = set(map(type, chain.from_iterable(map(parts, holders))))
            if within := set(filter(_holds, kinds)):
                deeper += [item for item in chain.from_iterable(map(parts, holders)) if type(item) in within]
        if not deeper:
            break
        level = deeper
    return count


def _holds(kind: type) -> bool:
    return kind in CONTAINERS or is_row_type(kind)


def _by_part(level: list[Any]) -> Iterator[tuple[Callable[[Any], Iterable[Any]], list[Any]]]:
    """Yield the parts of containers, such as their keys, and those that have them."""
    kinds = set(map(type, level))
    for kind in kinds:
        alike = level if len(kinds) == 1 else [item for item in level if type(item) is kind]
        for parts in _PARTS.get(kind, (tuple.__iter__,) if is_row_type(kind) else ()):
            yield parts, alike
