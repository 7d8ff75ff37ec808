"""What a world asks of whoever runs its cells elsewhere, and of whoever writes down what a cell does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn


class Host(Protocol):
    """Runs the cells of the world that it is attached to somewhere else, and brings its turns back into it."""

    def execute(self, code: str, agent: str) -> Turn:
        """Run one cell; see :meth:`World.execute`."""

    def execute_batch(self, cells: Mapping[str, str], order: str) -> dict[str, Turn]:
        """Run one cell for each agent; see :meth:`World.execute_batch`."""

    def follow(self, changes: list[Change]) -> None:
        """Take note of what the world did by itself, or the researcher's script did to it."""

    def give(self, agent: str, bound: Mapping[str, Any], gone: Collection[str]) -> None:
        """Take note of variables that an agent was given, as plain data by name, and of those taken from it."""


class MovableHost(Host, Protocol):
    """A host that one world after another may be handed to."""

    def attach(self, world: Any) -> Any:
        """Take a world over: from now on its cells run here. One that was attached before is let go."""


class CellRecorder(Protocol):
    """Writes down what a cell does, in terms that another process can check and do again."""

    def begin(self, agent: str, code: str) -> None:
        """A turn begins."""

    def end(self, turn: Turn) -> None:
        """The turn begun last has ended."""

    def flush(self) -> None:
        """Whatever the cell wrote since the last call is part of its turn."""

    def call(self, target: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Trusted code begins: a method of an entity, or an injected function (``target`` is None)."""

    def returned(self) -> None:
        """The trusted code called last has ended, by returning or by raising."""
