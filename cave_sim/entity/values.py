"""What may enter a world: plain, finite, bounded, acyclic data, and nothing else.

One rule closes many doors: no infinite ``__repr__``, no NaN that is unequal to itself, no cycle that hangs an
encoder, no object that carries code.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import FunctionType
from typing import Any

import numpy as np

from cave_sim.errors import SchemaError

MAX_FLOAT = 1.7976931348623157e308
"""Every finite float lies between -MAX_FLOAT and MAX_FLOAT, so one comparison refuses NaN and infinity."""


@dataclass(frozen=True)
class ValueLimits:
    """How large one written value may be."""

    nodes: int = 20_000
    depth: int = 24
    text_chars: int = 200_000
    integer_bits: int = 256


LIMITS = ValueLimits()


class StableSet(set[Any]):
    """A set that is read in sorted order, so that no result depends on how a process salts its hashes.

    Every set that a cell can make, and every set in a world, is one.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(stable_order(set.__iter__(self)))

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}" if self else "set()"

    def __reduce__(self) -> tuple[Any, ...]:
        return StableSet, (list(self),)

    def pop(self) -> Any:
        """Remove and return the smallest item; raises KeyError when there is none."""
        if not self:
            raise KeyError("pop from an empty set")
        item = next(iter(self))
        self.remove(item)
        return item

    def copy(self) -> StableSet:
        return StableSet(set.__iter__(self))

    def __and__(self, other: Any) -> Any:
        return _stable(set.__and__(self, other))

    def __or__(self, other: Any) -> Any:
        return _stable(set.__or__(self, other))

    def __sub__(self, other: Any) -> Any:
        return _stable(set.__sub__(self, other))

    def __xor__(self, other: Any) -> Any:
        return _stable(set.__xor__(self, other))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __rsub__(self, other: Any) -> Any:
        return _stable(set(other) - set(self))

    def union(self, *others: Iterable[Any]) -> StableSet:
        return StableSet(set.union(self, *others))

    def intersection(self, *others: Iterable[Any]) -> StableSet:
        return StableSet(set.intersection(self, *others))

    def difference(self, *others: Iterable[Any]) -> StableSet:
        return StableSet(set.difference(self, *others))

    def symmetric_difference(self, other: Iterable[Any]) -> StableSet:
        return StableSet(set.symmetric_difference(self, other))


class StableFrozenSet(frozenset[Any]):
    """A frozenset that is read in sorted order; what cells know as ``frozenset``."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(stable_order(frozenset.__iter__(self)))

    def __repr__(self) -> str:
        return "frozenset({" + ", ".join(map(repr, self)) + "})" if self else "frozenset()"

    def __reduce__(self) -> tuple[Any, ...]:
        return StableFrozenSet, (list(self),)

    def copy(self) -> StableFrozenSet:
        return self

    def __and__(self, other: Any) -> Any:
        return _stable(frozenset.__and__(self, other))

    def __or__(self, other: Any) -> Any:
        return _stable(frozenset.__or__(self, other))

    def __sub__(self, other: Any) -> Any:
        return _stable(frozenset.__sub__(self, other))

    def __xor__(self, other: Any) -> Any:
        return _stable(frozenset.__xor__(self, other))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def union(self, *others: Iterable[Any]) -> StableFrozenSet:
        return StableFrozenSet(frozenset.union(self, *others))

    def intersection(self, *others: Iterable[Any]) -> StableFrozenSet:
        return StableFrozenSet(frozenset.intersection(self, *others))

    def difference(self, *others: Iterable[Any]) -> StableFrozenSet:
        return StableFrozenSet(frozenset.difference(self, *others))

    def symmetric_difference(self, other: Iterable[Any]) -> StableFrozenSet:
        return StableFrozenSet(frozenset.symmetric_difference(self, other))


# What cells read where Python says a type's name. Its qualified name is still where it can be found.
StableSet.__name__ = "set"
StableFrozenSet.__name__ = "frozenset"


def _stable(result: Any) -> Any:
    if type(result) is frozenset:
        return StableFrozenSet(result)
    return StableSet(result) if type(result) is set else result


SERIAL = "_serial_"
"""Where an object of a cell's class keeps its number: they are numbered in the order in which they are first hashed."""


def stable_order(items: Iterable[Any]) -> list[Any]:
    """Return the items sorted by value, or by type and text where their values cannot be compared.

    Raises:
        TypeError: nothing but their place in memory tells two of them apart.
    """
    order = list(items)
    if len(order) < 2:
        return order
    kinds = set(map(type, order))
    if all(getattr(kind, "is_entity", False) and _is_unordered(kind) for kind in kinds):
        return _by_text(order)  # what the lines below come to, without trying
    if not _SORTABLE.issuperset(kinds) or any(item != item for item in order):
        order.sort(key=_serial_of)  # first, for what compares equal stays in the order that it comes in
        order.sort(key=_shown)
    try:
        order.sort()
    except TypeError:
        return _by_text(order)
    return order


def _by_text(items: list[Any]) -> list[Any]:
    keys = {id(item): _text_key(item) for item in items}
    order = sorted(items, key=lambda item: keys[id(item)])
    for one, other in pairwise(order):
        if keys[id(one)] == keys[id(other)]:
            raise TypeError(
                f"a set of several {type(one).__name__} objects has no order that repeats; use a list"
            ) from None
    return order


def _is_unordered(kind: Any) -> bool:
    plain: Any = object
    return kind.__lt__ is plain.__lt__ and kind.__gt__ is plain.__gt__


_SORTABLE = frozenset({str, int, float, bool, bytes})


def _shown(item: Any) -> tuple[str, str]:
    return _text_key(item)[:2]


def _serial_of(item: Any) -> int:
    number: int = getattr(item, "__dict__", {}).get(SERIAL, 0)
    return number


def _text_key(item: Any) -> tuple[str, str, int]:
    """Return what orders items that cannot be compared, wherever in memory they lie."""
    text = item.__qualname__ if isinstance(item, FunctionType) else str(item)
    return type(item).__name__, text if " at 0x" not in text else "", _serial_of(item)


_DATED = {
    "M": "a numpy.datetime64 is no plain data; take str(date), or pd.Timestamp(date).date() where a date is declared",
    "m": "a numpy.timedelta64 is no plain data; take a number, as in int(span / np.timedelta64(1, 'D'))",
}


def plain_scalar(value: Any) -> Any:
    """Return the exact builtin scalar for a number of numpy's, and any other value as it is."""
    if isinstance(value, np.generic) or (type(value) is np.ndarray and value.ndim == 0):
        if value.dtype.kind in "mM":  # what numpy makes of one is a date or, in small units, a number
            raise SchemaError(f"{_DATED[value.dtype.kind]} (got {value})")
        return value.item()
    return value


def check_scalar(value: Any) -> bool:
    """Say whether a value is one of the exact plain scalars, raising SchemaError where it is one but unfit."""
    kind = type(value)
    if kind is float:
        if not math.isfinite(value):
            raise SchemaError(f"{value} is not a finite number")
    elif kind is int:
        if value.bit_length() > LIMITS.integer_bits:
            raise SchemaError(f"an integer of {value.bit_length()} bits; at most {LIMITS.integer_bits} are kept")
    elif kind is str:
        check_text(value)
    else:
        return kind is bool or value is None
    return True


def check_text(value: str) -> None:
    """Refuse text that is too long, cannot be stored, or gives away where an object lies in memory."""
    if len(value) > LIMITS.text_chars:
        raise SchemaError(f"a text of {len(value):,} characters; at most {LIMITS.text_chars:,} are kept")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise SchemaError(f"a text with a lone surrogate at {error.start}, which no file can store") from None
    if " at 0x" in value:
        raise SchemaError(
            "a text with a memory address, which differs from run to run; write the object's name instead"
        )


class NodeCounter:
    """Counts the nodes of one value, and refuses cycles, giants and foreign objects on the way down.

    Args:
        most: how many it may have; as many as a field may hold unless given.
        level: how many containers it comes to lie in.
    """

    __slots__ = ("most", "nodes", "parents")

    def __init__(self, most: int | None = None, level: int = 0) -> None:
        self.most: int = LIMITS.nodes if most is None else most
        self.nodes: int = 0
        self.parents: list[int] = [0] * level

    def enter(self, container: Any) -> None:
        """Go into a container; raises SchemaError on a cycle, or past the limits of size and depth."""
        if id(container) in self.parents:
            raise SchemaError("the value contains itself; only trees of data can be kept")
        self.nodes += len(container) + 1
        if self.nodes > self.most:
            raise SchemaError(f"a value of more than {self.most:,} parts; keep less, or use an array or a table")
        if len(self.parents) >= LIMITS.depth:
            raise SchemaError(f"a value nested more than {LIMITS.depth} deep")
        self.parents.append(id(container))

    def leave(self) -> None:
        """Come back out of the container entered last."""
        self.parents.pop()


def plain_copy(value: Any, budget: NodeCounter | None = None) -> Any:
    """Return a copy of plain data made of exact builtin types; raises SchemaError for anything else."""
    value = plain_scalar(value)
    if check_scalar(value):
        return value
    budget = budget or NodeCounter()
    if isinstance(value, dict):
        budget.enter(value)
        copied: Any = {}
        for key, item in dict.items(value):
            copied[plain_copy(key, budget)] = plain_copy(item, budget)
    elif isinstance(value, (list, tuple, set, frozenset)):
        budget.enter(value)
        items = [plain_copy(item, budget) for item in value]
        copied = items if isinstance(value, list) else tuple(items) if isinstance(value, tuple) else StableSet(items)
    else:
        raise SchemaError(f"{type(value).__name__} objects cannot be kept in the world: only plain data can")
    budget.leave()
    return copied
