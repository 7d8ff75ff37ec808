"""The parts of an object graph while it is written: one node for each object that has an identity of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, eq=False)
class Node:
    """One object.

    Attributes:
        value: the object; held, so that no other takes its place in memory.
        root: number of the variable from which it was reached first.
        template: its form, with nodes in the place of the objects that it refers to; None until it is taken apart.
        references: how many templates and variables refer to it.
    """

    value: Any
    root: int
    template: Any = None
    references: int = 0


See = Callable[[Any], Any]
"""Returns what stands in a template for an object: plain data, or its node."""


@dataclass(frozen=True, slots=True)
class Form:
    """How the objects of one kind are written and read back.

    Attributes:
        tag: what marks them.
        write: (object, see) -> what stands behind the tag, as a template.
        make: (what stands behind the tag, reader) -> the object, empty if others may refer to it while it is filled.
    """

    tag: str
    write: Callable[[Any, See], Any]
    make: Callable[[Any, Any], Any]


@dataclass(slots=True)
class UnionFind:
    """Which variables share objects, directly or through others: a union-find over their numbers."""

    parents: list[int] = field(default_factory=list)

    def add(self) -> int:
        """Return the number of one more variable, alone so far."""
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def find(self, root: int) -> int:
        """Return the lowest number among the variables that this one shares objects with."""
        while self.parents[root] != root:
            self.parents[root] = self.parents[self.parents[root]]
            root = self.parents[root]
        return root

    def join(self, one: int, other: int) -> None:
        """Note that two variables share an object."""
        one, other = self.find(one), self.find(other)
        self.parents[max(one, other)] = min(one, other)
