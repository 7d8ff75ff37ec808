"""A persistent vector: appending and cutting make a new one that shares almost everything with the old.

A tree of tuples, 32 wide, with the last leaf kept apart as the tail: appending touches the tail, and once in 32 times
one path of the tree. Two vectors with a common history share nodes, which is how their common prefix is found at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain, islice
from typing import Any, Generic, TypeVar, overload

import msgspec

T = TypeVar("T", covariant=True)
S = TypeVar("S")

Node = tuple[Any, ...]
BITS = 5
WIDTH = 1 << BITS
MASK = WIDTH - 1


class Vector(msgspec.Struct, Generic[T], frozen=True, eq=False):
    """An immutable sequence that grows cheaply.

    Appending is O(1) amortised, reading and cutting are O(log n) with base 32, and copying is not needed.

    Attributes:
        root, level: the tree of full leaves, and how many bits of a leaf's number choose a way through it.
        tail: the last leaf.
        size: how many items there are.
    """

    root: Node = ()
    level: int = 0
    tail: Node = ()
    size: int = 0

    @classmethod
    def of(cls, items: Iterable[S]) -> Vector[S]:
        """Return a vector that holds these."""
        return Vector[S]().extend(items)

    def append(self: Vector[S], item: S) -> Vector[S]:
        """Return this vector with one more item."""
        tail, size = self.tail, self.size + 1
        if len(tail) < WIDTH:
            return Vector(self.root, self.level, tail + (item,), size)  # noqa: RUF005  # half of what unpacking takes
        root, level, leaves = self.root, self.level, (self.size >> BITS) - 1
        if leaves == 1 << level:  # the tree is full: one more level above it
            root, level = (root,), level + BITS
        return Vector(_push(root, level, leaves, tail), level, (item,), size)

    def last(self) -> T | None:
        """Return the last item; None if there is none."""
        return self.tail[-1] if self.tail else None

    def extend(self: Vector[S], items: Iterable[S]) -> Vector[S]:
        """Return this vector with more items."""
        return reduce(Vector[S].append, items, self)

    def take(self, count: int) -> Vector[T]:
        """Return the first ``count`` items, all of them if there are fewer."""
        if count >= self.size:
            return self
        if count <= 0:
            return Vector()
        leaves = (count - 1) >> BITS
        tail = self.leaf(leaves)[: count - (leaves << BITS)]
        root, level = _cut(self.root, self.level, leaves), self.level
        while level and leaves <= 1 << (level - BITS):  # no taller than a vector that grew to this size
            root, level = (root[0] if root else ()), level - BITS
        return Vector(root, level, tail, count)

    def since(self, start: int) -> Iterator[T]:
        """Iterate over the items from a position on, without walking those before it."""
        first = max(start, 0)
        leaves = map(self.leaf, range(first >> BITS, -(-self.size >> BITS)))
        return islice(chain.from_iterable(leaves), first & MASK, None)

    def shared(self, other: Vector[Any]) -> int:
        """Return how many leading items are the same in both; what they share as nodes is not walked."""
        one, two = self.root, other.root
        level = max(self.level, other.level)
        one, two = _lift(one, self.level, level), _lift(two, other.level, level)
        in_trees = min(self.size - len(self.tail), other.size - len(other.tail))
        agreed = min(_common_count(one, two, level), in_trees)
        if agreed < in_trees:
            return agreed
        size = min(self.size, other.size)
        if size == self.size == agreed + len(self.tail) and self.tail == other.leaf(agreed >> BITS)[: len(self.tail)]:
            return size  # it has grown, as most have
        while agreed < size and _same(self[agreed], other[agreed]):
            agreed += 1
        return agreed

    def leaf(self, number: int) -> Node:
        """Return one run of up to 32 items."""
        if number == (self.size - len(self.tail)) >> BITS:
            return self.tail
        node = self.root
        for level in range(self.level, 0, -BITS):
            node = node[(number >> (level - BITS)) & MASK]
        return node

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self.size)))
        place = index + self.size if index < 0 else index
        if not 0 <= place < self.size:
            raise IndexError(f"item {index} of a vector of {self.size}")
        item: T = self.leaf(place >> BITS)[place & MASK]
        return item

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[T]:
        return self.since(0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.size == other.size == self.shared(other)

    __hash__: None = None  # type: ignore[assignment]  # its items need not be hashable

    def __repr__(self) -> str:
        return f"<Vector of {self.size}>"


def _push(node: Node, level: int, leaves: int, leaf: Node) -> Node:
    """Return the node with one more leaf behind the ``leaves`` that it has."""
    if level == 0:
        return leaf
    place = leaves >> (level - BITS)
    inside = leaves & ((1 << (level - BITS)) - 1)
    child = node[place] if place < len(node) else ()
    return (*node[:place], _push(child, level - BITS, inside, leaf))


def _cut(node: Node, level: int, leaves: int) -> Node:
    """Return the node with its first ``leaves`` leaves only."""
    if level == 0:
        return node if leaves else ()
    place = leaves >> (level - BITS)
    inside = leaves & ((1 << (level - BITS)) - 1)
    if place >= len(node):
        return node
    whole = node[:place]
    return (*whole, _cut(node[place], level - BITS, inside)) if inside else whole


def _lift(node: Node, level: int, target_level: int) -> Node:
    for _ in range(level, target_level, BITS):
        node = (node,)
    return node


def _common_count(one: Node, two: Node, level: int) -> int:
    """Return how many items agree from the left; a node that both share counts as full."""
    if one is two:
        return 1 << (level + BITS)
    count = 0
    for left, right in zip(one, two, strict=False):
        same = _common_count(left, right, level - BITS) if level else int(_same(left, right))
        count += same
        if same < 1 << level:
            break
    return count


def _same(left: object, right: object) -> bool:
    return left is right or left == right
