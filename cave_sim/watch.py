"""Watch points: conditions on a live world that pause or stop its simulation when they turn true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from cave_sim.errors import WorldError
from cave_sim.journal.condition import Condition

Then = Literal["pause", "stop"]


class Watch:
    """One watch point. It is looked at after each step, and tells of every time that its condition turns true.

    Args:
        name: how the journal calls it.
        condition: a function of the world, or a text such as ``world["town"].treasury_cents < 0``.
        then: what happens to the simulation.

    Raises:
        WorldError: the text is no condition, or ``then`` is neither ``pause`` nor ``stop``.
    """

    def __init__(self, name: str, condition: str | Callable[[Any], Any], then: Then = "pause") -> None:
        if then not in ("pause", "stop"):
            raise WorldError(f"watch {name!r}: then={then!r}; a watch point can 'pause' or 'stop'")
        self.name, self.then = name, then
        self.text = condition if isinstance(condition, str) else getattr(condition, "__name__", repr(condition))
        self._holds = Condition(condition).holds if isinstance(condition, str) else condition
        self._held = False

    def turned_true(self, world: Any) -> bool:
        """Look at a world; say whether the condition holds and did not the last time."""
        held, self._held = self._held, bool(self._holds(world))
        return self._held and not held
