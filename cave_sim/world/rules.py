"""What a world does by itself in every step, and what every turn must leave true. Both are code, and no state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from cave_sim.changes.change import Change
from cave_sim.errors import InvariantBroken

Dynamics = Callable[[Any], None]


@runtime_checkable
class KeepsSomething(Protocol):
    """Dynamics that keep something beside the world's state, which follows from it."""

    def __call__(self, world: Any) -> None:
        """Do what is done in each step."""

    def anew(self) -> Dynamics:
        """Return the same for a copy of the world."""

    def follow(self, world: Any) -> None:
        """Bring what is kept to the state that the world was restored to."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition that every turn must leave true.

    Attributes:
        name: how errors call it.
        holds: ``(world, changes)`` -> whether it holds.
        touching: names of fields; if there are any, it is only asked when a turn changed one of them.
    """

    name: str
    holds: Callable[[Any, list[Change]], Any]
    touching: frozenset[str] = frozenset()

    def concerns(self, changes: list[Change]) -> bool:
        """Say whether these changes may have broken it; the coming or going of an entity always may."""
        touching = self.touching
        return not touching or any(not change.path or change.path[0] in touching for change in changes)

    def broken(self, detail: str = "") -> InvariantBroken:
        """Return the error that says it does not hold."""
        return InvariantBroken(f"the world's rule {self.name!r} would no longer hold{detail}; nothing was changed")


@dataclass(slots=True)
class WorldRules:
    """The dynamics and invariants of one world, in the order in which they were registered."""

    dynamics: list[Dynamics] = field(default_factory=list)
    invariants: list[Invariant] = field(default_factory=list)

    def check(self, world: Any, changes: list[Change]) -> None:
        """Raise InvariantBroken if the changes left a condition of the world untrue."""
        for invariant in self.invariants:
            if invariant.concerns(changes) and not invariant.holds(world, changes):
                raise invariant.broken()

    def copy(self) -> WorldRules:
        """Return the same rules for another world."""
        dynamics = [each.anew() if isinstance(each, KeepsSomething) else each for each in self.dynamics]
        return WorldRules(dynamics, list(self.invariants))

    def follow(self, world: Any) -> None:
        """Let dynamics that keep something follow the state that a world was restored to."""
        for each in self.dynamics:
            if isinstance(each, KeepsSomething):
                each.follow(world)
